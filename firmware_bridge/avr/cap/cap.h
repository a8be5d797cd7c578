/* The cap's core: what it has to tell, when it tries, when it may sleep. No registers here. */
#ifndef CAP_H
#define CAP_H

#include <stdbool.h>
#include <stdint.h>

#include "cap_packet.h"

/* `boot` counts the starts; `id` and `seed` tell caps apart. */
void cap_begin(uint8_t boot, uint16_t id, uint8_t seed);

void cap_beat(void); /* eight seconds have passed: a sign of life is due */

/* From waking on, again and again: true while there is something to do, then not before `*until` unless a switch moves; false:
   the radio is off and the cap may sleep. */
bool cap_step(uint32_t *until);
bool cap_is_due(void); /* something to do has come up since the last step */
void cap_slept(void);  /* the clock has stood still: no age is known any longer */

void cap_ages(struct cap_packet *packet); /* fills them in as of now */

#endif
