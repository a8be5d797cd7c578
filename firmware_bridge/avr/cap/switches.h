/* Two ball switches back to back: which end is up once they have come to rest, and since when. */
#ifndef SWITCHES_H
#define SWITCHES_H

#include <stdbool.h>
#include <stdint.h>

void switches_begin(uint8_t ends);
void switches_moved(uint32_t now); /* in the interrupt of either */

/* Takes over a change that has settled; `since` is its first edge. A knock is none, and lying is one only after half a second. */
bool switches_settle(uint8_t reads, uint32_t now, uint32_t *since);

uint8_t switches_ends(void); /* as settled */
bool switches_restless(void); /* something has moved that has not settled yet */
uint32_t switches_look_at(uint32_t now);

#endif
