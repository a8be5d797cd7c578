/* The cap's pins (hardware/boards/cap.toml says the same in words for the drawing).

   PB0, PB1: ball switches to ground, 3.3 MΩ to the cell outside: the part's own pull-ups would take 60 to 150 µA while a
   switch is closed. PA4 to PA6 are the pins by which the part is programmed, too: the radio shares them. */
#ifndef CAP_PINS_H
#define CAP_PINS_H

enum { SWITCH_A = 1 << 0, SWITCH_B = 1 << 1, UNUSED_B = 1 << 2 };                  /* port B */
enum { CE = 1 << 2, CSN = 1 << 3, SCK = 1 << 4, MOSI = 1 << 6, MISO = 1 << 5, IRQ = 1 << 7, UNUSED_A = 1 << 0 | 1 << 1 };

#endif
