#include "mcu.h"

#include <avr_adc.h>
#include <avr_eeprom.h>
#include <avr_extint.h>
#include <avr_ioport.h>
#include <avr_spi.h>
#include <avr_uart.h>
#include <sim_avr.h>
#include <sim_elf.h>
#include <sim_io.h>
#include <sim_time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ports[] = "ABCDEFGHJKL";
enum { PORTS = sizeof ports - 1, EEPROM_BYTES = 4096 };
enum { ADDRESS_SPDR = 0x4E, ADDRESS_MCUSR = 0x54, ADDRESS_UCSR0A = 0xC0, ADDRESS_UBRR0L = 0xC4, ADDRESS_UBRR0H = 0xC5, U2X = 1 << 1 };

static elf_firmware_t firmware;
static avr_t *avr;
static avr_uart_t *uart;
static uint64_t base_cycles; /* of the lives before this one */
static uint8_t outside_mask[PORTS], outside_level[PORTS];
static uint8_t eeprom[EEPROM_BYTES];
static bool reset_seen;

static int port_index(char port) { return (int)(strchr(ports, port) - ports); }

static void quiet(avr_t *unused, const int level, const char *format, va_list args) {
    (void)unused;
    if (level == LOG_ERROR) vfprintf(stderr, format, args);
}

static void no_sleep(avr_t *unused, avr_cycle_count_t cycles) {
    (void)unused;
    (void)cycles;
}

static void on_pin(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    uintptr_t which = (uintptr_t)param;
    outside_pin(ports[which >> 3], which & 7, value & 1);
}

/* simavr takes 100 µs for any SPI byte, whatever its rate; here a byte is through at once instead of in 2 µs. It hangs on
   the write: the register's own IRQ is raised by a read as well, and a read sends nothing. */
static void on_spi(avr_t *unused, avr_io_addr_t address, uint8_t value, void *param) {
    (void)unused;
    (void)address;
    (void)param;
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_INPUT), outside_spi(value));
}

static void on_sent(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    (void)param;
    outside_sent((uint8_t)value);
}

static void on_conversion(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    (void)param;
    union {
        avr_adc_mux_t mux;
        uint32_t value;
    } which = {.value = value};
    if (which.mux.kind != ADC_MUX_SINGLE) return;
    avr_irq_t *input = avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + which.mux.src);
    avr_raise_irq(input, outside_analog_mv(which.mux.src));
}

static void on_reset(avr_t *unused) {
    (void)unused;
    reset_seen = true;
}

static void tell_level(int port) {
    avr_ioport_external_t external = {
        .name = ports[port], .mask = outside_mask[port], .value = outside_level[port] & outside_mask[port]};
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(ports[port]), &external);
}

void mcu_input(char port, uint8_t bit, bool high) {
    int index = port_index(port);
    outside_mask[index] |= 1 << bit;
    outside_level[index] = (outside_level[index] & ~(1 << bit)) | high << bit;
    if (!avr) return;
    /* The level must be recorded as well as raised, or the next write to the port releases the contact. */
    tell_level(index);
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), bit), high);
}

void mcu_receive(uint8_t byte) { avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), byte); }

static uint64_t cycles_per_byte(void) {
    uint64_t divisor = (avr->data[ADDRESS_UBRR0H] & 0x0F) << 8 | avr->data[ADDRESS_UBRR0L];
    return 10 * (avr->data[ADDRESS_UCSR0A] & U2X ? 8 : 16) * (divisor + 1);
}

uint32_t mcu_byte_us_x100(void) { return (uint32_t)(cycles_per_byte() * 100 / MCU_MHZ); }

uint64_t mcu_now_ns(void) { return (base_cycles + (avr ? avr->cycle : 0)) * 125 / 2; }

uint64_t mcu_now_us(void) { return (base_cycles + (avr ? avr->cycle : 0)) / MCU_MHZ; }

void mcu_load(const char *elf_path) {
    avr_global_logger_set(quiet);
    if (elf_read_firmware(elf_path, &firmware) != 0) {
        fprintf(stderr, "%s: not a firmware\n", elf_path);
        exit(2);
    }
    strcpy(firmware.mmcu, "atmega2560");
    firmware.frequency = MCU_MHZ * 1000000;
    memset(eeprom, 0xFF, sizeof eeprom);
}

