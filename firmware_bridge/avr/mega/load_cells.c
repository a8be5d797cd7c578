#include "load_cells.h"

#include <stdint.h>
#include <util/atomic.h>
#include <util/delay.h>

#include "analog.h"
#include "hal.h"
#include "pins_io.h"

#if RINGS == RINGS_HOLDER

enum { SILENT_AFTER_MS = 1000, DATA_BITS = 24 };

static uint16_t silent_ms[HOLDERS];

/* 24 bits, most significant first, and a 25th pulse for channel A at gain 128. A clock that stays high for 60 µs puts
   an HX711 to sleep; no interrupt here takes a tenth of that. Port G and D are beyond single-instruction reach or shared
   with the select lines of the interrupt, so each change of the clock is atomic. */
#define READ_HOLDER(name, data, clock)                                \
    static int32_t read_##name(void) {                                \
        uint32_t raw = 0;                                             \
        for (uint8_t n = 0; n <= DATA_BITS; n++) {                    \
            ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { PIN_HIGH(clock); }    \
            _delay_us(1);                                             \
            if (n < DATA_BITS) raw = raw << 1 | PIN_READ(data);       \
            ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { PIN_LOW(clock); }     \
            _delay_us(1);                                             \
        }                                                             \
        return (int32_t)(raw & 0x800000UL ? raw | 0xFF000000UL : raw); \
    }

READ_HOLDER(red, PIN_HOLDER_RED_DATA, PIN_HOLDER_RED_CLOCK)
READ_HOLDER(black, PIN_HOLDER_BLACK_DATA, PIN_HOLDER_BLACK_CLOCK)

void load_cells_begin(void) {
    PIN_OUT(PIN_HOLDER_RED_CLOCK);
    PIN_OUT(PIN_HOLDER_BLACK_CLOCK);
    PIN_HIGH(PIN_HOLDER_RED_DATA); /* pulled up: a missing amplifier is never ready */
    PIN_HIGH(PIN_HOLDER_BLACK_DATA);
    for (uint8_t holder = 0; holder < HOLDERS; holder++) analog_holder_silent(holder, hal_now_us());
}

void load_cells_poll(void) {
    for (uint8_t holder = 0; holder < HOLDERS; holder++) {
        bool ready = !(holder == 0 ? PIN_READ(PIN_HOLDER_RED_DATA) : PIN_READ(PIN_HOLDER_BLACK_DATA));
        if (ready) {
            silent_ms[holder] = 0;
            analog_holder(holder, holder == 0 ? read_red() : read_black(), hal_now_us());
        } else if (silent_ms[holder] < SILENT_AFTER_MS && ++silent_ms[holder] == SILENT_AFTER_MS) {
            analog_holder_silent(holder, hal_now_us());
        }
    }
}

#else

void load_cells_begin(void) {}
void load_cells_poll(void) {}

#endif
