#include "outputs.h"

#include "hal.h"
#include "pins_io.h"

enum { LOWEST_HZ = 31, HIGHEST_HZ = 10000 };

void outputs_begin(void) {
    LAMP_PINS(AS_OUTPUT)
    BUZZER_PINS(AS_OUTPUT)
    PIN_HIGH(PIN_PLANES_LOAD);
    PLANES_PINS(AS_OUTPUT)
    SPCR = 1 << SPE | 1 << MSTR; /* 4 MHz; the MAX7219 takes 10 */
    TCCR3A = 0;
    TCCR3B = 0;
}

void hal_panel(uint8_t lamps) {
#define SHOW(name, port, bit)    \
    if (lamps & 1)               \
        PORT##port |= 1 << bit;  \
    else                         \
        PORT##port &= ~(1 << bit); \
    lamps >>= 1;
    LAMP_PINS(SHOW)
}

static void shift(uint8_t byte) {
    SPDR = byte;
    while (!(SPSR & 1 << SPIF)) {
    }
}

void hal_planes(uint8_t reg, uint8_t red, uint8_t green) {
    PIN_LOW(PIN_PLANES_LOAD);
    shift(reg); /* what is sent first travels on to the green plane */
    shift(green);
    shift(reg);
    shift(red);
    PIN_HIGH(PIN_PLANES_LOAD);
}

/* Timer 3 toggles the pin by itself at each compare. */
void hal_tone(uint16_t pitch_hz) {
    if (pitch_hz == 0) {
        TCCR3B = 0;
        TCCR3A = 0;
        PIN_LOW(PIN_BUZZER_TONE);
        return;
    }
    if (pitch_hz < LOWEST_HZ) pitch_hz = LOWEST_HZ;
    if (pitch_hz > HIGHEST_HZ) pitch_hz = HIGHEST_HZ;
    TCCR3B = 0;
    TCNT3 = 0;
    OCR3A = (uint16_t)(F_CPU / 16 / pitch_hz - 1);
    TCCR3A = 1 << COM3A0;
    TCCR3B = 1 << WGM32 | 1 << CS31;
}