static void tear_down(void) {
    avr_eeprom_desc_t all = {.ee = eeprom, .offset = 0, .size = sizeof eeprom};
    avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &all);
    base_cycles += avr->cycle;
    avr_terminate(avr);
    free(avr);
    avr = NULL;
}

/* A reset builds the part anew: avr_reset() leaves stale pins and timers behind. */
void mcu_start(uint8_t reset_cause) {
    if (avr) tear_down();
    avr = avr_make_mcu_by_name(firmware.mmcu);
    if (!avr || avr_init(avr) != 0) {
        fprintf(stderr, "this simavr has no %s\n", firmware.mmcu);
        exit(2);
    }
    avr_load_firmware(avr, &firmware);
    avr->vcc = avr->avcc = avr->aref = 5000;
    avr->sleep = no_sleep;
    avr->reset = on_reset;
    avr->log = LOG_ERROR;
    avr->data[ADDRESS_MCUSR] = reset_cause;
    avr_eeprom_desc_t all = {.ee = eeprom, .offset = 0, .size = sizeof eeprom};
    avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &all);
    for (int n = 0; n < 8; n++) avr_extint_set_strict_lvl_trig(avr, n, 0); /* else a poll at every cycle */
    uint32_t flags = 0; /* neither printed nor slept upon */
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (strcmp(io->kind, "uart") == 0 && ((avr_uart_t *)io)->name == '0') uart = (avr_uart_t *)io;
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_sent, NULL);
    avr_register_io_write(avr, ADDRESS_SPDR, on_spi, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER), on_conversion, NULL);
    for (int port = 0; port < PORTS; port++) {
        for (int bit = 0; bit < 8; bit++) {
            avr_irq_t *pin = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(ports[port]), bit);
            avr_irq_register_notify(pin, on_pin, (void *)(uintptr_t)(port << 3 | bit));
        }
        tell_level(port);
        for (int bit = 0; bit < 8; bit++)
            if (outside_mask[port] >> bit & 1) mcu_input(ports[port], bit, outside_level[port] >> bit & 1);
    }
    reset_seen = false;
    outside_reset(reset_cause);
}

enum { STOP_AGAIN_CYCLES = 8 };

/* Goes on firing until the slice is left: where SLEEP is the slice's very last instruction, the part would else sleep on to
   its own next event. */
static avr_cycle_count_t stop(avr_t *unused, avr_cycle_count_t when, void *param) {
    (void)unused;
    (void)param;
    return when + STOP_AGAIN_CYCLES;
}

/* Without a timer at its end a sleeping part would run on to its own next event. */
static void run_slice(uint64_t until_us) {
    uint64_t until = until_us * MCU_MHZ;
    uint64_t before = base_cycles;
    if (until <= before + avr->cycle) return;
    avr_cycle_timer_register(avr, until - before - avr->cycle, stop, NULL);
    while (base_cycles + avr->cycle < until) {
        avr->run_cycle_limit = 1000000;
        uart->cycles_per_byte = cycles_per_byte(); /* simavr counts a parity bit that is not there */
        int state = avr_run(avr);
        if (reset_seen) {
            mcu_start(RESET_WATCHDOG);
            avr_cycle_timer_register(avr, until - base_cycles, stop, NULL);
        } else if (state == cpu_Crashed || state == cpu_Done) {
            fprintf(stderr, "the firmware crashed at %llu us\n", (unsigned long long)mcu_now_us());
            exit(3);
        }
    }
    avr_cycle_timer_cancel(avr, stop, NULL);
}

void mcu_run_to(uint64_t until_us) {
    while (mcu_now_us() < until_us) {
        uint64_t event_us = outside_next_us();
        run_slice(event_us < until_us ? event_us : until_us);
        if (event_us <= mcu_now_us()) outside_event(mcu_now_us());
    }
    while (outside_next_us() <= mcu_now_us()) outside_event(mcu_now_us());
}
