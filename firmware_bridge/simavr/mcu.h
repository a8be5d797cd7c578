/* One simulated ATmega2560, with what simavr 1.6 needs to behave like the real part (README.md, "simavr 1.6"). */
#ifndef MCU_H
#define MCU_H

#include <stdbool.h>
#include <stdint.h>

enum { MCU_MHZ = 16 };
enum { RESET_POWER = 0x01, RESET_PIN = 0x02, RESET_WATCHDOG = 0x08 };

void mcu_load(const char *elf_path); /* exits with a message when the file cannot be used */
void mcu_start(uint8_t reset_cause); /* also restarts: contacts and EEPROM stay as they are */

/* Runs up to the given simulated time, in µs since the first start; the outside is called at each event's time. */
void mcu_run_to(uint64_t until_us);
uint64_t mcu_now_us(void);
uint64_t mcu_now_ns(void);

void mcu_input(char port, uint8_t bit, bool high);
void mcu_receive(uint8_t byte);
uint32_t mcu_byte_us_x100(void); /* one byte on the wire, in hundredths of a µs */

/* What the outside provides. */
uint64_t outside_next_us(void);
void outside_event(uint64_t now_us);
void outside_pin(char port, uint8_t bit, bool high);
uint8_t outside_spi(uint8_t byte); /* a byte out; the one that comes in meanwhile */
void outside_sent(uint8_t byte);
uint32_t outside_analog_mv(uint8_t channel);
void outside_reset(uint8_t cause);

#endif
