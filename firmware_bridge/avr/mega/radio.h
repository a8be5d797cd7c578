/* Build with caps: the nRF24L01+ that hears them, on the serial bus of the lamp planes. */
#ifndef RADIO_H
#define RADIO_H

#include <stdbool.h>

void radio_begin(void);
bool radio_waiting(void);
void radio_take(void); /* what has come */
void radio_tick(void); /* each ms: now and then it is asked whether it is still what it was set up to be */

#endif
