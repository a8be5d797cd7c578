/* Build with caps: what the caps tell becomes edges of the tilts, and a frame about their health. */
#ifndef TILTS_H
#define TILTS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    CAP_HEALTH_BYTES = 16,
    RATES_BYTES = 24
};

/* Bits of a cap's health. */
enum { HEALTH_LOW = 1, HEALTH_RATED = 2, HEALTH_TWINS = 4 };

/* The rates that the host kept, by cap: id and rate. False in a build without caps. */
bool tilts_take_rates(const uint8_t *bytes);

/* Whether a cap has been heard for the first time, or has started anew, since the last call. */
bool tilts_take_news(void);

/* Writes the radio's state and every cap's (PROTOCOL.md, "CAPS"). Returns the length. */
uint8_t tilts_health(uint8_t *to, uint32_t now_us);

#endif
