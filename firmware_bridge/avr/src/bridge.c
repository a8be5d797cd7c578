#include "bridge.h"

#include <string.h>

#include "analog.h"
#include "build.h"
#include "bytes.h"
#include "config.h"
#include "edges.h"
#include "frame.h"
#include "hal.h"
#include "inputs.h"
#include "lamps.h"
#include "tilts.h"
#include "tones.h"
#include "version.h"

enum {
    HELLO_MS = 250,
    SECOND_MS = 1000,
    CAPS_SECONDS = 5,
    HOST_GONE_MS = 2000,
    HEARTBEAT_LATEST_MS = 100,
    TEST_LAMPS_MS = 1000,
    TX_NEARLY_EMPTY = 16, /* a report is put together as late as this, so that it takes along the newest edges */
    PING_BYTES = 9, /* both ways alike, so that the way there takes as long as the way back */
    DONE_MAX = 48         /* room that an answer may need on its way out, COBS and all */
};

#define SILENT_CELL 0x80000000UL /* as no 24-bit reading */

static const uint8_t reset_magic[4] = {'B', 'O', 'O', 'T'};

static uint32_t scanned_us; /* every input is read up to here */
static bool started;
static uint8_t session;
static uint16_t host_silent_ms = HOST_GONE_MS;
static uint16_t hello_ms, second_ms;
static bool heartbeat_due;
static uint8_t caps_seconds;
static bool caps_due;

/* The last command carried out and its answer: a repeated command is answered, not carried out again. */
static bool has_done;
static uint8_t done_seq, done_length;
static uint8_t done[DONE_MAX];

static bool host_gone(void) { return host_silent_ms >= HOST_GONE_MS; }

static uint8_t flags(void) {
    return (edges_overflowing() ? FLAG_OVERFLOW : 0) | (host_gone() ? FLAG_HOST_GONE : 0) |
           (edges_unsent() ? FLAG_MORE : 0);
}

static void send_hello(void) {
    uint8_t *to = frame_body();
    uint8_t *start = to;
    *to++ = PROTOCOL_MAJOR;
    *to++ = PROTOCOL_MINOR;
    *to++ = FIRMWARE_MAJOR;
    *to++ = FIRMWARE_MINOR;
    *to++ = FIRMWARE_PATCH;
    *to++ = SOCKETS_HALL;
    *to++ = RINGS;
    *to++ = SOCKETS;
    *to++ = TILTS;
    *to++ = BUTTONS;
    *to++ = RINGS == RINGS_STACK ? SOCKETS : 0;
    *to++ = RINGS == RINGS_HOLDER ? HOLDERS : 0;
    to = put32(to, hal_board_id());
    to = put16(to, hal_boot_id());
    *to++ = hal_reset_cause();
    to = put16(to, config_crc());
    to = put16(to, EDGE_QUEUE);
    *to++ = TILTS_CAPS;
    frame_send(FRAME_HELLO, to - start);
}

static void send_heartbeat(void) {
    edges_promise(scanned_us);
    uint8_t *to = frame_body();
    uint8_t *start = to;
    *to++ = session;
    *to++ = flags();
    to = put16(to, edges_next());
    to = put32(to, scanned_us);
    to = put16(to, config_crc());
    to = put16(to, frame_bad_count());
    to = put16(to, hal_rx_overruns());
    to = put16(to, hal_late_scans());
    to = put16(to, edges_overflows());
    to = put16(to, edges_limited_count());
    to = put16(to, edges_peak());
    to += edges_told(to);
    frame_send(FRAME_HEARTBEAT, to - start);
}

static void send_caps(void) {
    uint8_t *to = frame_body();
    *to++ = session;
    to = put16(to, edges_next());
    frame_send(FRAME_CAPS, 3 + tilts_health(to, hal_now_us()));
}

