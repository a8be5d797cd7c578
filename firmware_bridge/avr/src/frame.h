/* Frames: type, sequence number, body, CRC-16; COBS; a zero byte at the end (PROTOCOL.md, "Frames"). */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stdint.h>

enum {
    FRAME_MAX = 230,        /* type to CRC, before COBS: one COBS block suffices, and it fits a ring of 256 bytes */
    FRAME_RECEIVED_MAX = 96 /* the longest command with its CRC, with room */
};

struct frame {
    uint8_t type;
    uint8_t seq;
    const uint8_t *body;
    uint8_t length; /* of the body */
};

/* Takes one received byte; true when it completes a sound frame, which stays valid until the next call. */
bool frame_receive(uint8_t byte, struct frame *frame);

/* Forget what was received of a frame so far: a byte was lost. */
void frame_spoil(void);

uint16_t frame_bad_count(void);

/* Where to write the body of the next frame, at most FRAME_MAX - 4 bytes; frame_send() then sends it. */
uint8_t *frame_body(void);
void frame_send(uint8_t type, uint8_t body_length);

#endif
