/* Runs the test vectors (vectors.txt) through the firmware's protocol core, compiled for the host.

   check FILE           compares, prints every difference, ends with status 1 if there was one
   check --print FILE   prints the file with what the core says in place of the expected `<` lines

   check --frames       reads encoded frames, one hex line each, and prints `TYPE SEQ BODY` or `bad`
   check --feed         reads raw bytes and handles them as the host's, then prints the state told (for fuzzing) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge.h"
#include "caps.h"
#include "config.h"
#include "crc16.h"
#include "edges.h"
#include "frame.h"
#include "hal.h"
#include "inputs.h"

enum { LINE = 4096, PENDING = 128 };

static uint32_t now_us;
static uint8_t sent[1 << 16];
static uint32_t sent_length;
static uint32_t board_id = 0xFFFFFFFF;
static struct {
    uint8_t input, value;
} pending[PENDING];
static unsigned pending_count;

uint32_t hal_now_us(void) { return now_us; }
void hal_put(uint8_t byte) {
    if (sent_length < sizeof sent) sent[sent_length++] = byte;
}
uint8_t hal_tx_free(void) { return 255; }
uint8_t hal_tx_used(void) { return 0; }
uint16_t hal_rx_overruns(void) { return 0; }
void hal_tone(uint16_t pitch_hz) { (void)pitch_hz; }
void hal_panel(uint8_t lamps) { (void)lamps; }
void hal_planes(uint8_t reg, uint8_t red, uint8_t green) { (void)reg, (void)red, (void)green; }
uint32_t hal_board_id(void) { return board_id; }
void hal_set_board_id(uint32_t id) { board_id = id; }
uint16_t hal_boot_id(void) { return 0; }
uint8_t hal_reset_cause(void) { return 1; }
uint16_t hal_free_ram(void) { return 2048; }
uint16_t hal_late_scans(void) { return 0; }
uint8_t hal_radio(void) { return 1; }
uint8_t hal_radio_restarts(void) { return 0; }
void hal_reset(void) {}

static int hex_bytes(const char *text, uint8_t *bytes) {
    int count = 0;
    if (strcmp(text, "-") == 0) return 0;
    for (; text[0] && text[1]; text += 2) {
        char pair[3] = {text[0], text[1], 0};
        bytes[count++] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return count;
}

static void print_hex(const uint8_t *bytes, uint32_t count) {
    if (count == 0) putchar('-');
    for (uint32_t n = 0; n < count; n++) printf("%02x", bytes[n]);
}

static bool decode(const uint8_t *encoded, int count, struct frame *frame) {
    for (int n = 0; n < count; n++)
        if (frame_receive(encoded[n], frame)) return true;
    return frame_receive(0, frame);
}

static void tick(unsigned count) {
    while (count--) {
        now_us += 1000;
        for (unsigned n = 0; n < pending_count; n++) edges_see(pending[n].input, pending[n].value, now_us);
        pending_count = 0;
        bridge_tick(now_us);
        bridge_send();
    }
}

/* One line; false when the core disagrees with it. */
static bool run(char *line, bool print) {
    static uint8_t bytes[LINE], expected[LINE];
    char *word[6] = {0};
    unsigned words = 0;
    for (char *part = strtok(line, " "); part && words < 6; part = strtok(NULL, " ")) word[words++] = part;
    struct frame frame;
    if (words == 0 || word[0][0] == '#') return true;
    if (strcmp(word[0], "crc") == 0 && words == 3) {
        int count = hex_bytes(word[1], bytes);
        return crc16(bytes, count) == strtoul(word[2], NULL, 16);
    }
    if (strcmp(word[0], "frame") == 0 && words == 6) {
        int count = hex_bytes(word[5], bytes), length = hex_bytes(word[4], expected);
        if (!decode(bytes, count, &frame)) return false;
        return frame.type == strtoul(word[2], NULL, 16) && frame.seq == strtoul(word[3], NULL, 16) &&
               frame.length == length && memcmp(frame.body, expected, length) == 0;
    }
    if (strcmp(word[0], "reject") == 0 && words == 3)
        return !decode(bytes, hex_bytes(word[2], bytes), &frame);
    if (strcmp(word[0], "config") == 0 && words == 3) {
        hex_bytes(word[1], bytes);
        bool good = strcmp(word[2], "bad") != 0;
        if (config_set(bytes) != good) return false;
        return !good || config_crc() == strtoul(word[2], NULL, 16);
    }
    if (strcmp(word[0], ">") == 0 && words == 2) {
        int count = hex_bytes(word[1], bytes);
        for (int n = 0; n < count; n++) bridge_receive(bytes[n]);
        bridge_send();
        return true;
    }
    if (strcmp(word[0], "tick") == 0 && words == 2) return tick(atoi(word[1])), true;
    if (strcmp(word[0], "see") == 0 && words == 3 && pending_count < PENDING) {
        pending[pending_count].input = atoi(word[1]);
        pending[pending_count++].value = atoi(word[2]);
        return true;
    }
    if (strcmp(word[0], "cap") == 0 && words == 4) { /* a packet by a pipe, that came so long ago */
        uint32_t ago_us = strtoul(word[2], NULL, 10);
        int count = hex_bytes(word[3], bytes);
        caps_packet(atoi(word[1]), bytes, count, now_us - ago_us);
        return true;
    }
    if (strcmp(word[0], "<") == 0 && words == 2) {
        uint32_t count = hex_bytes(word[1], expected);
        bool same = count == sent_length && memcmp(sent, expected, count) == 0;
        if (print) {
            printf("< ");
            print_hex(sent, sent_length);
            putchar('\n');
        }
        sent_length = 0;
        return same || print;
    }
    return false;
}

static int run_file(const char *path, bool print) {
    FILE *file = fopen(path, "r");
    if (!file) return perror(path), 2;
    static char line[LINE], copy[LINE];
    int bad = 0;
    unsigned number = 0;
    bridge_begin();
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        number++;
        strcpy(copy, line);
        if (print && line[0] != '<') puts(line);
        if (!run(copy, print)) {
            bad++;
            printf("line %u: %s\n", number, line);
            if (line[0] == '<') printf("  the core said something else\n");
        }
    }
    fclose(file);
    if (!print) printf("%u lines, %d wrong\n", number, bad);
    return bad != 0;
}

static int decode_lines(void) {
    static char line[LINE];
    static uint8_t bytes[LINE];
    struct frame frame;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (!decode(bytes, hex_bytes(line, bytes), &frame)) {
            puts("bad");
            continue;
        }
        printf("%02x %02x ", frame.type, frame.seq);
        print_hex(frame.body, frame.length);
        putchar('\n');
    }
    return 0;
}

static int feed(void) {
    bridge_begin();
    for (int byte, n = 0; (byte = getchar()) != EOF; n++) {
        bridge_receive((uint8_t)byte);
        bridge_send();
        if (n % 12 == 0) tick(1);
        sent_length = 0;
    }
    uint8_t told[STATE_BYTES + 1];
    print_hex(told, edges_told(told));
    printf(" %u\n", frame_bad_count());
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--frames") == 0) return decode_lines();
    if (argc == 2 && strcmp(argv[1], "--feed") == 0) return feed();
    if (argc == 3 && strcmp(argv[1], "--print") == 0) return run_file(argv[2], true);
    if (argc == 2) return run_file(argv[1], false);
    fprintf(stderr, "usage: check [--print] FILE | --frames | --feed\n");
    return 2;
}