static void send_pong(uint8_t token) {
    uint32_t now_us = hal_now_us();
    uint32_t age_us = now_us - scanned_us;
    edges_promise(scanned_us);
    uint8_t *to = frame_body();
    *to++ = token;
    to = put32(to, now_us);
    to = put16(to, age_us > 0xFFFF ? 0xFFFF : (uint16_t)age_us);
    put16(to, edges_next());
    frame_send(FRAME_PONG, PING_BYTES);
}

static void send_report(uint32_t now_us) {
    uint8_t *body = frame_body();
    uint8_t length = 2 + edges_report(body + 2, FRAME_MAX - 4 - 2, now_us);
    body[0] = session;
    body[1] = flags();
    frame_send(FRAME_REPORT, length);
}

static void send_done(void) {
    memcpy(frame_body(), done, done_length);
    frame_send(FRAME_DONE, done_length);
}

static uint8_t self_test(uint8_t *to) {
    lamps_test(TEST_LAMPS_MS);
    static const uint8_t beep[4] = {0x70, 0x03, 100, 0}; /* 880 Hz, 100 ms */
    tones_play(beep, 1, config()->sound_max_ms);
    uint8_t *start = to;
    uint8_t silent = 0, odd = NO_INPUT;
    if (RINGS == RINGS_HOLDER)
        for (uint8_t holder = 0; holder < HOLDERS; holder++)
            if (!analog_holder_answers(holder)) silent |= 1 << holder;
    if (SOCKETS_HALL)
        for (uint8_t socket = 0; socket < SOCKETS; socket++) {
            uint8_t reading = analog_hall_reading(socket);
            if (odd == NO_INPUT && (reading < 2 || reading > 253)) odd = SOCKET_FIRST + socket;
        }
    *to++ = silent;
    *to++ = odd;
    to = put16(to, hal_free_ram());
    return to - start;
}

/* 0 when there is no such reading in this build. */
static uint8_t read_analog(uint8_t what, uint8_t *to) {
    uint8_t *start = to;
    if (what == 0 && SOCKETS_HALL)
        for (uint8_t socket = 0; socket < SOCKETS; socket++) *to++ = analog_hall_reading(socket);
    else if (what == 1 && RINGS == RINGS_STACK)
        for (uint8_t socket = 0; socket < SOCKETS; socket++) *to++ = analog_ladder_reading(socket);
    else if (what == 2 && RINGS == RINGS_HOLDER)
        for (uint8_t holder = 0; holder < HOLDERS; holder++)
            to = put32(to, analog_holder_answers(holder) ? (uint32_t)analog_holder_reading(holder) : SILENT_CELL);
    return to - start;
}

static void start(uint8_t new_session) {
    session = new_session;
    started = true;
    second_ms = 0;
    heartbeat_due = false;
    caps_seconds = 0;
    caps_due = TILTS_CAPS; /* first of all: which caps have been heard */
    edges_begin(hal_now_us());
}

static uint8_t carry_out(const struct frame *frame, uint8_t *data, uint8_t *data_length) {
    const uint8_t *body = frame->body;
    uint8_t length = frame->length;
    switch (frame->type) {
        case FRAME_START:
            if (length != 1) return DONE_LENGTH;
            start(body[0]);
            return DONE_OK;
        case FRAME_LAMPS:
            if (length != LAMPS_BYTES) return DONE_LENGTH;
            return lamps_set(body) ? DONE_OK : DONE_VALUE;
        case FRAME_TONES:
            if (length % 4 || length / 4 > TONES_MAX) return DONE_LENGTH;
            tones_play(body, length / 4, config()->sound_max_ms);
            return DONE_OK;
        case FRAME_CONFIG:
            if (length != CONFIG_BYTES) return DONE_LENGTH;
            if (!config_set(body)) return DONE_VALUE;
            *data_length = put16(data, config_crc()) - data;
            return DONE_OK;
        case FRAME_SELF_TEST:
            if (length != 0) return DONE_LENGTH;
            *data_length = self_test(data);
            return DONE_OK;
        case FRAME_IDENTIFY:
            if (length != 1) return DONE_LENGTH;
            if (body[0] > 60) return DONE_VALUE;
            lamps_identify(body[0]);
            return DONE_OK;
        case FRAME_RESET:
            if (length != sizeof reset_magic) return DONE_LENGTH;
            if (memcmp(body, reset_magic, sizeof reset_magic)) return DONE_VALUE;
            hal_reset();
            return DONE_OK;
        case FRAME_NAME:
            if (length != 4) return DONE_LENGTH;
            if (get32(body) == 0xFFFFFFFFUL) return DONE_VALUE;
            hal_set_board_id(get32(body));
            return DONE_OK;
        case FRAME_READ:
            if (length != 1) return DONE_LENGTH;
            *data_length = read_analog(body[0], data);
            return *data_length ? DONE_OK : DONE_VALUE;
        case FRAME_RATES:
            if (length != RATES_BYTES) return DONE_LENGTH;
            return tilts_take_rates(body) ? DONE_OK : DONE_VALUE;
        default:
            return DONE_UNKNOWN;
    }
}

