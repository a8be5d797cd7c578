#include "board.h"

#include <stdio.h>
#include <string.h>

#include "../avr/src/inputs.h"
#include "../avr/src/pins.h"
#include "air.h"
#include "mcu.h"

enum { MUXES = 3, MUX_INPUTS = 16, DIGITS = 8, LOAD_BITS = 24 };
enum { LOAD_EVERY_US = 100000, LOAD_ZERO = 20000, LOAD_RING = 4000 };
enum { HALL_ZERO_MV = 2500, HALL_FIELD_MV = 1000, SUPPLY_MV = 5000 };
enum { TONE_GONE_US = 40000 };
enum { MAX_DIGIT_0 = 0x01, MAX_SHUTDOWN = 0x0C, MAX_TEST = 0x0F };

struct pin {
    char port;
    uint8_t bit;
};
#define PIN(name, port, bit) {#port[0], bit},
static const struct pin contacts[] = {SOCKET_PINS(PIN) TILT_PINS(PIN) BUTTON_PINS(PIN)};
static const struct pin lamps[] = {LAMP_PINS(PIN)};
#define NAME(name, port, bit) #name,
static const char *const lamp_names[] = {LAMP_PINS(NAME)};
static const struct pin selects[] = {SELECT_PINS(PIN)};
static const struct pin halls[] = {HALL_PINS(PIN)};
static const struct pin ladders[] = {LADDER_PINS(PIN)};
static const struct pin buzzer[] = {BUZZER_PINS(PIN)};
static const struct pin planes[] = {PLANES_PINS(PIN)};
#define SINGLE(...) SINGLE_(__VA_ARGS__)
#define SINGLE_(port, bit) {#port[0], bit}
static const struct pin radio[] = {SINGLE(PIN_RADIO_CE), SINGLE(PIN_RADIO_CSN), SINGLE(PIN_RADIO_IRQ)};
static const struct pin holders[] = {HOLDER_PINS(PIN)}; /* data, clock of each */

static uint32_t hall_mv[MUXES * MUX_INPUTS], ladder_mv[MUXES * MUX_INPUTS];

static struct {
    int32_t raw;
    bool answers, ready;
    uint8_t pulses;
    uint32_t shifting;
    uint64_t ready_us;
} loads[HOLDERS];

static struct {
    uint8_t registers[16];
    uint8_t shown[DIGITS];
} plane[2]; /* 0: red, next to the Mega; 1: green */
static const char *const plane_names[] = {"red", "green"};
static uint32_t spi_shifted;
static uint8_t selected; /* by the multiplexers' select lines */

static bool lamp_on[sizeof lamps / sizeof lamps[0]];
static uint64_t buzzer_rose_us;
static uint32_t tone_hz;

static bool is(struct pin pin, char port, uint8_t bit) { return pin.port == port && pin.bit == bit; }

static unsigned long long now(void) { return (unsigned long long)mcu_now_us(); }

bool board_set(uint8_t input, int32_t value) {
    if (input < SOCKETS && SOCKETS_HALL) {
        int32_t field = value == FIELD_N ? HALL_FIELD_MV : value == FIELD_S ? -HALL_FIELD_MV : 0;
        return board_set_mv(input, HALL_ZERO_MV + field);
    }
    if (TILTS_CAPS && input >= TILT_FIRST && input < TILT_FIRST + TRAVELLING) {
        air_turn(input - TILT_FIRST, value);
        return true;
    }
    if (input < RING_FIRST) {
        mcu_input(contacts[input].port, contacts[input].bit, !value);
        return true;
    }
    if (input < HOLDER_FIRST) return value >= 0 && board_set_mv(input, SUPPLY_MV / (value + 1));
    return input < INPUTS && board_set_load(input - HOLDER_FIRST, LOAD_ZERO + value * LOAD_RING, true);
}

bool board_set_mv(uint8_t input, int32_t mv) {
    if (mv < 0 || mv > SUPPLY_MV) return false;
    if (input < SOCKETS)
        hall_mv[input] = mv;
    else if (input >= RING_FIRST && input < HOLDER_FIRST)
        ladder_mv[input - RING_FIRST] = mv;
    else
        return false;
    return true;
}

bool board_set_load(uint8_t holder, int32_t raw, bool answers) {
    if (holder >= HOLDERS) return false;
    loads[holder].raw = raw;
    loads[holder].answers = answers;
    return true;
}

void board_begin(void) {
    for (int n = 0; n < MUXES * MUX_INPUTS; n++) {
        hall_mv[n] = HALL_ZERO_MV;
        ladder_mv[n] = SUPPLY_MV;
    }
    for (int n = 0; n < RING_FIRST; n++)
        if (!(SOCKETS_HALL && n < SOCKETS) && !(TILTS_CAPS && n >= TILT_FIRST && n < TILT_FIRST + TRAVELLING)) mcu_input(contacts[n].port, contacts[n].bit, true);
    if (TILTS_CAPS) mcu_input(radio[2].port, radio[2].bit, true);
    for (int n = 0; n < HOLDERS; n++) {
        loads[n].ready_us = LOAD_EVERY_US;
        mcu_input(holders[2 * n].port, holders[2 * n].bit, true);
    }
}

