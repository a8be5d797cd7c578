/* Port registers by the names in pins.h. */
#ifndef PINS_IO_H
#define PINS_IO_H

#include <avr/io.h>

#include "pins.h"

/* For the X-macros of whole groups. */
#define AS_OUTPUT(name, port, bit) DDR##port |= 1 << bit;
#define AS_PULLED_UP_INPUT(name, port, bit) DDR##port &= ~(1 << bit), PORT##port |= 1 << bit;
#define AS_FLOATING_INPUT(name, port, bit) DDR##port &= ~(1 << bit), PORT##port &= ~(1 << bit);

/* For single pins: PIN_HIGH(PIN_PLANES_LOAD). */
#define PIN_HIGH(...) PIN_HIGH_(__VA_ARGS__)
#define PIN_LOW(...) PIN_LOW_(__VA_ARGS__)
#define PIN_OUT(...) PIN_OUT_(__VA_ARGS__)
#define PIN_READ(...) PIN_READ_(__VA_ARGS__)
#define PIN_HIGH_(port, bit) (PORT##port |= 1 << bit)
#define PIN_LOW_(port, bit) (PORT##port &= ~(1 << bit))
#define PIN_OUT_(port, bit) (DDR##port |= 1 << bit)
#define PIN_READ_(port, bit) (PIN##port >> bit & 1)

#endif
