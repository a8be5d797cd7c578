#include "timing.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "contacts.h"
#include "hal.h"
#include "rounds.h"

#define COUNTS_PER_TICK 2000

static volatile uint32_t overflows;

ISR(TIMER1_OVF_vect) { overflows++; }

uint32_t timing_now_us_in_interrupt(void) {
    uint16_t count = TCNT1;
    uint32_t high = overflows;
    /* The count has wrapped and its interrupt is still waiting for us. */
    if ((TIFR1 & 1 << TOV1) && count < 0x8000) high++;
    return (high << 15) + (count >> 1);
}

uint32_t hal_now_us(void) {
    uint32_t now_us;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { now_us = timing_now_us_in_interrupt(); }
    return now_us;
}

/* The stamp is taken here, so nothing the main loop does can shift it; the samples wait in a ring. */
ISR(TIMER1_COMPA_vect) {
    OCR1A += COUNTS_PER_TICK;
    uint32_t now_us = timing_now_us_in_interrupt();
    contacts_sample(now_us);
    rounds_begin(now_us);
}

void timing_begin(void) {
    TCCR1A = 0;
    TCCR1B = 1 << CS11;
    OCR1A = TCNT1 + COUNTS_PER_TICK;
    TIMSK1 = 1 << OCIE1A | 1 << TOIE1;
}
