/* What the host may set, with its limits (PROTOCOL.md, "CONFIG"). Lost on reset: the host sends it at each start. */
#ifndef CONFIG_H
#define CONFIG_H

#include <stdbool.h>
#include <stdint.h>

enum { CONFIG_BYTES = 28 };

struct config {
    uint8_t edge_limit;        /* edges told of one input in one second, 10-255 */
    uint8_t hall_zero;         /* reading without a field */
    uint8_t hall_on, hall_off; /* distance from zero at which a field appears and vanishes; off < on */
    uint8_t ladder[4];         /* readings between 0|1, 1|2, 2|3, 3|4 rings, falling */
    uint8_t ladder_hysteresis;
    uint8_t lamp_intensity; /* 0-15 */
    uint16_t sound_max_ms;  /* a TONES command sounds no longer than this, 1-10000 */
    int32_t holder_zero[2]; /* raw reading of the empty holder */
    int32_t holder_ring[2]; /* raw units a ring; 0: not calibrated */
};

const struct config *config(void);
bool config_set(const uint8_t *bytes); /* false, and nothing changed, when a value is out of range */
uint16_t config_crc(void);

#endif
