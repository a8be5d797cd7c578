#include "caps.h"

#include <string.h>

enum {
    /* From the taking of the age to the receiver's interrupt: the payload's bit-banged SPI at 4 MHz, 130 µs to begin, the
       air time of 1 + 5 + 14 + 2 bytes and 9 bits at 1 Mbit/s; and half a unit, as ages are cut off. */
    LINK_US = 842 + 130 + 185,
    RATE_SPAN_UNITS = 400, /* between two packets about the same change: 100 ms */
    RATE_STRAYS = 2,
    TWINS_US = 30000000 /* a cap that was taken away is silent by then */
};
#define RATE_ONE 65536L
#define RATE_LIMIT (RATE_ONE / 8)
#define RATE_STEP (RATE_ONE / 128)

static struct cap {
    struct cap_health health;
    bool aged;
    uint8_t seq, lost, strays;
    uint16_t age; /* of the latest change, as first told, and when that came */
    uint32_t aged_us;
    uint16_t other_id; /* the id before the one heard last, and when it was heard */
    bool has_other;
    uint32_t other_us;
    uint16_t kept_id;
    int16_t kept_off; /* 0: nothing is kept */
} caps[CAPS];

void caps_reset(void) {
    memset(caps, 0, sizeof caps);
    for (uint8_t n = 0; n < CAPS; n++) caps[n].health.rate = RATE_ONE;
}

const struct cap_health *caps_health(uint8_t cap) { return &caps[cap].health; }

static uint32_t real_us(const struct cap *cap, uint16_t age) {
    return (uint32_t)(((uint64_t)age * CAP_AGE_UNIT_US * cap->health.rate) >> 16);
}

static void recall_rate(struct cap *cap, uint16_t id) {
    if (!cap->kept_off || cap->kept_id != id) return;
    cap->health.rate = (uint32_t)(RATE_ONE + cap->kept_off);
    cap->health.rated = true;
}

void caps_expect(uint8_t n, uint16_t id, int16_t off) {
    if (n >= CAPS || off > RATE_LIMIT || off < -RATE_LIMIT) return;
    struct cap *cap = &caps[n];
    cap->kept_id = id;
    cap->kept_off = off;
    if (cap->health.heard && !cap->health.rated) recall_rate(cap, cap->health.id);
}

/* Two packets about the same change tell how fast the cap's clock runs: 10 % off is usual of its oscillator. */
static void learn_rate(uint8_t n, uint16_t age, uint32_t arrived_us) {
    struct cap *cap = &caps[n];
    if (!cap->aged || age == CAP_AGE_UNKNOWN || age < cap->age || age - cap->age < RATE_SPAN_UNITS) return;
    uint32_t theirs = (uint32_t)(age - cap->age) * CAP_AGE_UNIT_US, ours = arrived_us - cap->aged_us;
    int64_t found = (int64_t)(((uint64_t)ours << 16) / theirs) - RATE_ONE;
    if (found > RATE_LIMIT || found < -RATE_LIMIT) return;
    int32_t off = (int32_t)found, now = (int32_t)cap->health.rate - RATE_ONE;
    bool stray = cap->health.rated && (off - now > RATE_STEP || now - off > RATE_STEP);
    if (stray && cap->strays++ < RATE_STRAYS) return;
    cap->strays = 0;
    now = cap->health.rated ? now + (off - now) / 4 : off;
    cap->health.rate = (uint32_t)(RATE_ONE + now);
    cap->health.rated = true;
    caps_news(n, CAP_NEWS_RATE, cap->health.rate, arrived_us);
}

static void tell(uint8_t n, uint8_t ends, uint16_t age, uint32_t arrived_us) {
    if (age == CAP_AGE_UNKNOWN)
        caps_news(n, CAP_NEWS_UNTIMED, ends, arrived_us);
    else
        caps_news(n, CAP_NEWS_EDGE, ends, arrived_us - LINK_US - real_us(&caps[n], age));
}

static void begin(uint8_t n, const struct cap_packet *packet, uint32_t arrived_us) {
    struct cap *cap = &caps[n];
    struct cap_health *health = &cap->health;
    if (health->heard && health->id != packet->id) {
        if (cap->has_other && cap->other_id == packet->id && arrived_us - cap->other_us < TWINS_US && !health->twins) {
            health->twins = true;
            caps_news(n, CAP_NEWS_TWINS, packet->id, arrived_us);
        }
        cap->other_id = health->id;
        cap->other_us = health->heard_us;
        cap->has_other = true;
    }
    if (!health->heard || health->id != packet->id) {
        health->rated = false; /* another oscillator */
        health->rate = RATE_ONE;
        recall_rate(cap, packet->id);
    }
    cap->lost = packet->lost;
    caps_news(n, CAP_NEWS_STARTED, packet->ends & ENDS_MASK, arrived_us);
}

void caps_packet(uint8_t n, const uint8_t *bytes, uint8_t length, uint32_t arrived_us) {
    struct cap_packet packet;
    if (n >= CAPS || length != sizeof packet) return;
    memcpy(&packet, bytes, sizeof packet);
    if (packet.version != CAP_PACKET_VERSION) return;
    struct cap *cap = &caps[n];
    struct cap_health *health = &cap->health;
    bool fresh = !health->heard || health->boot != packet.boot || health->id != packet.id;
    uint8_t gained = fresh ? 0 : packet.seq - cap->seq;
    if (health->twins && cap->has_other && arrived_us - cap->other_us >= TWINS_US) health->twins = false;
    if (!fresh && gained > 127) return; /* older than what is known: an echo */
    if (fresh) {
        begin(n, &packet, arrived_us);
    } else if (gained == 0) {
        learn_rate(n, packet.age, arrived_us);
        caps_news(n, CAP_NEWS_REPEAT, packet.tries, arrived_us);
    } else {
        if (gained > 2) {
            uint8_t missed = gained - 2;
            health->missed = health->missed > 255 - missed ? 255 : health->missed + missed;
            caps_news(n, CAP_NEWS_MISSED, missed, arrived_us);
        }
        if (gained >= 2) tell(n, packet.ends >> 2 & ENDS_MASK, packet.age_2, arrived_us);
        tell(n, packet.ends & ENDS_MASK, packet.age, arrived_us);
    }
    if (fresh || gained || !cap->aged) {
        cap->age = packet.age;
        cap->aged = packet.age != CAP_AGE_UNKNOWN;
        cap->aged_us = arrived_us;
    }
    health->lost += (uint8_t)(packet.lost - cap->lost);
    cap->lost = packet.lost;
    cap->seq = packet.seq;
    health->heard = true;
    health->heard_us = arrived_us;
    health->ends = packet.ends & ENDS_MASK;
    health->boot = packet.boot;
    health->id = packet.id;
    health->cell = packet.cell;
    health->flags = packet.flags;
    if (!(packet.flags & CAP_LIFE)) health->tries = packet.tries;
    health->packets++;
}