uint32_t outside_analog_mv(uint8_t channel) {
    for (int mux = 0; mux < MUXES; mux++) {
        if (SOCKETS_HALL && halls[mux].bit == channel) return hall_mv[mux * MUX_INPUTS + selected];
        if (ladders[mux].bit == channel) return ladder_mv[mux * MUX_INPUTS + selected];
    }
    return 0;
}

static void load_clock(int n, bool high) {
    if (RINGS != RINGS_HOLDER || !high || !loads[n].ready) return;
    if (loads[n].pulses == 0) loads[n].shifting = (uint32_t)loads[n].raw;
    if (loads[n].pulses < LOAD_BITS) {
        uint8_t bit = LOAD_BITS - 1 - loads[n].pulses;
        mcu_input(holders[2 * n].port, holders[2 * n].bit, loads[n].shifting >> bit & 1);
        loads[n].pulses++;
        return;
    }
    mcu_input(holders[2 * n].port, holders[2 * n].bit, true);
    loads[n].ready = false;
    loads[n].pulses = 0;
    loads[n].ready_us = mcu_now_us() + LOAD_EVERY_US;
}

uint64_t board_next_us(void) {
    uint64_t next = UINT64_MAX;
    if (RINGS == RINGS_HOLDER)
        for (int n = 0; n < HOLDERS; n++)
            if (!loads[n].ready && loads[n].ready_us < next) next = loads[n].ready_us;
    if (tone_hz && buzzer_rose_us + TONE_GONE_US < next) next = buzzer_rose_us + TONE_GONE_US;
    return next;
}

void board_event(uint64_t now_us) {
    for (int n = 0; n < HOLDERS; n++) {
        if (loads[n].ready || loads[n].ready_us > now_us) continue;
        loads[n].ready_us = now_us + LOAD_EVERY_US;
        if (!loads[n].answers) continue;
        loads[n].ready = true;
        mcu_input(holders[2 * n].port, holders[2 * n].bit, false);
    }
    if (tone_hz && buzzer_rose_us + TONE_GONE_US <= now_us) {
        tone_hz = 0;
        printf("TONE %llu 0\n", now());
    }
}

static void buzzer_rises(void) {
    uint64_t at_us = mcu_now_us();
    uint64_t period_us = at_us - buzzer_rose_us;
    buzzer_rose_us = at_us;
    if (period_us == 0 || period_us >= TONE_GONE_US) return;
    uint32_t hz = (uint32_t)((1000000 + period_us / 2) / period_us);
    uint32_t off = hz > tone_hz ? hz - tone_hz : tone_hz - hz;
    if (off * 100 <= tone_hz) return; /* µs are coarse: within 1 % it is the same tone */
    tone_hz = hz;
    printf("TONE %llu %u\n", now(), hz);
}

static void latch_planes(void) {
    for (int p = 0; p < 2; p++) {
        uint16_t word = (uint16_t)(spi_shifted >> 16 * p);
        plane[p].registers[word >> 8 & 0x0F] = (uint8_t)word;
        bool lit = plane[p].registers[MAX_SHUTDOWN] & 1;
        bool test = plane[p].registers[MAX_TEST] & 1;
        for (int digit = 0; digit < DIGITS; digit++) {
            uint8_t shows = test ? 0xFF : lit ? plane[p].registers[MAX_DIGIT_0 + digit] : 0;
            if (shows == plane[p].shown[digit]) continue;
            plane[p].shown[digit] = shows;
            printf("PLANE %llu %s %d %u\n", now(), plane_names[p], digit, shows);
        }
    }
}

uint8_t outside_spi(uint8_t byte) {
    spi_shifted = spi_shifted << 8 | byte;
    return air_mega_exchange(byte);
}

void outside_receiver_irq(bool low) { mcu_input(radio[2].port, radio[2].bit, !low); }

void outside_pin(char port, uint8_t bit, bool high) {
    for (unsigned n = 0; n < sizeof lamps / sizeof lamps[0]; n++)
        if (is(lamps[n], port, bit) && lamp_on[n] != high) {
            lamp_on[n] = high;
            printf("LAMP %llu %s %d\n", now(), lamp_names[n], high);
        }
    for (unsigned n = 0; n < sizeof selects / sizeof selects[0]; n++)
        if (is(selects[n], port, bit)) selected = (selected & ~(1 << n)) | high << n;
    if (is(buzzer[0], port, bit) && high) buzzer_rises();
    if (is(planes[0], port, bit) && high) latch_planes();
    for (int n = 0; n < HOLDERS; n++)
        if (is(holders[2 * n + 1], port, bit)) load_clock(n, high);
    if (TILTS_CAPS && is(radio[0], port, bit)) air_mega_ce(high);
    if (TILTS_CAPS && is(radio[1], port, bit)) air_mega_csn(high);
}

void outside_reset(uint8_t cause) {
    for (unsigned n = 0; n < sizeof lamps / sizeof lamps[0]; n++)
        if (lamp_on[n]) {
            lamp_on[n] = false;
            printf("LAMP %llu %s 0\n", now(), lamp_names[n]);
        }
    printf("RESET %llu %u\n", now(), cause);
}
