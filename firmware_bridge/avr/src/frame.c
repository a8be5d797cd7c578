#include "frame.h"

#include "crc16.h"
#include "hal.h"

static uint8_t received[FRAME_RECEIVED_MAX + 1];
static uint8_t received_length;
static bool spoilt;
static uint16_t bad_count;

static uint8_t outgoing[FRAME_MAX];
static uint8_t next_seq;

/* In place: decoding never grows. Returns the decoded length, 0 when the bytes are not COBS. */
static uint8_t cobs_decode(uint8_t *data, uint8_t length) {
    uint8_t from = 0, to = 0;
    while (from < length) {
        uint8_t code = data[from++];
        if (code - 1 > length - from) return 0;
        for (uint8_t n = 1; n < code; n++) data[to++] = data[from++];
        if (code != 0xFF && from < length) data[to++] = 0;
    }
    return to;
}

bool frame_receive(uint8_t byte, struct frame *frame) {
    if (byte != 0) {
        if (received_length < sizeof received)
            received[received_length++] = byte;
        else
            spoilt = true;
        return false;
    }
    uint8_t encoded = received_length;
    bool bad = spoilt;
    received_length = 0;
    spoilt = false;
    if (encoded == 0 && !bad) return false; /* a lone zero only ends what may have been before it */
    uint8_t length = bad ? 0 : cobs_decode(received, encoded);
    if (length < 4 || crc16(received, length - 2) != (received[length - 2] | (uint16_t)received[length - 1] << 8)) {
        bad_count++;
        return false;
    }
    frame->type = received[0];
    frame->seq = received[1];
    frame->body = received + 2;
    frame->length = length - 4;
    return true;
}

void frame_spoil(void) { spoilt = true; }

uint16_t frame_bad_count(void) { return bad_count; }

uint8_t *frame_body(void) { return outgoing + 2; }

/* The CRC is taken along as COBS looks for the next zero, so that the first bytes are on the wire while the rest is still
   being looked at: of a long frame that is a third of a millisecond. */
void frame_send(uint8_t type, uint8_t body_length) {
    outgoing[0] = type;
    outgoing[1] = next_seq++;
    uint8_t length = body_length + 2;
    uint16_t crc = CRC16_START;
    uint8_t at = 0, end = 0;
    bool has_crc = false;
    for (;;) {
        for (;; end++) {
            if (end == length) {
                if (has_crc) break;
                has_crc = true;
                outgoing[length++] = (uint8_t)crc;
                outgoing[length++] = (uint8_t)(crc >> 8);
            }
            if (!has_crc) crc = crc16_byte(crc, outgoing[end]);
            if (outgoing[end] == 0) break;
        }
        hal_put(end - at + 1);
        while (at < end) hal_put(outgoing[at++]);
        if (at == length) break;
        at = ++end; /* past the zero that the code byte stands for */
    }
    hal_put(0);
}
