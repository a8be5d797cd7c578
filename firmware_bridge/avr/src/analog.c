#include "analog.h"

#include "config.h"
#include "edges.h"

static uint8_t hall[SOCKETS], ladder[SOCKETS];
static int32_t load[HOLDERS];
static bool answers[HOLDERS];

void analog_hall(uint8_t socket, uint8_t reading, uint32_t t_us) {
    hall[socket] = reading;
    const struct config *c = config();
    int16_t field = (int16_t)reading - c->hall_zero;
    uint8_t was = edges_seen(SOCKET_FIRST + socket), is = was;
    if (field >= c->hall_on)
        is = FIELD_N;
    else if (field <= -c->hall_on)
        is = FIELD_S;
    else if ((was == FIELD_N && field < c->hall_off) || (was == FIELD_S && field > -c->hall_off))
        is = FIELD_NONE;
    if (is != was) edges_see(SOCKET_FIRST + socket, is, t_us);
}

void analog_ladder(uint8_t socket, uint8_t reading, uint32_t t_us) {
    ladder[socket] = reading;
    const struct config *c = config();
    uint8_t was = edges_seen(RING_FIRST + socket), is = was;
    while (is < RINGS_MAX && reading < c->ladder[is] - c->ladder_hysteresis) is++;
    while (is > 0 && reading > c->ladder[is - 1] + c->ladder_hysteresis) is--;
    if (is != was) edges_see(RING_FIRST + socket, is, t_us);
}

void analog_holder(uint8_t holder, int32_t raw, uint32_t t_us) {
    load[holder] = raw;
    answers[holder] = true;
    const struct config *c = config();
    int32_t ring = c->holder_ring[holder];
    uint8_t was = edges_seen(HOLDER_FIRST + holder), is = HOLDER_UNKNOWN;
    if (ring != 0) {
        int32_t weight = raw - c->holder_zero[holder];
        if (ring < 0) {
            ring = -ring;
            weight = -weight;
        }
        int32_t half = ring / 2;
        int32_t count = weight < 0 ? 0 : (weight + half) / ring;
        if (count > HOLDER_MAX) count = HOLDER_MAX;
        is = (uint8_t)count;
        /* A tenth of a ring beyond the half, so that a reading on the border does not flicker. */
        if (was <= HOLDER_MAX) {
            int32_t off = weight - (int32_t)was * ring;
            if (off < 0) off = -off;
            if (off <= half + ring / 10) is = was;
        }
    }
    if (is != was) edges_see(HOLDER_FIRST + holder, is, t_us);
}

void analog_holder_silent(uint8_t holder, uint32_t t_us) {
    answers[holder] = false;
    if (edges_seen(HOLDER_FIRST + holder) != HOLDER_UNKNOWN) edges_see(HOLDER_FIRST + holder, HOLDER_UNKNOWN, t_us);
}

uint8_t analog_hall_reading(uint8_t socket) { return hall[socket]; }
uint8_t analog_ladder_reading(uint8_t socket) { return ladder[socket]; }
int32_t analog_holder_reading(uint8_t holder) { return load[holder]; }
bool analog_holder_answers(uint8_t holder) { return answers[holder]; }
