#include "contacts.h"

#include <avr/interrupt.h>
#include <avr/pgmspace.h>
#include <string.h>
#include <util/atomic.h>

#include "edges.h"
#include "inputs.h"
#include "pins_io.h"

enum { SAMPLES = 8 }; /* so the main loop may be 7 ms late without losing an edge */

enum { PORT_A, PORT_B, PORT_C, PORT_D, PORT_F, PORT_H, PORT_J, PORT_K, PORT_L, PORTS };

struct sample {
    uint32_t t_us;
    uint8_t ports[PORTS];
};

#define NUMBER(name, port, bit) NUMBER_##name,
enum { SOCKET_NUMBERS_FROM = SOCKET_FIRST - 1, SOCKET_PINS(NUMBER) };
#define TILT_NUMBER(name, port, bit) TILT_NUMBER_##name,
enum { TILT_NUMBERS_FROM = TILT_FIRST - 1, TILT_PINS(TILT_NUMBER) };
#define BUTTON_NUMBER(name, port, bit) BUTTON_NUMBER_##name,
enum { BUTTON_NUMBERS_FROM = BUTTON_FIRST - 1, BUTTON_PINS(BUTTON_NUMBER) };

/* Which input hangs on which bit, plus one; 0 for none. */
#define SOCKET_AT(name, port, bit) [PORT_##port * 8 + bit] = NUMBER_##name + 1,
#define TILT_AT(name, port, bit) [PORT_##port * 8 + bit] = TILT_NUMBER_##name + 1,
#define BUTTON_AT(name, port, bit) [PORT_##port * 8 + bit] = BUTTON_NUMBER_##name + 1,
static const uint8_t input_at[PORTS * 8] PROGMEM = {
#if !SOCKETS_HALL
    SOCKET_PINS(SOCKET_AT)
#endif
#if TILTS_CAPS
    TIMER_PINS(TILT_AT)
#else
    TILT_PINS(TILT_AT)
#endif
    BUTTON_PINS(BUTTON_AT)
};

static struct sample samples[SAMPLES];
static volatile uint8_t head, tail;
static volatile uint16_t late;
static uint8_t last[PORTS];
static uint8_t used[PORTS];

void contacts_begin(void) {
#if !SOCKETS_HALL
    SOCKET_PINS(AS_PULLED_UP_INPUT)
#endif
#if TILTS_CAPS
    TIMER_PINS(AS_PULLED_UP_INPUT)
#else
    TILT_PINS(AS_PULLED_UP_INPUT)
#endif
    BUTTON_PINS(AS_PULLED_UP_INPUT)
    for (uint8_t at = 0; at < PORTS * 8; at++)
        if (pgm_read_byte(&input_at[at])) used[at >> 3] |= 1 << (at & 7);
    memset(last, 0xFF, sizeof last); /* open, as edges_seen() begins with */
}

void contacts_sample(uint32_t now_us) {
    uint8_t at = head, after = (at + 1) & (SAMPLES - 1);
    if (after == tail) {
        late++;
        return;
    }
    struct sample *sample = &samples[at];
    sample->t_us = now_us;
    sample->ports[PORT_A] = PINA;
    sample->ports[PORT_B] = PINB;
    sample->ports[PORT_C] = PINC;
    sample->ports[PORT_D] = PIND;
    sample->ports[PORT_F] = PINF;
    sample->ports[PORT_H] = PINH;
    sample->ports[PORT_J] = PINJ;
    sample->ports[PORT_K] = PINK;
    sample->ports[PORT_L] = PINL;
    head = after;
}

bool contacts_waiting(void) { return head != tail; }

bool contacts_take(uint32_t *t_us) {
    uint8_t at = tail;
    if (at == head) return false;
    const struct sample *sample = &samples[at];
    for (uint8_t port = 0; port < PORTS; port++) {
        uint8_t changed = (sample->ports[port] ^ last[port]) & used[port];
        if (!changed) continue;
        uint8_t level = last[port] = sample->ports[port];
        const uint8_t *at_bit = &input_at[port * 8];
        for (; changed; at_bit++, changed >>= 1, level >>= 1)
            if (changed & 1) edges_see(pgm_read_byte(at_bit) - 1, !(level & 1), sample->t_us);
    }
    *t_us = sample->t_us;
    tail = (at + 1) & (SAMPLES - 1);
    return true;
}

uint16_t contacts_late(void) {
    uint16_t count;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { count = late; }
    return count;
}
