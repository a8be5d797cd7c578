#include "radio.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "build.h"
#include "caps.h"
#include "hal.h"
#include "nrf24.h"
#include "pins_io.h"
#include "timing.h"

#if TILTS_CAPS

enum { LOOK_MS = 1000, NO_PIPE = 7, PACKETS_AT_ONCE = 4 };
enum { LISTENING = NRF_CRC_ON | NRF_CRC_16 | NRF_PRIM_RX | NRF_PWR_UP };

static volatile uint32_t arrived_us;
static uint8_t answers, restarts;
static uint16_t look_ms;

/* The stamp of the latest packet; the lamp planes' words are never cut by this, as only the main loop uses the bus. */
ISR(PCINT0_vect) {
    if (!PIN_READ(PIN_RADIO_IRQ)) arrived_us = timing_now_us_in_interrupt();
}

static uint8_t exchange(uint8_t byte) {
    SPDR = byte;
    while (!(SPSR & 1 << SPIF)) {
    }
    return SPDR;
}

/* Port J is beyond single-instruction reach, and no interrupt writes to it. */
static uint8_t command(uint8_t first, uint8_t second) {
    PIN_LOW(PIN_RADIO_CSN);
    uint8_t status = exchange(first), value = status;
    if (first < NRF_FLUSH_TX) value = exchange(second);
    PIN_HIGH(PIN_RADIO_CSN);
    return first < NRF_WRITE ? value : status;
}

static void set(uint8_t reg, uint8_t value) { command(NRF_WRITE | reg, value); }

static void listen(void) {
    PIN_LOW(PIN_RADIO_CE);
    set(NRF_CONFIG, NRF_CRC_ON | NRF_CRC_16 | NRF_PRIM_RX);
    set(NRF_EN_AA, 0x3F);
    set(NRF_EN_RXADDR, 0x3F);
    set(NRF_RF_CH, CAP_CHANNEL);
    set(NRF_RF_SETUP, NRF_1_MBIT_0_DBM);
    for (uint8_t pipe = 0; pipe < CAPS; pipe++) {
        PIN_LOW(PIN_RADIO_CSN);
        exchange(NRF_WRITE | (NRF_RX_ADDR_P0 + pipe));
        exchange(CAP_ADDRESS_FIRST + pipe);
        if (pipe < 2) /* the others share the rest of pipe 1's */
            for (uint8_t n = CAP_ADDRESS_BYTES - 1; n; n--) exchange(CAP_ADDRESS_REST);
        PIN_HIGH(PIN_RADIO_CSN);
        set(NRF_RX_PW_P0 + pipe, CAP_PACKET_BYTES);
    }
    command(NRF_FLUSH_RX, 0);
    set(NRF_STATUS, NRF_RX_DR | NRF_TX_DS | NRF_MAX_RT);
    set(NRF_CONFIG, LISTENING);
    PIN_HIGH(PIN_RADIO_CE);
}

static bool is_listening(void) {
    return command(NRF_CONFIG, NRF_NOP) == LISTENING && command(NRF_RF_CH, NRF_NOP) == CAP_CHANNEL;
}

void radio_begin(void) {
    PIN_OUT(PIN_RADIO_CE);
    PIN_HIGH(PIN_RADIO_CSN);
    PIN_OUT(PIN_RADIO_CSN);
    PIN_HIGH(PIN_RADIO_IRQ); /* pulled up: a radio that is not there never calls */
    PORTB |= 1 << 3;         /* and says nothing but ones */
    SPSR = 1 << SPI2X;       /* 8 MHz; the radio takes 10, the lamp planes as well */
    PCICR |= 1 << PCIE0;
    PCMSK0 = 1 << RADIO_IRQ_BIT;
    caps_reset();
    listen();
    answers = is_listening();
}

bool radio_waiting(void) { return answers && !PIN_READ(PIN_RADIO_IRQ); }

void radio_take(void) {
    if (!radio_waiting()) return;
    uint32_t at_us;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { at_us = arrived_us; }
    set(NRF_STATUS, NRF_RX_DR); /* first, so that one that comes meanwhile calls again */
    for (uint8_t n = 0; n < PACKETS_AT_ONCE; n++) {
        uint8_t pipe = command(NRF_NOP, 0) >> 1 & 7, bytes[CAP_PACKET_BYTES];
        if (pipe == NO_PIPE) return;
        PIN_LOW(PIN_RADIO_CSN);
        exchange(NRF_READ_PAYLOAD);
        for (uint8_t at = 0; at < CAP_PACKET_BYTES; at++) bytes[at] = exchange(NRF_NOP);
        PIN_HIGH(PIN_RADIO_CSN);
        caps_packet(pipe, bytes, CAP_PACKET_BYTES, n == 0 ? at_us : hal_now_us());
    }
}

void radio_tick(void) {
    if (++look_ms < LOOK_MS) return;
    look_ms = 0;
    if (is_listening()) {
        answers = 1;
        return;
    }
    if (restarts < 255) restarts++;
    listen();
    answers = is_listening();
}

uint8_t hal_radio(void) { return answers; }
uint8_t hal_radio_restarts(void) { return restarts; }

#else

void radio_begin(void) {}
bool radio_waiting(void) { return false; }
void radio_take(void) {}
void radio_tick(void) {}
uint8_t hal_radio(void) { return 0; }
uint8_t hal_radio_restarts(void) { return 0; }

#endif
