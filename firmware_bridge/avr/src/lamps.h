/* Panel lamps and the two MAX7219 planes: what the host asked for, unless the host is gone. */
#ifndef LAMPS_H
#define LAMPS_H

#include <stdbool.h>
#include <stdint.h>

enum { LAMPS_BYTES = 11, PANEL_LAMPS = 5, PANEL_AMBER = 1 << 4, PANEL_ALL = (1 << PANEL_LAMPS) - 1 };

void lamps_begin(void);
bool lamps_set(const uint8_t *bytes); /* panel, 5 bytes red sockets, 5 bytes green; false: bits without a lamp */
void lamps_host_gone(bool gone);      /* everything off but amber; back to what the host asked when it returns */
void lamps_identify(uint8_t seconds); /* all blink */
void lamps_test(uint16_t ms);         /* all lit */
void lamps_tick(uint8_t intensity);   /* each ms */

#endif
