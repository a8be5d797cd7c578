#include "rounds.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "analog.h"
#include "inputs.h"
#include "pins_io.h"

#if HAS_ANALOG

/* With both kinds fitted a sixth of the ladders joins each round: 43 conversions, 0.87 ms. */
#define HALLS (SOCKETS_HALL ? SOCKETS : 0)
#define LADDERS (RINGS != RINGS_STACK ? 0 : SOCKETS_HALL ? 6 : SOCKETS)
#define SLOTS (HALLS + LADDERS)

enum {
    MUX_INPUTS = 16,
    SLOT_US = 20 /* one conversion at a 1 MHz ADC clock, with its interrupt */
};

#define CHANNEL(name, port, bit) bit,
static const uint8_t hall_channels[] = {HALL_PINS(CHANNEL)};
static const uint8_t ladder_channels[] = {LADDER_PINS(CHANNEL)};

enum { ROUNDS = 4 }; /* one being filled by the interrupt, the others wait for the main loop */

static struct round {
    uint32_t began_us;
    uint8_t ladder_from;
    uint8_t readings[SLOTS];
} rounds[ROUNDS];

static volatile uint8_t filling, oldest;
static volatile uint8_t slot = SLOTS; /* SLOTS: no round is running */
static volatile uint16_t late;

static bool is_hall(uint8_t at) { return SOCKETS_HALL && at < SOCKETS; }

static uint8_t socket_of(const struct round *round, uint8_t at) {
    return is_hall(at) ? at : round->ladder_from + (at - HALLS);
}

/* Past the last socket a slot reads some input that is not fitted; the reading is dropped. */
static void convert(uint8_t at) {
    uint8_t socket = socket_of(&rounds[filling], at);
    uint8_t input = socket % MUX_INPUTS, mux = socket / MUX_INPUTS;
#define CHOOSE(name, port, bit)  \
    if (input & 1)               \
        PORT##port |= 1 << bit;  \
    else                         \
        PORT##port &= ~(1 << bit); \
    input >>= 1;
    SELECT_PINS(CHOOSE)
    ADMUX = 1 << REFS0 | 1 << ADLAR | (is_hall(at) ? hall_channels[mux] : ladder_channels[mux]);
    ADCSRA |= 1 << ADSC;
}

ISR(ADC_vect) {
    uint8_t at = slot;
    uint8_t reading = ADCH;
    if (at + 1 < SLOTS) convert(at + 1);
    rounds[filling].readings[at] = reading;
    slot = at + 1;
    if (at + 1 < SLOTS) return;
    uint8_t after = (filling + 1) & (ROUNDS - 1);
    if (after == oldest)
        late++; /* the main loop is far behind: this round is dropped */
    else
        filling = after;
}

void rounds_setup(void) {
    SELECT_PINS(AS_OUTPUT)
#if SOCKETS_HALL
    HALL_PINS(AS_FLOATING_INPUT)
    DIDR0 = 1 << 3 | 1 << 4 | 1 << 5;
#endif
#if RINGS == RINGS_STACK
    LADDER_PINS(AS_FLOATING_INPUT)
#endif
    ADCSRA = 1 << ADEN | 1 << ADIE | 1 << ADPS2; /* 1 MHz: 8 good bits */
}

void rounds_begin(uint32_t now_us) {
    static uint8_t ladder_from;
    if (slot < SLOTS) {
        late++;
        return;
    }
    struct round *round = &rounds[filling];
    round->began_us = now_us;
    round->ladder_from = ladder_from;
    ladder_from += LADDERS;
    if (ladder_from >= SOCKETS) ladder_from = 0;
    slot = 0;
    convert(0);
}

bool rounds_waiting(void) { return oldest != filling; }

static void take(const struct round *round) {
    uint32_t t_us = round->began_us;
    for (uint8_t at = 0; at < SLOTS; at++, t_us += SLOT_US) {
        uint8_t socket = socket_of(round, at);
        if (is_hall(at))
            analog_hall(socket, round->readings[at], t_us);
        else if (socket < SOCKETS)
            analog_ladder(socket, round->readings[at], t_us);
    }
}

void rounds_take(void) {
    for (uint8_t at = oldest; at != filling; oldest = at = (at + 1) & (ROUNDS - 1)) take(&rounds[at]);
}

uint16_t rounds_late(void) {
    uint16_t count;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { count = late; }
    return count;
}

#else

void rounds_setup(void) {}
void rounds_begin(uint32_t now_us) { (void)now_us; }
bool rounds_waiting(void) { return false; }
void rounds_take(void) {}
uint16_t rounds_late(void) { return 0; }

#endif
