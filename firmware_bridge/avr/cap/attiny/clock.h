/* Timer 1 at 2 µs while awake; the watchdog each eight seconds; power-down in between. */
#ifndef CAP_CLOCK_H
#define CAP_CLOCK_H

#include <stdint.h>

void clock_begin(void);
void clock_idle_until(uint32_t t); /* or until any interrupt: the caller looks again */
void clock_power_down(void);       /* until a switch moves or eight seconds have passed */

#endif
