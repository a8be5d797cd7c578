#include "edges.h"

#include <string.h>

#include "bytes.h"
#include "inputs.h"

#define REPEAT_US 100000UL
#define REPEAT_MAX_US 800000UL

struct edge {
    uint8_t input;
    uint8_t value;
    uint32_t t_us;
};

static struct edge queue[EDGE_QUEUE];
/* Running numbers, wrapping at 65,536: acked <= sent <= furthest <= next, at most EDGE_QUEUE apart. `sent` goes back to
   `acked` when edges are to be repeated; `furthest` is how far it has ever been. */
static uint16_t acked, sent, furthest, next;

/* What is read; and the state after the last edge queued, sent, acknowledged. */
static uint8_t seen[INPUTS], told[INPUTS], sent_state[INPUTS], acked_state[INPUTS];
static uint8_t snapshot[INPUTS]; /* one suffices: a new one is taken only when the queue is empty */

static uint8_t count_in_second[INPUTS];
static bool limited[INPUTS];
static uint8_t edge_limit = 100;

static uint32_t last_stamp_us;
static uint32_t progress_us;
static uint32_t repeat_us = REPEAT_US;
static bool probing; /* after a timeout: one report at a time until the host answers */

static bool overflowing;
static uint16_t overflows, limited_count, peak;

static void apply(uint8_t *state, const struct edge *edge) {
    if (edge->input == EDGE_SNAPSHOT)
        memcpy(state, snapshot, INPUTS);
    else if (edge->input < INPUTS && edge->value < VALUE_FREED)
        state[edge->input] = edge->value;
}

static bool enqueue(uint8_t input, uint8_t value, uint32_t t_us) {
    if (overflowing) return false;
    uint16_t used = next - acked;
    if (used == EDGE_QUEUE) {
        overflowing = true;
        overflows++;
        return false;
    }
    /* Stamps in the queue never go back: an analog round is read after the contacts of its millisecond. */
    if ((int32_t)(t_us - last_stamp_us) < 0) t_us = last_stamp_us;
    last_stamp_us = t_us;
    struct edge *edge = &queue[next & (EDGE_QUEUE - 1)];
    edge->input = input;
    edge->value = value;
    edge->t_us = t_us;
    next++;
    if (++used > peak) peak = used;
    return true;
}

void edges_promise(uint32_t t_us) {
    if ((int32_t)(t_us - last_stamp_us) > 0) last_stamp_us = t_us;
}

static void take_snapshot(uint32_t now_us) {
    memcpy(told, seen, INPUTS);
    memcpy(snapshot, seen, INPUTS);
    memset(limited, 0, sizeof limited);
    enqueue(EDGE_SNAPSHOT, 0, now_us);
}

void edges_begin(uint32_t now_us) {
    acked = sent = furthest = next = 0;
    overflowing = false;
    probing = false;
    repeat_us = REPEAT_US;
    progress_us = last_stamp_us = now_us;
    memset(count_in_second, 0, sizeof count_in_second);
    take_snapshot(now_us);
}

static void tell(uint8_t input, uint32_t t_us) {
    if (enqueue(input, seen[input], t_us)) told[input] = seen[input];
}

void edges_see(uint8_t input, uint8_t value, uint32_t t_us) {
    seen[input] = value;
    if (value == told[input] || limited[input]) return;
    if (count_in_second[input] >= edge_limit) {
        if (enqueue(input, VALUE_LIMITED, t_us)) {
            limited[input] = true;
            limited_count++;
        }
        return;
    }
    count_in_second[input]++;
    tell(input, t_us);
}

/* All three or none: an age without its edge would be taken for that of the next. */
void edges_see_late(uint8_t input, uint8_t value, uint16_t age, uint32_t t_us) {
    seen[input] = value;
    if (value == told[input] || overflowing) return;
    if ((uint16_t)(next - acked) > EDGE_QUEUE - 3) {
        overflowing = true;
        overflows++;
        return;
    }
    enqueue(EDGE_AGE_HIGH, (uint8_t)(age >> 8), t_us);
    enqueue(EDGE_AGE_LOW, (uint8_t)age, t_us);
    tell(input, t_us);
}

uint8_t edges_seen(uint8_t input) { return seen[input]; }

void edges_second(uint32_t now_us, uint8_t limit) {
    edge_limit = limit;
    memset(count_in_second, 0, sizeof count_in_second);
    for (uint8_t input = 0; input < INPUTS; input++) {
        if (!limited[input] || !enqueue(input, VALUE_FREED, now_us)) continue;
        limited[input] = false;
        if (seen[input] != told[input]) tell(input, now_us);
    }
}

