/* Reed switches, tilt switches and buttons: sampled in the tick, turned into edges in the main loop. */
#ifndef CONTACTS_H
#define CONTACTS_H

#include <stdbool.h>
#include <stdint.h>

void contacts_begin(void);
void contacts_sample(uint32_t now_us); /* in the tick's interrupt */
bool contacts_waiting(void);
bool contacts_take(uint32_t *t_us); /* handles the oldest sample; false when there is none */
uint16_t contacts_late(void);       /* samples that found the ring full */

#endif
