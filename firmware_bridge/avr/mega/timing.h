/* Timer 1 runs free at 2 MHz: the µs clock, and the tick each ms that takes a sample of every contact. */
#ifndef TIMING_H
#define TIMING_H

#include <stdint.h>

void timing_begin(void);
uint32_t timing_now_us_in_interrupt(void);

#endif
