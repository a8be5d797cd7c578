/* From readings to values: hall fields, ring counts, load cells; each with its hysteresis. */
#ifndef ANALOG_H
#define ANALOG_H

#include <stdbool.h>
#include <stdint.h>

#include "inputs.h"

void analog_hall(uint8_t socket, uint8_t reading, uint32_t t_us);
void analog_ladder(uint8_t socket, uint8_t reading, uint32_t t_us);
void analog_holder(uint8_t holder, int32_t raw, uint32_t t_us);
void analog_holder_silent(uint8_t holder, uint32_t t_us);

/* The last readings, for calibration. */
uint8_t analog_hall_reading(uint8_t socket);
uint8_t analog_ladder_reading(uint8_t socket);
int32_t analog_holder_reading(uint8_t holder);
bool analog_holder_answers(uint8_t holder);

#endif
