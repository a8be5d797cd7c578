/* The cap on a glass: an ATtiny84A at 4 MHz, two ball switches, an nRF24L01+, a coin cell. */
#include <avr/eeprom.h>
#include <avr/interrupt.h>

#include "../cap.h"
#include "../hal.h"
#include "clock.h"
#include "radio.h"

enum { GLASSES = 6 };

/* Written when the cap is flashed; blank is glass 5 (B3), and refused by the receiver where two say so. */
struct stored {
    uint8_t glass;
    uint16_t id;
    uint8_t boots;
};
static struct stored EEMEM stored;

int main(void) {
    uint8_t glass = eeprom_read_byte(&stored.glass);
    uint8_t boot = eeprom_read_byte(&stored.boots) + 1;
    eeprom_update_byte(&stored.boots, boot);
    radio_begin(glass < GLASSES ? glass : GLASSES - 1);
    clock_begin();
    cap_begin(boot, eeprom_read_word(&stored.id), glass);
    sei();
    for (;;) {
        uint32_t until;
        while (cap_step(&until)) clock_idle_until(until);
        cap_slept();
        clock_power_down();
    }
}
