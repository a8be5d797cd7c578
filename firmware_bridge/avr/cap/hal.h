/* What the cap's core asks of the machine under it: the ATtiny84A (attiny/), or a test on the host (host/).

   Time is in ticks of 2 µs of the cap's own clock, which stands still while it sleeps and begins anew at each waking. */
#ifndef CAP_HAL_H
#define CAP_HAL_H

#include <stdbool.h>
#include <stdint.h>

#include "cap_packet.h"

#define CAP_TICKS(us) ((uint32_t)(us) / 2)
#define CAP_MS(ms) CAP_TICKS((ms) * 1000UL)

uint32_t hal_now(void);
uint8_t hal_ends(void); /* the two switches as they are, ENDS_... */

void hal_radio_on(void); /* takes 1.5 ms, with a poor crystal 4.5 */
void hal_radio_off(void);

/* Puts the packet on the air once and waits for the answer; whether there was one. The ages are filled in at the last
   moment by `cap_ages`. With `cell` the supply is measured meanwhile, in 20 mV. */
bool hal_send(struct cap_packet *packet, uint8_t *cell);

/* Around what an interrupt also touches. */
uint8_t hal_lock(void);
void hal_unlock(uint8_t lock);

#endif
