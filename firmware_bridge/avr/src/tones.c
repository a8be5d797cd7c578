#include "tones.h"

#include "bytes.h"
#include "hal.h"

static struct {
    uint16_t pitch_hz, length_ms;
} tones[TONES_MAX];
static uint8_t tone_count, tone_now;
static uint16_t tone_left_ms, sound_left_ms;

static void begin(void) {
    while (tone_now < tone_count && tones[tone_now].length_ms == 0) tone_now++;
    if (tone_now == tone_count) {
        tones_stop();
        return;
    }
    tone_left_ms = tones[tone_now].length_ms;
    hal_tone(tones[tone_now].pitch_hz);
}

void tones_play(const uint8_t *pairs, uint8_t count, uint16_t limit_ms) {
    for (uint8_t n = 0; n < count; n++, pairs += 4) {
        tones[n].pitch_hz = get16(pairs);
        tones[n].length_ms = get16(pairs + 2);
    }
    tone_count = count;
    tone_now = 0;
    sound_left_ms = limit_ms;
    begin();
}

void tones_stop(void) {
    tone_count = tone_now = 0;
    hal_tone(0);
}

void tones_tick(void) {
    if (tone_now == tone_count) return;
    if (--sound_left_ms == 0) {
        tones_stop();
        return;
    }
    if (--tone_left_ms == 0) {
        tone_now++;
        begin();
    }
}
