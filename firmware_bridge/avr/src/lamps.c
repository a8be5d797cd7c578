#include "lamps.h"

#include <string.h>

#include "hal.h"
#include "inputs.h"

enum {
    MAX_DIGIT_0 = 0x01,
    MAX_DECODE = 0x09,
    MAX_INTENSITY = 0x0A,
    MAX_SCAN_LIMIT = 0x0B,
    MAX_SHUTDOWN = 0x0C,
    MAX_TEST = 0x0F,
    DIGITS = 8,
    REFRESH_MS = 16
};

/* How many sockets each column has: column c is digit c of both planes, row r its segment bit r - 1. */
static const uint8_t heights[] = {4, 5, 6, 7, 6, 5, 4};

static uint8_t panel;
static uint8_t red[DIGITS], green[DIGITS];
static bool gone = true;
static uint16_t blink_ms, test_ms, age_ms;
static uint8_t refresh;
static uint8_t intensity_now;
static uint8_t panel_shown, red_shown[DIGITS], green_shown[DIGITS];

/* A disturbed MAX7219 forgets its settings, so they are written again and again, one register at a time. */
static void refresh_one(void) {
    static const uint8_t settings[][2] = {{MAX_TEST, 0}, {MAX_DECODE, 0}, {MAX_SCAN_LIMIT, DIGITS - 1}, {MAX_SHUTDOWN, 1}};
    enum { SETTINGS = sizeof settings / sizeof settings[0], ALL = SETTINGS + 1 + DIGITS };
    if (refresh < SETTINGS)
        hal_planes(settings[refresh][0], settings[refresh][1], settings[refresh][1]);
    else if (refresh == SETTINGS)
        hal_planes(MAX_INTENSITY, intensity_now, intensity_now);
    else {
        uint8_t digit = refresh - SETTINGS - 1;
        hal_planes(MAX_DIGIT_0 + digit, red_shown[digit], green_shown[digit]);
    }
    if (++refresh == ALL) refresh = 0;
}

static void show(void) {
    bool all = test_ms || (blink_ms && (blink_ms / 250 & 1));
    bool dark = blink_ms || gone;
    uint8_t lamps = all ? PANEL_ALL : blink_ms ? 0 : gone ? PANEL_AMBER : panel;
    if (lamps != panel_shown) hal_panel(panel_shown = lamps);
    for (uint8_t digit = 0; digit < DIGITS; digit++) {
        uint8_t column = all && digit < sizeof heights ? (uint8_t)((1 << heights[digit]) - 1) : 0;
        uint8_t r = all ? column : dark ? 0 : red[digit];
        uint8_t g = all ? column : dark ? 0 : green[digit];
        if (r == red_shown[digit] && g == green_shown[digit]) continue;
        red_shown[digit] = r;
        green_shown[digit] = g;
        hal_planes(MAX_DIGIT_0 + digit, r, g);
    }
}

void lamps_begin(void) {
    panel_shown = 0;
    hal_panel(0);
    /* Settings and dark digits first, all at once: a MAX7219 wakes with whatever it held. */
    for (uint8_t n = 0; n < 4 + 1 + DIGITS; n++) refresh_one();
    show();
}

static void spread(const uint8_t *bits, uint8_t *digits) {
    uint8_t socket = 0;
    for (uint8_t column = 0; column < sizeof heights; column++) {
        uint8_t segments = 0;
        for (uint8_t row = 0; row < heights[column]; row++, socket++)
            if (bits[socket >> 3] >> (socket & 7) & 1) segments |= 1 << row;
        digits[column] = segments;
    }
}

bool lamps_set(const uint8_t *bytes) {
    enum { UNUSED = 0xFF & ~((1 << (SOCKETS & 7)) - 1) };
    if (bytes[0] & ~PANEL_ALL || bytes[5] & UNUSED || bytes[10] & UNUSED) return false;
    panel = bytes[0];
    spread(bytes + 1, red);
    spread(bytes + 6, green);
    show();
    return true;
}

void lamps_host_gone(bool is_gone) {
    if (gone == is_gone) return;
    gone = is_gone;
    show();
}

void lamps_identify(uint8_t seconds) {
    blink_ms = (uint16_t)seconds * 1000;
    show();
}

void lamps_test(uint16_t ms) {
    test_ms = ms;
    show();
}

void lamps_tick(uint8_t intensity) {
    if (blink_ms || test_ms) {
        if (blink_ms) blink_ms--;
        if (test_ms) test_ms--;
        show();
    }
    if (intensity != intensity_now) hal_planes(MAX_INTENSITY, intensity_now = intensity, intensity);
    if (++age_ms == REFRESH_MS) {
        age_ms = 0;
        refresh_one();
    }
}
