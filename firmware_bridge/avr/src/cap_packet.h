/* What a cap on a glass says over the air (PROTOCOL.md, "A cap's packet"): the same for the cap and for its receiver. */
#ifndef CAP_PACKET_H
#define CAP_PACKET_H

#include <stdint.h>

enum { CAP_PACKET_BYTES = 14, CAP_PACKET_VERSION = 1 };

/* Ends: the two ball switches, one closed while end a is up, the other while end b is. */
enum { ENDS_NEITHER = 0, ENDS_A = 1, ENDS_B = 2, ENDS_BOTH = 3, ENDS_MASK = 3 };

enum { CAP_AGE_UNIT_US = 250, CAP_AGE_UNKNOWN = 0xFFFF };

enum { CAP_LIFE = 1, CAP_LOW = 2, CAP_STARTED = 4 };

/* Both parts are little-endian and know no padding of bytes that come in the right order. */
struct __attribute__((packed)) cap_packet {
    uint8_t version;
    uint8_t boot;   /* counts the cap's starts: a new cell is no turning */
    uint16_t id;    /* drawn when the cap was flashed: two caps on one address are told apart */
    uint8_t seq;    /* number of the latest change, wrapping */
    uint8_t ends;   /* bits 0-1: now; 2-3: before the latest change; 4-5: before the one before it */
    uint16_t age;   /* of the latest change, when this packet was handed to the radio */
    uint16_t age_2; /* of the one before it: a packet that is lost for good is healed by the next */
    uint8_t flags;
    uint8_t cell;  /* the supply in 20 mV, measured while the radio was sending */
    uint8_t tries; /* how often this change has been sent before */
    uint8_t lost;  /* sendings without an answer since the start, wrapping */
};

#endif
