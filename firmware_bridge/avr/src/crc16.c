#include "crc16.h"

/* Shifts instead of a table: a few bytes of flash, and about 2 µs a byte on the Mega. */
uint16_t crc16_byte(uint16_t crc, uint8_t byte) {
    uint8_t x = (uint8_t)(crc >> 8) ^ byte;
    x ^= x >> 4;
    return (uint16_t)((crc << 8) ^ ((uint16_t)x << 12) ^ ((uint16_t)x << 5) ^ x);
}

uint16_t crc16(const uint8_t *data, uint16_t length) {
    uint16_t crc = CRC16_START;
    while (length--) crc = crc16_byte(crc, *data++);
    return crc;
}
