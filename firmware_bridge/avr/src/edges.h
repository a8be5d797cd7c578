/* The queue of edges: numbered, stamped, kept until the host has acknowledged them. Nothing here settles anything. */
#ifndef EDGES_H
#define EDGES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    EDGE_QUEUE = 512, /* a power of two */

    /* Before an edge that comes late, as inputs: how long before its stamp the input changed, in quarters of a ms. */
    EDGE_AGE_HIGH = 0xF0,
    EDGE_AGE_LOW = 0xF1,

    EDGE_SNAPSHOT = 0xFF, /* as an input: the state that the report carries is the whole truth from here on */
    VALUE_LIMITED = 0xFE, /* as a value: this input changes too often, its edges are left out */
    VALUE_FREED = 0xFD    /* as a value: its edges are told again */
};

/* Begin a session: forget everything queued and queue a snapshot of what is seen now. */
void edges_begin(uint32_t now_us);

/* What an input reads as; anything new becomes an edge. */
void edges_see(uint8_t input, uint8_t value, uint32_t t_us);

/* The same of an input that tells late: read at `t_us`, changed `age` quarters of a ms before, AGE_UNKNOWN if nobody knows. */
enum { AGE_UNIT_US = 250, AGE_UNKNOWN = 0xFFFF };
void edges_see_late(uint8_t input, uint8_t value, uint16_t age, uint32_t t_us);

uint8_t edges_seen(uint8_t input);

/* At each full second: limits per second start anew. */
void edges_second(uint32_t now_us, uint8_t limit);

/* From now on no edge will be stamped earlier than this. */
void edges_promise(uint32_t t_us);

/* All edges before `next` have arrived; with `again`, everything from there on is to be sent again. */
void edges_acknowledge(uint16_t next, bool again, uint32_t now_us);

/* The host is there: what it has not acknowledged is repeated at the quick pace again. */
void edges_host_heard(void);

/* Nothing came back for long enough: send from the oldest unacknowledged edge again. */
void edges_timeout(uint32_t now_us);

/* End an overflow once the queue is empty. */
void edges_heal(uint32_t now_us);

bool edges_unsent(void);

/* Writes first number, base time, state and as many unsent edges as fit `room` bytes. Returns the length. */
uint8_t edges_report(uint8_t *to, uint8_t room, uint32_t now_us);

/* Writes the state as it is after the last edge queued. Returns the length. */
uint8_t edges_told(uint8_t *to);

uint16_t edges_next(void);
bool edges_overflowing(void);
uint16_t edges_overflows(void);
uint16_t edges_limited_count(void);
uint16_t edges_peak(void);

#endif
