/* Runs the bridge's firmware in simavr, wired to a board whose inputs are set by lines on standard input.

   harness ELF [--pty LINK] [--real SPEED] [--reset-on-open] [--caps ELF GLASSES CLOCK_OFF SEED]

   Without --real time stands still but for RUN. In, times in simulated µs, `-` for now:
       IN T INPUT VALUE   MV T INPUT MILLIVOLTS   LOAD T HOLDER RAW|-   HOST HEX   RUN T   RESET   QUIT
       AIR T loss|echo|jam PER_MILLE   ENDS T CAP 0-3   CELL T CAP MILLIVOLTS (0: taken out)   AIRED
   Out, each with its time:
       READY   TX T HEX   LAMP T NAME 0|1   PLANE T red|green DIGIT BITS   TONE T HZ   RESET T CAUSE
       OPEN T   RAN T   SLIP T MS   ERROR LINE   PACKET T PIPE HEX
       AIR SENT ANSWERS LOST COLLIDED ECHOED DOUBLED REFUSED DELIVERED JAMMED
       CAP NUMBER CLOCK_OFF_PPM RADIO_MICROCOULOMB AWAKE_MS SLEEPS DEEP
   A READY comes once the part is powered; standard input's end is QUIT. */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>
#include <errno.h>

#include "air.h"
#include "board.h"
#include "ether.h"
#include "mcu.h"
#include "wire.h"

enum { SLICE_US = 1000, SLIP_US = 250000, STEP_SLICE_US = 500000 };
enum { KIND_VALUE, KIND_MV, KIND_LOAD, KIND_SILENT, KIND_ENDS, KIND_CELL, KIND_LOSS, KIND_ECHO, KIND_JAM };

struct change {
    uint64_t t_us;
    uint64_t order;
    uint8_t kind, input;
    int32_t value;
};

static struct change *heap;
static size_t heap_used, heap_size;
static uint64_t changes_made;

static volatile sig_atomic_t ending;
static bool real_time, reset_on_open;
static double speed = 1.0;
static char *input_text;
static size_t input_used, input_size;

static void on_signal(int signal) {
    (void)signal;
    ending = 1;
}

static bool earlier(const struct change *a, const struct change *b) {
    return a->t_us != b->t_us ? a->t_us < b->t_us : a->order < b->order;
}

