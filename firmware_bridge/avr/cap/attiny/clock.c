#include "clock.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <stdbool.h>

#include "../cap.h"
#include "../hal.h"
#include "../switches.h"

enum { TOO_SHORT = 10, FURTHEST = 0xFF00 };

static volatile uint16_t overflows;
static volatile bool asleep;

uint8_t hal_lock(void) {
    uint8_t sreg = SREG;
    cli();
    return sreg;
}
void hal_unlock(uint8_t lock) { SREG = lock; }

uint32_t hal_now(void) {
    uint8_t lock = hal_lock();
    uint16_t low = TCNT1, high = overflows;
    if (TIFR1 & 1 << TOV1 && low < 0x8000) high++;
    hal_unlock(lock);
    return (uint32_t)high << 16 | low;
}

/* The clock stands still in power-down (in simavr it runs on): it begins anew with each waking. */
static void wake(void) {
    if (!asleep) return;
    asleep = false;
    TCNT1 = 0;
    overflows = 0;
    TIFR1 = 1 << TOV1 | 1 << OCF1A;
    TIMSK1 = 1 << TOIE1;
}

ISR(TIM1_OVF_vect) { overflows++; }
EMPTY_INTERRUPT(TIM1_COMPA_vect)
EMPTY_INTERRUPT(PCINT0_vect) /* the radio has something to say */

ISR(WDT_vect) {
    WDTCSR |= 1 << WDIE; /* needless on a real part; simavr 1.6 clears it */
    cap_beat();
}

ISR(PCINT1_vect) {
    wake();
    switches_moved(hal_now());
}

void clock_begin(void) {
    CLKPR = 1 << CLKPCE;
    CLKPR = 1; /* 8 MHz / 2: good down to 1.8 V */
    TCCR1B = 1 << CS11;
    TIMSK1 = 1 << TOIE1;
    wdt_reset();
    WDTCSR = 1 << WDCE | 1 << WDE;
    WDTCSR = 1 << WDIE | 1 << WDP3 | 1 << WDP0; /* eight seconds, and an interrupt only */
}

void clock_idle_until(uint32_t t) {
    cli();
    uint32_t ahead = t - hal_now();
    if ((int32_t)ahead > TOO_SHORT) {
        if (ahead < FURTHEST) {
            /* A compare that is pending already wakes once for nothing; to clear it would, in simavr 1.6, lose an overflow. */
            OCR1A = (uint16_t)t;
            TIMSK1 = 1 << TOIE1 | 1 << OCIE1A;
        } else {
            TIMSK1 = 1 << TOIE1;
        }
        set_sleep_mode(SLEEP_MODE_IDLE);
        sleep_enable();
        sei(); /* takes effect after the next instruction: no interrupt can slip in between */
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

void clock_power_down(void) {
    cli();
    if (!cap_is_due()) {
        TIMSK1 = 0;
        asleep = true;
        set_sleep_mode(SLEEP_MODE_PWR_DOWN);
        sleep_enable();
        sleep_bod_disable();
        sei();
        sleep_cpu();
        sleep_disable();
        cli();
        wake();
    }
    sei();
}
