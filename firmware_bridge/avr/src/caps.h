/* The receiver's side of the caps, without any I/O: packets in, edges with the time of the change out (caps.py is its twin). */
#ifndef CAPS_H
#define CAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "cap_packet.h"

enum { CAPS = 6 };

enum cap_news {
    CAP_NEWS_EDGE,    /* value: ends; t: when they changed */
    CAP_NEWS_UNTIMED, /* value: ends; they changed while the cap was out of reach */
    CAP_NEWS_STARTED, /* value: ends; the first word of a cap, or of one that was restarted */
    CAP_NEWS_MISSED,  /* value: so many changes were never told */
    CAP_NEWS_REPEAT,  /* value: tries; nothing new */
    CAP_NEWS_RATE,    /* value: real µs per µs of the cap's, in 1/65,536 */
    CAP_NEWS_TWINS    /* value: id; two caps send on this address */
};

struct cap_health {
    bool heard;
    uint32_t heard_us; /* when last */
    uint8_t ends, boot, cell, flags, tries, missed;
    uint16_t id, packets, lost;
    uint32_t rate;
    bool rated, twins;
};

void caps_reset(void);

/* The rate of a cap's clock, as it was learnt before: good for the cap with this id alone. Out of range it is not taken. */
void caps_expect(uint8_t cap, uint16_t id, int16_t off);

/* A packet that came by a pipe; `arrived_us`: the receiver's interrupt. Anything that is no packet is dropped. */
void caps_packet(uint8_t cap, const uint8_t *bytes, uint8_t length, uint32_t arrived_us);

const struct cap_health *caps_health(uint8_t cap);

/* What the caller provides. */
void caps_news(uint8_t cap, enum cap_news news, uint32_t value, uint32_t t_us);

#endif
