#include "config.h"

#include "bytes.h"
#include "crc16.h"

static struct config active = {
    .edge_limit = 100,
    .hall_zero = 128,
    .hall_on = 30,
    .hall_off = 20,
    .ladder = {191, 106, 74, 57},
    .ladder_hysteresis = 4,
    .lamp_intensity = 4,
    .sound_max_ms = 3000,
};

const struct config *config(void) { return &active; }

static bool sound(const struct config *c) {
    if (c->edge_limit < 10 || c->hall_off >= c->hall_on) return false;
    if (c->hall_zero < c->hall_on || 255 - c->hall_zero < c->hall_on) return false;
    for (uint8_t n = 0; n < 3; n++)
        if (c->ladder[n] <= c->ladder[n + 1]) return false;
    return c->ladder_hysteresis <= c->ladder[3] && c->lamp_intensity <= 15 && c->sound_max_ms >= 1 &&
           c->sound_max_ms <= 10000;
}

bool config_set(const uint8_t *bytes) {
    struct config c = {
        .edge_limit = bytes[0],
        .hall_zero = bytes[1],
        .hall_on = bytes[2],
        .hall_off = bytes[3],
        .ladder = {bytes[4], bytes[5], bytes[6], bytes[7]},
        .ladder_hysteresis = bytes[8],
        .lamp_intensity = bytes[9],
        .sound_max_ms = get16(bytes + 10),
    };
    for (uint8_t n = 0; n < 2; n++) {
        c.holder_zero[n] = (int32_t)get32(bytes + 12 + 4 * n);
        c.holder_ring[n] = (int32_t)get32(bytes + 20 + 4 * n);
    }
    if (!sound(&c)) return false;
    active = c;
    return true;
}

uint16_t config_crc(void) {
    uint8_t bytes[CONFIG_BYTES] = {
        active.edge_limit, active.hall_zero, active.hall_on,           active.hall_off,       active.ladder[0],
        active.ladder[1],  active.ladder[2], active.ladder[3],         active.ladder_hysteresis, active.lamp_intensity,
    };
    put16(bytes + 10, active.sound_max_ms);
    for (uint8_t n = 0; n < 2; n++) {
        put32(bytes + 12 + 4 * n, (uint32_t)active.holder_zero[n]);
        put32(bytes + 20 + 4 * n, (uint32_t)active.holder_ring[n]);
    }
    return crc16(bytes, CONFIG_BYTES);
}
