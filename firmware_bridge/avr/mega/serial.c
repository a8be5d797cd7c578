#include "serial.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "build.h"
#include "frame.h"
#include "hal.h"

/* Both rings have 256 bytes, so that their places are single bytes that wrap by themselves: at 1,000,000 baud there are
   160 cycles between two bytes, and the interrupt takes its share of each. */
enum { RING = 256 };

#define UBRR_VALUE ((F_CPU + BAUD * 4) / (BAUD * 8) - 1)

static volatile uint8_t tx[RING];
static volatile uint8_t tx_head, tx_tail;
static volatile uint8_t rx[RING];
static volatile uint8_t rx_head, rx_tail;
static volatile uint16_t overruns;
static volatile bool lost;

ISR(USART0_RX_vect) {
    uint8_t status = UCSR0A;
    uint8_t byte = UDR0;
    if (status & (1 << DOR0 | 1 << FE0)) {
        overruns++;
        lost = true;
    }
    uint8_t after = rx_head + 1;
    if (after == rx_tail) {
        overruns++;
        lost = true;
        return;
    }
    rx[rx_head] = byte;
    rx_head = after;
}

ISR(USART0_UDRE_vect) {
    uint8_t tail = tx_tail;
    UDR0 = tx[tail++];
    UCSR0A |= 1 << TXC0;
    tx_tail = tail;
    if (tail == tx_head) UCSR0B &= ~(1 << UDRIE0);
}

void serial_begin(void) {
    /* The doubled rate first: whoever reads the divisor must know which it is. 115,200 is then 2.1 % fast, well
       within what a receiver bears; 500,000 and 1,000,000 are exact. */
    UCSR0A = 1 << U2X0;
    UBRR0 = UBRR_VALUE;
    UCSR0C = 1 << UCSZ01 | 1 << UCSZ00;
    UCSR0B = 1 << RXEN0 | 1 << TXEN0 | 1 << RXCIE0;
}

void hal_put(uint8_t byte) {
    uint8_t head = tx_head;
    tx[head++] = byte;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        tx_head = head;
        UCSR0B |= 1 << UDRIE0;
    }
}

uint8_t hal_tx_used(void) { return tx_head - tx_tail; }

uint8_t hal_tx_free(void) { return RING - 1 - hal_tx_used(); }

bool serial_idle(void) { return hal_tx_used() == 0 && (UCSR0A & 1 << TXC0); }

bool serial_waiting(void) { return rx_head != rx_tail; }

bool serial_take(uint8_t *byte) {
    if (lost) {
        lost = false;
        frame_spoil();
    }
    uint8_t tail = rx_tail;
    if (tail == rx_head) return false;
    *byte = rx[tail];
    rx_tail = tail + 1;
    return true;
}

uint16_t hal_rx_overruns(void) {
    uint16_t count;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { count = overruns; }
    return count;
}
