#include "cap.h"

#include "hal.h"
#include "switches.h"

enum {
    CRYSTAL_MS = 5,
    CONFIRM_MS = 160, /* the same once more: two packets about one change give the receiver this clock's rate */
    CONFIRM_TRIES = 6,
    TRIES_FIRST = 4,
    TRIES_QUICK = 24,
    SLOW_MS = 60,
    GIVE_UP_MS = 8000, /* the next sign of life tells it */
    LOOK_MS = 50,
    LOW_CELL = 2400 / 20
};

static struct cap_packet packet;
static uint32_t changed_at, changed_at_2;
static bool age_known, age_known_2;

static volatile bool beat;
static bool awake, to_tell, confirm;
static uint8_t confirms;
static uint32_t next_try, confirm_at, since_told;
static uint16_t noise;

void cap_begin(uint8_t boot, uint16_t id, uint8_t seed) {
    packet = (struct cap_packet){
        .version = CAP_PACKET_VERSION, .boot = boot, .id = id, .flags = CAP_STARTED, .ends = hal_ends()};
    switches_begin(packet.ends);
    changed_at = hal_now(); /* of the start: told twice, it gives the receiver this clock's rate before the first turning */
    age_known = true;
    age_known_2 = false;
    awake = beat = false;
    to_tell = true;
    noise = (uint16_t)(0xACE1 ^ id ^ (uint16_t)seed << 8 ^ boot);
    if (!noise) noise = 1;
}

static uint8_t draw(uint8_t mask) {
    for (uint8_t n = 0; n < 5; n++) noise = noise >> 1 ^ (-(noise & 1) & 0xB400);
    return (uint8_t)noise & mask;
}

static uint16_t age_of(uint32_t t, bool known, uint32_t now) {
    if (!known) return CAP_AGE_UNKNOWN;
    uint32_t age = (now - t) / CAP_TICKS(CAP_AGE_UNIT_US);
    return age < CAP_AGE_UNKNOWN ? (uint16_t)age : CAP_AGE_UNKNOWN;
}

void cap_ages(struct cap_packet *to) {
    uint32_t now = hal_now();
    to->age = age_of(changed_at, age_known, now);
    to->age_2 = age_of(changed_at_2, age_known_2, now);
}

void cap_beat(void) { beat = true; }

bool cap_is_due(void) { return beat || switches_restless(); }

void cap_slept(void) { age_known = age_known_2 = false; }

static bool due(uint32_t t, uint32_t now) { return (int32_t)(now - t) >= 0; }

static bool send(bool measure) {
    uint8_t cell = 0;
    bool answered = hal_send(&packet, measure ? &cell : 0);
    if (measure && cell) {
        packet.cell = cell;
        packet.flags = cell < LOW_CELL ? packet.flags | CAP_LOW : packet.flags & ~CAP_LOW;
    }
    if (!answered) packet.lost++;
    return answered;
}

/* Every try is a new packet with a fresh age. The radio's own repeating would send the age of the first, and a packet that is
   the same as the one before it would be dropped as its echo. */
static void try_to_tell(void) {
    if (send(packet.tries == 0)) {
        to_tell = false;
        packet.flags &= ~(CAP_LIFE | CAP_STARTED);
        if (age_known) {
            confirm = true;
            confirms = 0;
            confirm_at = hal_now() + CAP_MS(CONFIRM_MS);
        }
        return;
    }
    if (packet.tries < 255) packet.tries++;
    uint8_t pause = packet.tries < TRIES_FIRST ? 3 : packet.tries < TRIES_QUICK ? 7 : 63;
    next_try = hal_now() + CAP_MS(1UL + draw(pause)) + (packet.tries < TRIES_QUICK ? 0 : CAP_MS(SLOW_MS));
}

static void take_change(uint32_t since) {
    packet.ends = (uint8_t)((packet.ends & 0x0F) << 2) | switches_ends();
    packet.seq++;
    changed_at_2 = changed_at;
    age_known_2 = age_known;
    changed_at = since;
    age_known = true;
    confirm = false;
}

static void wake(void) {
    awake = true;
    confirm = false;
    hal_radio_on();
    next_try = since_told = hal_now();
    next_try += CAP_MS(CRYSTAL_MS);
    packet.tries = 0;
}

bool cap_step(uint32_t *until) {
    if (!awake) wake();
    if (beat) {
        beat = false;
        packet.flags |= CAP_LIFE;
        if (!to_tell) {
            to_tell = true;
            packet.tries = 0;
            since_told = hal_now();
        }
    }
    uint32_t since, now = hal_now();
    if (switches_settle(hal_ends(), now, &since)) {
        take_change(since);
        to_tell = true;
        packet.tries = 0;
        since_told = now;
        if (due(next_try, now)) next_try = now;
    }
    if (confirm && due(confirm_at, hal_now())) {
        confirm = !send(false) && ++confirms < CONFIRM_TRIES;
        confirm_at = hal_now() + CAP_MS(1UL + draw(15));
    } else if (to_tell && due(next_try, hal_now())) {
        try_to_tell();
    }
    now = hal_now();
    if (to_tell && now - since_told > CAP_MS(GIVE_UP_MS)) to_tell = false;
    if (!to_tell && !confirm && !cap_is_due()) {
        hal_radio_off();
        awake = false;
        return false;
    }
    *until = now + CAP_MS(LOOK_MS);
    if (to_tell && !due(next_try, *until)) {
    } else if (to_tell) {
        *until = next_try;
    }
    if (confirm && due(confirm_at, *until)) *until = confirm_at;
    if (switches_restless()) {
        uint32_t look = switches_look_at(now);
        if (due(look, *until)) *until = look;
    }
    return true;
}
