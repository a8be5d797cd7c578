/* The serial line between host and Mega: a pty that pyserial opens, or hex on the control pipe. */
#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>
#include <stdint.h>

void wire_begin_pty(const char *link_path); /* exits with a message on failure */
void wire_end(void);
int wire_fd(void); /* -1 without a pty */

bool wire_poll_open(void); /* true when the host has opened the pty since the last call */
void wire_fetch(void);     /* what the host wrote on the pty */
void wire_push(uint8_t byte);

uint64_t wire_next_us(void);
void wire_event(uint64_t now_us);
void wire_flush(void); /* hands what the Mega sent to the host */

#endif
