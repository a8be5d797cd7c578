/* The inputs: their numbers on the wire and how many bits each takes in a state (PROTOCOL.md, "Inputs"). */
#ifndef INPUTS_H
#define INPUTS_H

#include <stdint.h>

#include "build.h"

enum {
    SOCKET_FIRST = 0,
    SOCKETS = 37,
    TILT_FIRST = SOCKET_FIRST + SOCKETS,
    TILTS = 7,
    BUTTON_FIRST = TILT_FIRST + TILTS,
    BUTTONS = 3,
    RING_FIRST = BUTTON_FIRST + BUTTONS,
    HOLDER_FIRST = RING_FIRST + SOCKETS,
    HOLDERS = 2,
    INPUTS = HOLDER_FIRST + HOLDERS,
    TRAVELLING = 6, /* the tilts of the glasses that leave their sockets; the timer's comes after them */
    NO_INPUT = 0xFF
};

enum { FIELD_NONE = 0, FIELD_N = 1, FIELD_S = 2 };
enum { HOLDER_UNKNOWN = 63, HOLDER_MAX = 32, RINGS_MAX = 4 };

#define SOCKET_WIDTH (SOCKETS_HALL ? 2 : 1)
#define RING_WIDTH (RINGS == RINGS_STACK ? 3 : 0)
#define HOLDER_WIDTH (RINGS == RINGS_HOLDER ? 6 : 0)
#define STATE_BITS (SOCKETS * SOCKET_WIDTH + TILTS + BUTTONS + SOCKETS * RING_WIDTH + HOLDERS * HOLDER_WIDTH)
#define STATE_BYTES ((STATE_BITS + 7) / 8)

static inline uint8_t input_width(uint8_t input) {
    if (input < TILT_FIRST) return SOCKET_WIDTH;
    if (input < RING_FIRST) return 1;
    if (input < HOLDER_FIRST) return RING_WIDTH;
    return input < INPUTS ? HOLDER_WIDTH : 0;
}

#endif
