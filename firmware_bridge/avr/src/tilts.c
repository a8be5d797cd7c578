#include "tilts.h"

#include "build.h"
#include "bytes.h"
#include "caps.h"
#include "edges.h"
#include "hal.h"
#include "inputs.h"

#define TENTH_US 100000UL
enum { NEVER_HEARD = 0xFFFF };

static bool has_news;

/* Lying on its side a glass is still the way up that it was; both switches closed is a fault of the cap, and no turning. */
static bool is_an_end(uint32_t ends) { return ends == ENDS_A || ends == ENDS_B; }

void caps_news(uint8_t cap, enum cap_news news, uint32_t value, uint32_t t_us) {
    bool timed = news == CAP_NEWS_EDGE;
    if (news == CAP_NEWS_STARTED || news == CAP_NEWS_TWINS) has_news = true;
    if (!timed && news != CAP_NEWS_UNTIMED && news != CAP_NEWS_STARTED) return;
    if (!is_an_end(value)) return;
    uint32_t now_us = hal_now_us();
    uint32_t age = timed ? (now_us - t_us + AGE_UNIT_US / 2) / AGE_UNIT_US : AGE_UNKNOWN;
    edges_see_late(TILT_FIRST + cap, value == ENDS_B, age < AGE_UNKNOWN ? (uint16_t)age : AGE_UNKNOWN, now_us);
}

bool tilts_take_rates(const uint8_t *bytes) {
    if (!TILTS_CAPS) return false;
    for (uint8_t n = 0; n < CAPS; n++, bytes += 4) caps_expect(n, get16(bytes), (int16_t)get16(bytes + 2));
    return true;
}

bool tilts_take_news(void) {
    bool news = has_news;
    has_news = false;
    return news;
}

uint8_t tilts_health(uint8_t *to, uint32_t now_us) {
    uint8_t *start = to;
    *to++ = hal_radio();
    *to++ = hal_radio_restarts();
    for (uint8_t n = 0; n < CAPS; n++) {
        const struct cap_health *cap = caps_health(n);
        uint32_t ago = (now_us - cap->heard_us) / TENTH_US;
        to = put16(to, !cap->heard || ago > NEVER_HEARD - 1 ? NEVER_HEARD : (uint16_t)ago);
        *to++ = cap->ends;
        *to++ = (cap->flags & CAP_LOW ? HEALTH_LOW : 0) | (cap->rated ? HEALTH_RATED : 0) |
                (cap->twins ? HEALTH_TWINS : 0);
        *to++ = cap->boot;
        to = put16(to, cap->id);
        *to++ = cap->cell;
        *to++ = cap->tries;
        *to++ = cap->missed;
        to = put16(to, cap->packets);
        to = put16(to, cap->lost);
        to = put16(to, (uint16_t)(int16_t)((int32_t)cap->rate - 65536));
    }
    return to - start;
}
