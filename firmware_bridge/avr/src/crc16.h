/* CRC-16/IBM-3740: polynomial 0x1021, start 0xFFFF, not reflected; check value 0x29B1 for "123456789". */
#ifndef CRC16_H
#define CRC16_H

#include <stdint.h>

#define CRC16_START 0xFFFFu

uint16_t crc16_byte(uint16_t crc, uint8_t byte);
uint16_t crc16(const uint8_t *data, uint16_t length);

#endif
