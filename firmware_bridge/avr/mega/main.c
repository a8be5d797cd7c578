/* The firmware's start and its loop: samples, bytes, reports; asleep in between. */
#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "bridge.h"
#include "contacts.h"
#include "hal.h"
#include "identity.h"
#include "load_cells.h"
#include "outputs.h"
#include "radio.h"
#include "rounds.h"
#include "serial.h"
#include "timing.h"

enum { ROOM_TO_ANSWER = 64 };

static bool resetting;

void hal_reset(void) { resetting = true; }

uint16_t hal_late_scans(void) { return contacts_late() + rounds_late(); }

uint16_t hal_free_ram(void) {
    extern uint8_t __heap_start;
    return SP - (uint16_t)(uintptr_t)&__heap_start;
}

static void reset_when_all_is_sent(void) {
    if (!serial_idle()) return;
    cli();
    wdt_enable(WDTO_15MS);
    for (;;) {
    }
}

static void sleep_until_something_happens(void) {
    cli();
    if (contacts_waiting() || rounds_waiting() || serial_waiting() || radio_waiting()) {
        sei();
        return;
    }
    sleep_enable();
    sei(); /* takes effect after the next instruction: no interrupt can slip in between */
    sleep_cpu();
    sleep_disable();
}

int main(void) {
    identity_begin();
    outputs_begin();
    contacts_begin();
    rounds_setup();
    load_cells_begin();
    serial_begin();
    timing_begin();
    radio_begin();
    bridge_begin();
    set_sleep_mode(SLEEP_MODE_IDLE);
    wdt_enable(WDTO_250MS);
    sei();
    for (;;) {
        uint32_t t_us;
        /* The watchdog hangs on the scan: no samples, no reprieve. */
        while (contacts_take(&t_us)) {
            wdt_reset();
            rounds_take();
            load_cells_poll();
            radio_tick();
            bridge_tick(t_us);
        }
        rounds_take();
        radio_take();
        bridge_send(); /* before answers: an edge waits for what is on the wire already, and for nothing else */
        uint8_t byte;
        while (hal_tx_free() >= ROOM_TO_ANSWER && serial_take(&byte)) bridge_receive(byte);
        bridge_send();
        if (resetting) reset_when_all_is_sent();
        sleep_until_something_happens();
    }
}
