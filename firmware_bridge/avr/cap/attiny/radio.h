/* The nRF24L01+ by bits on port A: the ATtiny's own serial unit would save little, and no simulator knows it. */
#ifndef CAP_RADIO_H
#define CAP_RADIO_H

#include <stdint.h>

void radio_begin(uint8_t glass);

#endif
