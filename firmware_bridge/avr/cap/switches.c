#include "switches.h"

#include "hal.h"

enum { SETTLE_MS = 20, LYING_MS = 500, BURST_MS = 150 };

static volatile uint32_t first_edge, last_edge;
static volatile bool in_burst;
static uint8_t ends;

void switches_begin(uint8_t now) {
    ends = now;
    in_burst = false;
}

void switches_moved(uint32_t now) {
    if (!in_burst) first_edge = now;
    in_burst = true;
    last_edge = now;
}

uint8_t switches_ends(void) { return ends; }

bool switches_restless(void) { return in_burst; }

uint32_t switches_look_at(uint32_t now) {
    uint8_t lock = hal_lock();
    uint32_t last = last_edge;
    hal_unlock(lock);
    uint32_t settled = last + CAP_MS(SETTLE_MS);
    return (int32_t)(settled - now) > 0 ? settled : now + CAP_MS(SETTLE_MS);
}

bool switches_settle(uint8_t reads, uint32_t now, uint32_t *since) {
    uint8_t lock = hal_lock();
    uint32_t first = first_edge, last = last_edge;
    bool burst = in_burst;
    hal_unlock(lock);
    if (!burst) return false;
    uint32_t quiet = now - last;
    if ((int32_t)quiet < 0) return false; /* it moved since `now` was read */
    bool whole = reads == ENDS_A || reads == ENDS_B;
    if (reads == ends || quiet < (whole ? CAP_MS(SETTLE_MS) : CAP_MS(LYING_MS))) {
        /* Back where it was, for good: a knock. While it lies, the half second must pass first. */
        if (quiet >= CAP_MS(BURST_MS) && reads == ends) {
            lock = hal_lock();
            if (last == last_edge) in_burst = false;
            hal_unlock(lock);
        }
        return false;
    }
    ends = reads;
    *since = first;
    lock = hal_lock();
    in_burst = last != last_edge;
    first_edge = last_edge; /* what has moved since begins a change of its own */
    hal_unlock(lock);
    return true;
}
