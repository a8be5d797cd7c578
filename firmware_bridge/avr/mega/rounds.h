/* Rounds of conversions over the multiplexers: every hall sensor each ms, the ring ladders as often as time allows. */
#ifndef ROUNDS_H
#define ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

void rounds_setup(void);
void rounds_begin(uint32_t now_us); /* in the tick's interrupt */
bool rounds_waiting(void);
void rounds_take(void); /* handles the rounds that have ended */
uint16_t rounds_late(void);

#endif