static void command(const struct frame *frame) {
    if (!has_done || frame->seq != done_seq || frame->type != done[1]) {
        uint8_t data_length = 0;
        done[0] = frame->seq;
        done[1] = frame->type;
        done[2] = carry_out(frame, done + 3, &data_length);
        done_length = 3 + data_length;
        done_seq = frame->seq;
        has_done = true;
    }
    send_done();
}

static void handle(const struct frame *frame) {
    const uint8_t *body = frame->body;
    switch (frame->type) {
        case FRAME_ASK: /* also the first word of a new host: its numbers begin anew */
            if (frame->length != 1) break;
            has_done = false;
            send_hello();
            break;
        case FRAME_ACK:
            if (frame->length == 4 && started && body[0] == session)
                edges_acknowledge(get16(body + 2), body[1] & 1, hal_now_us());
            break;
        case FRAME_PING:
            if (frame->length == PING_BYTES) send_pong(body[0]);
            break;
        default:
            command(frame);
    }
}

void bridge_begin(void) {
    lamps_begin();
    hello_ms = HELLO_MS;
}

void bridge_receive(uint8_t byte) {
    struct frame frame;
    if (!frame_receive(byte, &frame)) return;
    if (frame.type < FRAME_ASK) { /* an echo of our own: nothing of the host's */
        return;
    }
    host_silent_ms = 0;
    edges_host_heard();
    lamps_host_gone(false);
    handle(&frame);
}

void bridge_tick(uint32_t now_us) {
    scanned_us = now_us;
    tones_tick();
    lamps_tick(config()->lamp_intensity);
    if (!host_gone() && ++host_silent_ms == HOST_GONE_MS) {
        tones_stop();
        lamps_host_gone(true);
    }
    if (!started) {
        if (++hello_ms >= HELLO_MS && hal_tx_free() > DONE_MAX) {
            hello_ms = 0;
            send_hello();
        }
        return;
    }
    if (tilts_take_news()) caps_due = true;
    edges_timeout(now_us);
    edges_heal(now_us);
    if (++second_ms >= SECOND_MS) {
        second_ms = 0;
        edges_second(now_us, config()->edge_limit);
        heartbeat_due = true;
        if (TILTS_CAPS && ++caps_seconds >= CAPS_SECONDS) {
            caps_seconds = 0;
            caps_due = true;
        }
    }
}

/* Edges go first; under a load that never ends a heartbeat still gets its turn. */
void bridge_send(void) {
    while (started && hal_tx_used() <= TX_NEARLY_EMPTY) {
        bool edges = edges_unsent();
        if (heartbeat_due && (!edges || second_ms >= HEARTBEAT_LATEST_MS)) {
            heartbeat_due = false;
            send_heartbeat();
        } else if (edges) {
            send_report(hal_now_us());
        } else if (caps_due) {
            caps_due = false;
            send_caps();
        } else {
            return;
        }
    }
}
