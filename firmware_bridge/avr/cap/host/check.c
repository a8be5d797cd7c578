/* Runs the caps' core and their receiver's decoder, compiled for the host, by lines on standard input.

   check --cap       the core of one cap. In: `begin BOOT ID SEED ENDS`, `ends ENDS` (the switches, 0 to 3), `answers 0|1`,
                     `cell MV`, `beat`, `run MS` (of the cap's own time, asleep too).
                     Out, at each sending: `> T_US SEQ ENDS AGE AGE_2 FLAGS TRIES LOST CELL`; `asleep T_US`.
   check --decoder   the receiver. In: `reset`, `E CAP ID OFF` (a rate that was kept), `P CAP T_US HEX`. Out: `N CAP NEWS VALUE T_US`, `H CAP HEARD ENDS BOOT ID
                     CELL TRIES MISSED PACKETS LOST RATE RATED TWINS` after each packet. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cap.h"
#include "caps.h"
#include "hal.h"
#include "switches.h"

enum { LINE = 256, SEND_US = 1500 };

static uint64_t time_us, woke_us;
static uint8_t ends, cell;
static bool answers = true, radio, sleeping;

uint32_t hal_now(void) { return (uint32_t)((time_us - woke_us) / 2); }
uint8_t hal_ends(void) { return ends; }
void hal_radio_on(void) { radio = true; }
void hal_radio_off(void) { radio = false; }
uint8_t hal_lock(void) { return 0; }
void hal_unlock(uint8_t lock) { (void)lock; }

bool hal_send(struct cap_packet *packet, uint8_t *measured) {
    if (!radio) printf("the radio is off\n");
    cap_ages(packet);
    printf("> %llu %u %u %u %u %u %u %u %u\n", (unsigned long long)time_us, packet->seq, packet->ends, packet->age,
           packet->age_2, packet->flags, packet->tries, packet->lost, packet->cell);
    time_us += SEND_US;
    if (measured) *measured = cell;
    return answers;
}

void caps_news(uint8_t cap, enum cap_news news, uint32_t value, uint32_t t_us) {
    static const char *const names[] = {"edge", "untimed", "started", "missed", "repeat", "rate", "twins"};
    printf("N %u %s %u %u\n", cap, names[news], value, t_us);
}

static void fall_asleep(void) {
    sleeping = true;
    cap_slept();
    printf("asleep %llu\n", (unsigned long long)time_us);
}

static void wake(void) {
    if (!sleeping) return;
    sleeping = false;
    woke_us = time_us;
}

static void run(uint64_t span_us) {
    uint64_t end_us = time_us + span_us;
    while (time_us < end_us) {
        if (sleeping) {
            time_us = end_us;
            return;
        }
        uint32_t until;
        if (!cap_step(&until)) {
            fall_asleep();
            continue;
        }
        int32_t ahead = (int32_t)(until - hal_now());
        uint64_t next_us = time_us + (ahead > 0 ? (uint64_t)ahead * 2 : 0);
        time_us = next_us < end_us ? next_us : end_us;
    }
}

static bool cap_line(char *line) {
    unsigned a, b, c, d;
    if (sscanf(line, "begin %u %u %u %u", &a, &b, &c, &d) == 4) {
        ends = d & ENDS_MASK;
        cap_begin(a, b, c);
    } else if (sscanf(line, "ends %u", &a) == 1) {
        ends = a & ENDS_MASK;
        wake();
        switches_moved(hal_now());
    } else if (sscanf(line, "answers %u", &a) == 1) {
        answers = a;
    } else if (sscanf(line, "cell %u", &a) == 1) {
        cell = a / 20;
    } else if (strcmp(line, "beat") == 0) {
        wake();
        cap_beat();
    } else if (sscanf(line, "run %u", &a) == 1) {
        run(a * 1000ull);
    } else {
        return false;
    }
    return true;
}

static bool decoder_line(const char *line) {
    char text[LINE];
    unsigned cap, t_us;
    if (strcmp(line, "reset") == 0) {
        caps_reset();
        return true;
    }
    int off;
    unsigned id;
    if (sscanf(line, "E %u %u %d", &cap, &id, &off) == 3) {
        caps_expect((uint8_t)cap, (uint16_t)id, (int16_t)off);
        return true;
    }
    if (sscanf(line, "P %u %u %200s", &cap, &t_us, text) != 3) return false;
    uint8_t bytes[LINE];
    uint8_t length = 0;
    for (const char *at = text; strcmp(text, "-") && at[0] && at[1]; at += 2) {
        char pair[3] = {at[0], at[1], 0};
        bytes[length++] = (uint8_t)strtoul(pair, NULL, 16);
    }
    caps_packet((uint8_t)cap, bytes, length, t_us);
    if (cap >= CAPS) return true;
    const struct cap_health *h = caps_health((uint8_t)cap);
    printf("H %u %u %u %u %u %u %u %u %u %u %u %u %u\n", cap, h->heard, h->ends, h->boot, h->id, h->cell, h->tries, h->missed,
           h->packets, h->lost, h->rate, h->rated, h->twins);
    return true;
}

int main(int argc, char **argv) {
    bool cap = argc == 2 && strcmp(argv[1], "--cap") == 0;
    if (!cap && !(argc == 2 && strcmp(argv[1], "--decoder") == 0)) {
        fprintf(stderr, "usage: check --cap | --decoder\n");
        return 2;
    }
    char line[LINE];
    caps_reset();
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (!(cap ? cap_line(line) : decoder_line(line))) {
            fprintf(stderr, "not understood: %s\n", line);
            return 2;
        }
    }
    return 0;
}
