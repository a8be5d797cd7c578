/* What is wired to the Mega: contacts, multiplexers with hall sensors and ring ladders, load cells, lamps, buzzer. */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

/* Values as on the wire: socket 0/1 (hall: 0, 1 = N, 2 = S), tilt 0/1, button 0/1, ring 0-4, holder 0-32. */
bool board_set(uint8_t input, int32_t value);
bool board_set_mv(uint8_t input, int32_t mv);       /* a hall sensor's or ladder's output */
bool board_set_load(uint8_t holder, int32_t raw, bool answers);
void board_begin(void);

uint64_t board_next_us(void);
void board_event(uint64_t now_us);

#endif