void edges_acknowledge(uint16_t upto, bool again, uint32_t now_us) {
    uint16_t gained = upto - acked;
    if (gained > (uint16_t)(furthest - acked)) return; /* never sent: stale, or nonsense */
    if (gained > (uint16_t)(sent - acked)) again = true;
    for (; gained; gained--) apply(acked_state, &queue[acked++ & (EDGE_QUEUE - 1)]);
    if (again) {
        sent = acked;
        memcpy(sent_state, acked_state, INPUTS);
    }
    progress_us = now_us;
    repeat_us = REPEAT_US;
    probing = false;
}

void edges_host_heard(void) { repeat_us = REPEAT_US; }

void edges_timeout(uint32_t now_us) {
    if (sent == acked) {
        progress_us = now_us;
        return;
    }
    if (now_us - progress_us < repeat_us) return;
    sent = acked;
    memcpy(sent_state, acked_state, INPUTS);
    probing = true;
    progress_us = now_us;
    if (repeat_us < REPEAT_MAX_US) repeat_us *= 2;
}

void edges_heal(uint32_t now_us) {
    if (!overflowing || acked != next) return;
    overflowing = false;
    take_snapshot(now_us);
}

bool edges_unsent(void) { return sent != next && !(probing && sent != acked); }

/* Bit by bit with a travelling mask: shifting by a variable number of places is a loop on this part. */
struct packing {
    uint8_t *to;
    uint8_t byte, mask;
};

static inline void pack_range(struct packing *packing, const uint8_t *state, uint8_t count, uint8_t width) {
    uint8_t *to = packing->to;
    uint8_t byte = packing->byte, mask = packing->mask;
    while (count--) {
        uint8_t value = *state++;
        for (uint8_t left = width; left; left--) {
            if (value & 1) byte |= mask;
            value >>= 1;
            mask <<= 1;
            if (!mask) {
                *to++ = byte;
                byte = 0;
                mask = 1;
            }
        }
    }
    packing->to = to;
    packing->byte = byte;
    packing->mask = mask;
}

static uint8_t pack(const uint8_t *state, uint8_t *to) {
    struct packing packing = {to, 0, 1};
    pack_range(&packing, state + SOCKET_FIRST, SOCKETS, SOCKET_WIDTH);
    pack_range(&packing, state + TILT_FIRST, TILTS + BUTTONS, 1);
    if (RING_WIDTH) pack_range(&packing, state + RING_FIRST, SOCKETS, RING_WIDTH);
    if (HOLDER_WIDTH) pack_range(&packing, state + HOLDER_FIRST, HOLDERS, HOLDER_WIDTH);
    if (packing.mask != 1) *packing.to++ = packing.byte;
    return packing.to - to;
}

uint8_t edges_report(uint8_t *to, uint8_t room, uint32_t now_us) {
    uint8_t *start = to;
    const struct edge *edge = &queue[sent & (EDGE_QUEUE - 1)];
    uint16_t unsent = next - sent;
    uint32_t t_us = unsent ? edge->t_us : now_us;
    to = put16(to, sent);
    to = put32(to, t_us);
    uint8_t *state_at = to;
    to += STATE_BYTES;
    uint8_t fit = (uint8_t)(room - (to - start)) / 4, left = unsent < fit ? (uint8_t)unsent : fit;
    if (left && edge->input == EDGE_SNAPSHOT) left = 1; /* alone in its report: the state there is the snapshot */
    uint8_t told_here = 0;
    while (told_here < left) {
        uint32_t later_us = edge->t_us - t_us;
        if (later_us > 0xFFFF || (told_here && edge->input == EDGE_SNAPSHOT)) break;
        *to++ = edge->input;
        *to++ = edge->value;
        to = put16(to, (uint16_t)later_us);
        t_us = edge->t_us;
        apply(sent_state, edge);
        told_here++;
        if (++edge == queue + EDGE_QUEUE) edge = queue;
    }
    if ((uint16_t)(sent - acked) + told_here > (uint16_t)(furthest - acked)) furthest = sent + told_here;
    sent += told_here;
    pack(sent_state, state_at);
    return to - start;
}

uint8_t edges_told(uint8_t *to) { return pack(told, to); }

uint16_t edges_next(void) { return next; }
bool edges_overflowing(void) { return overflowing; }
uint16_t edges_overflows(void) { return overflows; }
uint16_t edges_limited_count(void) { return limited_count; }
uint16_t edges_peak(void) { return peak; }
