#include "crc16.h"

#ifdef __AVR__
#include <util/crc16.h>

/* avr-libc's own, in assembly: this part has no barrel shifter. */
uint16_t crc16_byte(uint16_t crc, uint8_t byte) { return _crc_xmodem_update(crc, byte); }

#else

uint16_t crc16_byte(uint16_t crc, uint8_t byte) {
    uint8_t x = (uint8_t)(crc >> 8) ^ byte;
    x ^= x >> 4;
    return (uint16_t)((crc << 8) ^ ((uint16_t)x << 12) ^ ((uint16_t)x << 5) ^ x);
}

#endif

uint16_t crc16(const uint8_t *data, uint16_t length) {
    uint16_t crc = CRC16_START;
    while (length--) crc = crc16_byte(crc, *data++);
    return crc;
}
