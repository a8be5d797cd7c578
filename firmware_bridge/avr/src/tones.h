/* Tones, one after the other, never longer than the configured limit in all. */
#ifndef TONES_H
#define TONES_H

#include <stdint.h>

enum { TONES_MAX = 16 };

/* `count` pairs of pitch in Hz (0: a rest) and length in ms, little-endian; replaces what sounds now. */
void tones_play(const uint8_t *pairs, uint8_t count, uint16_t limit_ms);
void tones_stop(void);
void tones_tick(void); /* each ms */

#endif
