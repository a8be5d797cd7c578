/* Build with caps: what the caps tell becomes edges of the tilts, and a frame about their health. */
#ifndef TILTS_H
#define TILTS_H

#include <stdint.h>

enum { CAP_HEALTH_BYTES = 16 };

/* Bits of a cap's health. */
enum { HEALTH_LOW = 1, HEALTH_RATED = 2, HEALTH_TWINS = 4 };

/* Writes the radio's state and every cap's (PROTOCOL.md, "CAPS"). Returns the length. */
uint8_t tilts_health(uint8_t *to, uint32_t now_us);

#endif
