/* The bridge itself: the host's commands, the board's reports, the dead-man. No registers here. */
#ifndef BRIDGE_H
#define BRIDGE_H

#include <stdint.h>

/* Frame types: below 0x40 from the board, from 0x40 on from the host. */
enum {
    FRAME_HELLO = 0x01,
    FRAME_REPORT = 0x02,
    FRAME_HEARTBEAT = 0x03,
    FRAME_PONG = 0x04,
    FRAME_DONE = 0x05,
    FRAME_CAPS = 0x06,

    FRAME_ASK = 0x41,
    FRAME_START = 0x42,
    FRAME_ACK = 0x43,
    FRAME_PING = 0x44,
    FRAME_LAMPS = 0x45,
    FRAME_TONES = 0x46,
    FRAME_CONFIG = 0x47,
    FRAME_SELF_TEST = 0x48,
    FRAME_IDENTIFY = 0x49,
    FRAME_RESET = 0x4A,
    FRAME_NAME = 0x4B,
    FRAME_READ = 0x4C,
    FRAME_RATES = 0x4D
};

enum { DONE_OK = 0, DONE_UNKNOWN = 1, DONE_LENGTH = 2, DONE_VALUE = 3 };

enum { FLAG_OVERFLOW = 1, FLAG_HOST_GONE = 2, FLAG_MORE = 4 };

void bridge_begin(void);
void bridge_receive(uint8_t byte);
void bridge_tick(uint32_t now_us); /* each ms, once every input is read as of `now_us` */
void bridge_send(void);            /* as often as possible */

#endif
