#include "rounds.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "analog.h"
#include "inputs.h"
#include "pins_io.h"

#if HAS_ANALOG

/* With both kinds fitted a third of the ladders joins each round: 50 conversions, about 0.85 ms. */
#define HALLS (SOCKETS_HALL ? SOCKETS : 0)
#define LADDERS (RINGS != RINGS_STACK ? 0 : SOCKETS_HALL ? 13 : SOCKETS)
#define SLOTS (HALLS + LADDERS)

enum {
    MUX_INPUTS = 16,
    SLOT_US = 17 /* one conversion at a 1 MHz ADC clock, with its interrupt */
};

#define CHANNEL(name, port, bit) bit,
static const uint8_t hall_channels[] = {HALL_PINS(CHANNEL)};
static const uint8_t ladder_channels[] = {LADDER_PINS(CHANNEL)};

static volatile uint8_t readings[SLOTS];
static volatile uint8_t slot = SLOTS; /* SLOTS: no round is running */
static volatile bool complete;
static volatile uint16_t late;
static uint32_t began_us;
static uint8_t ladder_from;

static bool is_hall(uint8_t at) { return SOCKETS_HALL && at < SOCKETS; }

static uint8_t socket_of(uint8_t at) { return is_hall(at) ? at : ladder_from + (at - HALLS); }

/* Past the last socket a slot reads some input that is not fitted; the reading is dropped. */
static void convert(uint8_t at) {
    uint8_t socket = socket_of(at);
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
    if (at + 1 < SLOTS)
        convert(at + 1);
    else
        complete = true;
    readings[at] = reading;
    slot = at + 1;
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
    if (complete || slot < SLOTS) {
        late++;
        return;
    }
    began_us = now_us;
    slot = 0;
    convert(0);
}

bool rounds_waiting(void) { return complete; }

void rounds_take(void) {
    if (!complete) return;
    uint32_t t_us = began_us;
    for (uint8_t at = 0; at < SLOTS; at++, t_us += SLOT_US) {
        uint8_t socket = socket_of(at);
        if (is_hall(at))
            analog_hall(socket, readings[at], t_us);
        else if (socket < SOCKETS)
            analog_ladder(socket, readings[at], t_us);
    }
    ladder_from += LADDERS;
    if (ladder_from >= SOCKETS) ladder_from = 0;
    slot = SLOTS;
    complete = false;
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
