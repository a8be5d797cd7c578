/* Little-endian numbers in a frame. */
#ifndef BYTES_H
#define BYTES_H

#include <stdint.h>

static inline uint8_t *put16(uint8_t *to, uint16_t value) {
    *to++ = (uint8_t)value;
    *to++ = (uint8_t)(value >> 8);
    return to;
}

static inline uint8_t *put32(uint8_t *to, uint32_t value) {
    return put16(put16(to, (uint16_t)value), (uint16_t)(value >> 16));
}

static inline uint16_t get16(const uint8_t *from) { return from[0] | (uint16_t)from[1] << 8; }

static inline uint32_t get32(const uint8_t *from) { return get16(from) | (uint32_t)get16(from + 2) << 16; }

#endif
