/* What the protocol core asks of the machine under it: the Mega (mega/), or a test on the host (host/). */
#ifndef HAL_H
#define HAL_H

#include <stdbool.h>
#include <stdint.h>

uint32_t hal_now_us(void);

void hal_put(uint8_t byte);
uint8_t hal_tx_free(void);
uint8_t hal_tx_used(void);
uint16_t hal_rx_overruns(void);

void hal_tone(uint16_t pitch_hz); /* 0: silence */
void hal_panel(uint8_t lamps);    /* bits in the order of LAMP_PINS */
void hal_planes(uint8_t reg, uint8_t red, uint8_t green);

uint32_t hal_board_id(void);
void hal_set_board_id(uint32_t id);
uint16_t hal_boot_id(void);
uint8_t hal_reset_cause(void);
uint16_t hal_free_ram(void);
uint16_t hal_late_scans(void);
/* The caps' receiver: 0 it does not answer, 1 it does; and how often it had to be set up anew. */
uint8_t hal_radio(void);
uint8_t hal_radio_restarts(void);
void hal_reset(void); /* takes effect once everything put has left */

#endif
