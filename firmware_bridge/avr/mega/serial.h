/* UART 0: interrupt-driven rings both ways. */
#ifndef SERIAL_H
#define SERIAL_H

#include <stdbool.h>
#include <stdint.h>

void serial_begin(void);
bool serial_waiting(void);
bool serial_take(uint8_t *byte);
bool serial_idle(void); /* nothing left to send */

#endif