static void schedule(struct change change) {
    if (heap_used == heap_size) {
        heap_size = heap_size ? heap_size * 2 : 1024;
        heap = realloc(heap, heap_size * sizeof *heap);
        if (!heap) abort();
    }
    change.order = changes_made++;
    size_t at = heap_used++;
    while (at > 0 && earlier(&change, &heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = change;
}

static struct change take_first(void) {
    struct change first = heap[0], last = heap[--heap_used];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < heap_used; at = child) {
        if (child + 1 < heap_used && earlier(&heap[child + 1], &heap[child])) child++;
        if (!earlier(&heap[child], &last)) break;
        heap[at] = heap[child];
    }
    heap[at] = last;
    return first;
}

static void apply(const struct change *change) {
    switch (change->kind) {
        case KIND_VALUE: board_set(change->input, change->value); break;
        case KIND_MV: board_set_mv(change->input, change->value); break;
        case KIND_LOAD: board_set_load(change->input, change->value, true); break;
        case KIND_SILENT: board_set_load(change->input, 0, false); break;
        case KIND_ENDS: air_ends(change->input, (uint8_t)change->value); break;
        case KIND_CELL:
            if (change->value > 0) air_cell(change->input, (uint32_t)change->value);
            air_power(change->input, change->value > 0);
            break;
        case KIND_LOSS: ether_loss = change->value / 1000.0; break;
        case KIND_ECHO: ether_echo = change->value / 1000.0; break;
        case KIND_JAM: ether_jam = change->value / 1000.0; break;
    }
}

uint64_t outside_next_us(void) {
    uint64_t next = board_next_us(), wire = wire_next_us();
    if (wire < next) next = wire;
    if (heap_used && heap[0].t_us < next) next = heap[0].t_us;
    uint64_t air = air_next_us();
    return air < next ? air : next;
}

void outside_event(uint64_t now_us) {
    air_event(now_us);
    while (heap_used && heap[0].t_us <= now_us) {
        struct change change = take_first();
        apply(&change);
    }
    board_event(now_us);
    wire_event(now_us);
}

static void run_to(uint64_t until_us) {
    uint64_t slice_us = wire_fd() < 0 ? STEP_SLICE_US : SLICE_US;
    do {
        if (wire_poll_open()) {
            printf("OPEN %llu\n", (unsigned long long)mcu_now_us());
            if (reset_on_open) mcu_start(RESET_PIN);
        }
        wire_fetch();
        uint64_t end_us = mcu_now_us() + slice_us;
        mcu_run_to(end_us < until_us ? end_us : until_us);
        wire_flush();
    } while (mcu_now_us() < until_us && !ending);
}

static bool hex_to_wire(const char *text) {
    size_t length = strlen(text);
    if (length % 2) return false;
    for (size_t n = 0; n < length; n += 2) {
        char pair[3] = {text[n], text[n + 1], 0}, *end;
        unsigned long byte = strtoul(pair, &end, 16);
        if (*end) return false;
        wire_push((uint8_t)byte);
    }
    return true;
}

static bool change_line(uint8_t kind, char *rest) {
    char *time = strtok(rest, " "), *input = strtok(NULL, " "), *value = strtok(NULL, " ");
    if (!time || !input || !value || strtok(NULL, " ")) return false;
    struct change change = {.kind = kind, .input = (uint8_t)strtoul(input, NULL, 10)};
    bool now = strcmp(time, "-") == 0;
    change.t_us = now ? mcu_now_us() : strtoull(time, NULL, 10);
    if (kind == KIND_LOAD && strcmp(value, "-") == 0)
        change.kind = KIND_SILENT;
    else
        change.value = (int32_t)strtol(value, NULL, 10);
    if (now)
        apply(&change);
    else
        schedule(change);
    return true;
}

static bool air_line(char *rest) {
    char *time = strtok(rest, " "), *what = strtok(NULL, " "), *value = strtok(NULL, " ");
    if (!time || !what || !value || strtok(NULL, " ")) return false;
    struct change change = {.value = (int32_t)strtol(value, NULL, 10)};
    if (strcmp(what, "loss") == 0) change.kind = KIND_LOSS;
    else if (strcmp(what, "echo") == 0) change.kind = KIND_ECHO;
    else if (strcmp(what, "jam") == 0) change.kind = KIND_JAM;
    else return false;
    bool now = strcmp(time, "-") == 0;
    change.t_us = now ? mcu_now_us() : strtoull(time, NULL, 10);
    if (now) apply(&change);
    else schedule(change);
    return true;
}

static bool line_done(char *line) {
    char *rest = strchr(line, ' ');
    if (rest) *rest++ = 0;
    if (strcmp(line, "QUIT") == 0) ending = 1;
    else if (strcmp(line, "RESET") == 0) mcu_start(RESET_PIN);
    else if (strcmp(line, "AIRED") == 0) air_tell();
    else if (!rest) return false;
    else if (strcmp(line, "AIR") == 0) return air_line(rest);
    else if (strcmp(line, "ENDS") == 0) return change_line(KIND_ENDS, rest);
    else if (strcmp(line, "CELL") == 0) return change_line(KIND_CELL, rest);
    else if (strcmp(line, "IN") == 0) return change_line(KIND_VALUE, rest);
    else if (strcmp(line, "MV") == 0) return change_line(KIND_MV, rest);
    else if (strcmp(line, "LOAD") == 0) return change_line(KIND_LOAD, rest);
    else if (strcmp(line, "HOST") == 0) return hex_to_wire(rest);
    else if (strcmp(line, "RUN") == 0 && !real_time) {
        run_to(strtoull(rest, NULL, 10));
        printf("RAN %llu\n", (unsigned long long)mcu_now_us());
    } else return false;
    return true;
}

/* False at the end of standard input. */
static bool read_lines(void) {
    if (input_size - input_used < 65536) input_text = realloc(input_text, input_size += 1 << 17);
    if (!input_text) abort();
    ssize_t count = read(STDIN_FILENO, input_text + input_used, input_size - input_used - 1);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (count <= 0) return false;
    input_used += count;
    char *from = input_text, *end = input_text + input_used, *newline;
    while (!ending && (newline = memchr(from, '\n', end - from))) {
        *newline = 0;
        char line[64];
        snprintf(line, sizeof line, "%s", from);
        if (!line_done(from)) printf("ERROR %s\n", line);
        from = newline + 1;
    }
    memmove(input_text, from, end - from);
    input_used = end - from;
    return true;
}

static uint64_t wall_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void real_time_loop(void) {
    uint64_t began_wall = wall_us(), began = mcu_now_us();
    while (!ending) {
        uint64_t due = began + (uint64_t)((wall_us() - began_wall) * speed);
        uint64_t now = mcu_now_us();
        if (due > now + (uint64_t)(SLIP_US * speed)) {
            printf("SLIP %llu %llu\n", (unsigned long long)now, (unsigned long long)(due - now) / 1000);
            began_wall = wall_us();
            began = now;
            due = now;
        }
        if (due > now) run_to(due);
        fflush(stdout);
        /* POLLHUP on the pty is reported for as long as it is closed, so only standard input is waited for. */
        struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
        struct timespec pause = {.tv_nsec = SLICE_US * 1000};
        if (ppoll(&in, 1, &pause, NULL) > 0 && !read_lines()) break;
    }
}

int main(int argc, char **argv) {
    const char *elf = NULL, *link = NULL;
    char **caps = NULL;
    for (int n = 1; n < argc; n++) {
        if (strcmp(argv[n], "--pty") == 0 && n + 1 < argc) link = argv[++n];
        else if (strcmp(argv[n], "--real") == 0 && n + 1 < argc) {
            real_time = true;
            speed = atof(argv[++n]);
        } else if (strcmp(argv[n], "--reset-on-open") == 0) reset_on_open = true;
        else if (strcmp(argv[n], "--caps") == 0 && n + 4 < argc) {
            caps = &argv[n + 1];
            n += 4;
        } else if (argv[n][0] != '-' && !elf) elf = argv[n];
        else elf = NULL, n = argc;
    }
    if (!elf || speed <= 0) {
        fprintf(stderr, "usage: harness ELF [--pty LINK] [--real SPEED] [--reset-on-open] [--caps ELF GLASSES CLOCK_OFF SEED]\n");
        return 2;
    }
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    mcu_load(elf);
    if (caps) air_begin(caps[0], caps[1], atof(caps[2]), strtoull(caps[3], NULL, 10));
    if (link) wire_begin_pty(link);
    board_begin();
    mcu_start(RESET_POWER);
    puts("READY");
    fflush(stdout);
    if (real_time) {
        fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
        real_time_loop();
    } else
        while (!ending && read_lines()) fflush(stdout);
    wire_end();
    return 0;
}
