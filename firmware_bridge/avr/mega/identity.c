#include "identity.h"

#include <avr/eeprom.h>
#include <avr/io.h>
#include <avr/wdt.h>

#include "hal.h"

static uint32_t EEMEM stored_board_id;
static uint16_t EEMEM stored_boot_id;
static uint32_t board_id;
static uint16_t boot_id;
static uint8_t reset_cause __attribute__((section(".noinit")));

void identity_catch_reset_cause(void) __attribute__((naked, used, section(".init3")));
/* Before anything else: after a watchdog reset the watchdog is still running at its shortest. */
void identity_catch_reset_cause(void) {
    reset_cause = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

void identity_begin(void) {
    board_id = eeprom_read_dword(&stored_board_id);
    boot_id = eeprom_read_word(&stored_boot_id) + 1; /* 0xFFFF when blank, so the first start is number 0 */
    eeprom_update_word(&stored_boot_id, boot_id);
}

uint32_t hal_board_id(void) { return board_id; }

void hal_set_board_id(uint32_t id) {
    board_id = id;
    eeprom_update_dword(&stored_board_id, id);
}

uint16_t hal_boot_id(void) { return boot_id; }
uint8_t hal_reset_cause(void) { return reset_cause; }
