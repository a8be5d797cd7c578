#include "radio.h"

#include <avr/io.h>
#include <stdbool.h>
#include <util/delay.h>

#include "../cap.h"
#include "../hal.h"
#include "clock.h"
#include "nrf24.h"
#include "pins.h"

enum { ANSWER_MS = 100, BANDGAP_MV = 1100, BANDGAP_CHANNEL = 0x21 };

static uint8_t address_first;

static uint8_t exchange(uint8_t byte) {
    for (uint8_t n = 8; n; n--) {
        if (byte & 0x80)
            PORTA |= MOSI;
        else
            PORTA &= ~MOSI;
        byte <<= 1;
        PORTA |= SCK;
        if (PINA & MISO) byte |= 1;
        PORTA &= ~SCK;
    }
    return byte;
}

static void set(uint8_t reg, uint8_t value) {
    PORTA &= ~CSN;
    exchange(NRF_WRITE | reg);
    exchange(value);
    PORTA |= CSN;
}

static uint8_t command(uint8_t byte) {
    PORTA &= ~CSN;
    uint8_t status = exchange(byte);
    PORTA |= CSN;
    return status;
}

static void set_address(uint8_t reg) {
    PORTA &= ~CSN;
    exchange(NRF_WRITE | reg);
    exchange(address_first);
    for (uint8_t n = CAP_ADDRESS_BYTES - 1; n; n--) exchange(CAP_ADDRESS_REST);
    PORTA |= CSN;
}

void radio_begin(uint8_t glass) {
    DDRA = CE | CSN | SCK | MOSI;
    PORTA = CSN | UNUSED_A; /* an unused pin that floats costs current */
    PORTB = UNUSED_B;
    GIMSK = 1 << PCIE0 | 1 << PCIE1;
    PCMSK0 = IRQ;
    PCMSK1 = SWITCH_A | SWITCH_B;
    PRR = 1 << PRTIM0 | 1 << PRUSI;
    ACSR = 1 << ACD;
    address_first = CAP_ADDRESS_FIRST + glass;
}

uint8_t hal_ends(void) {
    uint8_t pins = PINB;
    return (pins & SWITCH_A ? 0 : ENDS_A) | (pins & SWITCH_B ? 0 : ENDS_B);
}

void hal_radio_on(void) {
    set(NRF_CONFIG, NRF_CRC_ON | NRF_CRC_16);
    set(NRF_EN_AA, 1);
    set(NRF_EN_RXADDR, 1);
    set(NRF_SETUP_RETR, 0);
    set(NRF_RF_CH, CAP_CHANNEL);
    set(NRF_RF_SETUP, NRF_1_MBIT_0_DBM);
    set_address(NRF_TX_ADDR);
    set_address(NRF_RX_ADDR_P0); /* where the answer comes */
    set(NRF_CONFIG, NRF_CRC_ON | NRF_CRC_16 | NRF_PWR_UP);
}

void hal_radio_off(void) { set(NRF_CONFIG, NRF_CRC_ON | NRF_CRC_16); }

/* The bandgap held against the cell: under load it tells what a tired one still gives. */
static uint8_t measure_cell(void) {
    ADMUX = BANDGAP_CHANNEL;
    ADCSRA = 1 << ADEN | 1 << ADPS2 | 1 << ADPS0; /* 125 kHz */
    uint16_t reading = 0;
    for (uint8_t n = 0; n < 2; n++) { /* the first after a change of the multiplexer is not to be believed */
        ADCSRA |= 1 << ADSC;
        while (ADCSRA & 1 << ADSC) {
        }
        reading = ADC;
    }
    ADCSRA = 0;
    uint16_t cell = reading ? (uint16_t)(BANDGAP_MV * 1024UL / 20 / reading) : 0;
    return cell > 255 ? 255 : (uint8_t)cell;
}

bool hal_send(struct cap_packet *packet, uint8_t *cell) {
    set(NRF_STATUS, NRF_RX_DR | NRF_TX_DS | NRF_MAX_RT);
    command(NRF_FLUSH_TX);
    cap_ages(packet);
    PORTA &= ~CSN;
    exchange(NRF_WRITE_PAYLOAD);
    const uint8_t *bytes = (const uint8_t *)packet;
    for (uint8_t n = 0; n < sizeof *packet; n++) exchange(bytes[n]);
    PORTA |= CSN;
    PORTA |= CE;
    _delay_us(12);
    PORTA &= ~CE;
    if (cell) *cell = measure_cell();
    uint32_t deadline = hal_now() + CAP_MS(ANSWER_MS);
    while (PINA & IRQ && (int32_t)(deadline - hal_now()) > 0) clock_idle_until(deadline);
    return command(NRF_NOP) & NRF_TX_DS;
}
