/* The caps on the glasses, each an ATtiny84 that runs its firmware, and their radios; the Mega's receiver is the last radio. */
#ifndef AIR_H
#define AIR_H

#include <stdbool.h>
#include <stdint.h>

enum { CAPS_MAX = 8, RECEIVER = CAPS_MAX };

/* `glasses`: the glass of each cap, as digits. `clock_off`: caps' clocks are off by up to this. Exits with a message on failure. */
void air_begin(const char *elf_path, const char *glasses, double clock_off, uint64_t seed);
bool air_is_on(void);

/* Which end of a glass is up, as 0 (a) or 1 (b): the other end's switch opens at once, this end's closes a while later. */
void air_turn(int cap, int end);
void air_ends(int cap, uint8_t ends); /* the switches themselves, as ENDS_... */
void air_power(int cap, bool on);     /* its cell is taken out, or put in */
void air_cell(int cap, uint32_t mv);

uint8_t air_mega_exchange(uint8_t byte);
void air_mega_csn(bool high);
void air_mega_ce(bool high);

uint64_t air_next_us(void);
void air_event(uint64_t now_us);
void air_tell(void); /* what has happened so far, as lines */

/* What the outside provides. */
void outside_receiver_irq(bool low);

#endif
