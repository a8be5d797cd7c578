#include "air.h"

#include <avr_adc.h>
#include <avr_eeprom.h>
#include <avr_ioport.h>
#include <sim_avr.h>
#include <sim_elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../avr/cap/attiny/pins.h"
#include "../avr/src/cap_packet.h"
#include "ether.h"
#include "mcu.h"

/* With a radio on, less than any radio needs to begin to send: nothing can come too late. With all off, less than one needs
   to start. */
enum { SLICE_US = 100, QUIET_SLICE_US = 1000, STOP_AGAIN_CYCLES = 8 };
enum { CLOSES_AFTER_US = 80000, CELL_MV = 3000, BANDGAP_MV = 1100, SLEEP_MODES = 0x18, POWER_DOWN = 0x10, ADDRESS_MCUCR = 0x55 };
/* MUX5 is not known to simavr's tiny84: the bandgap's channel 0x21 arrives as channel 1. */
enum { BANDGAP_SEEN_AS = 1 };
#define CLOCK_HZ 4e6

static struct cap {
    avr_t *avr;
    double hz;
    uint64_t born_ns; /* its cycle 0 */
    bool powered, csn, sck, mosi;
    uint8_t bits, in, levels; /* of the switches: 1 open */
    int end;
    uint64_t closes_us;
    avr_irq_t *miso, *irq;
    uint64_t awake_cycles, cycles_before;
    unsigned sleeps, deep;
    uint32_t mv;
    uint8_t eeprom[512];
} caps[CAPS_MAX];

static elf_firmware_t firmware;
static int count;
static uint64_t air_us;
static struct ether_counts *counts = &ether_counts;

bool air_is_on(void) { return count > 0; }

static uint64_t cap_ns(const struct cap *cap) { return cap->born_ns + (uint64_t)((double)cap->avr->cycle / cap->hz * 1e9); }

static void no_sleep(avr_t *avr, avr_cycle_count_t cycles) {
    (void)avr;
    (void)cycles;
}

void outside_radio_irq(int radio, bool low) {
    if (radio == RECEIVER)
        outside_receiver_irq(low);
    else if (caps[radio].avr)
        avr_raise_irq(caps[radio].irq, !low);
}

void outside_radio_heard(int radio, int pipe, const uint8_t *bytes, int length, uint64_t now_ns) {
    if (radio != RECEIVER) return;
    printf("PACKET %llu %d ", (unsigned long long)(now_ns / 1000), pipe);
    for (int n = 0; n < length; n++) printf("%02x", bytes[n]);
    putchar('\n');
}

static void on_bus(int number, int pin, bool high) {
    struct cap *cap = &caps[number];
    uint64_t now_ns = cap_ns(cap);
    if (1 << pin == MOSI) cap->mosi = high;
    if (1 << pin == CE) radio_ce(number, high, now_ns);
    if (1 << pin == CSN && high != cap->csn) {
        cap->csn = high;
        cap->bits = 0;
        radio_csn(number, high, now_ns);
        avr_raise_irq(cap->miso, radio_next_out(number) >> 7 & 1);
    }
    if (1 << pin != SCK || high == cap->sck) return;
    cap->sck = high;
    if (cap->csn) return;
    if (high) {
        cap->in = (uint8_t)(cap->in << 1 | cap->mosi);
        cap->bits++;
        return;
    }
    if (cap->bits == 8) {
        radio_exchange(number, cap->in, now_ns);
        cap->bits = 0;
    }
    avr_raise_irq(cap->miso, radio_next_out(number) >> (7 - cap->bits) & 1);
}

static void on_pin(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    intptr_t which = (intptr_t)param;
    on_bus((int)(which >> 3), (int)(which & 7), value & 1);
}

static void on_conversion(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    (void)value;
    struct cap *cap = param;
    avr_raise_irq(avr_io_getirq(cap->avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + BANDGAP_SEEN_AS), BANDGAP_MV);
}

static int pin_of(int mask) {
    int pin = 0;
    while (mask >> pin != 1) pin++;
    return pin;
}

static void tell_switches(struct cap *cap) {
    if (!cap->avr) return;
    avr_ioport_external_t external = {.name = 'B', .mask = SWITCH_A | SWITCH_B, .value = cap->levels};
    avr_ioctl(cap->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('B'), &external);
    for (int bit = 0; bit < 2; bit++) avr_raise_irq(avr_io_getirq(cap->avr, AVR_IOCTL_IOPORT_GETIRQ('B'), bit), cap->levels >> bit & 1);
}

static void start(int number) {
    struct cap *cap = &caps[number];
    cap->avr = avr_make_mcu_by_name(firmware.mmcu);
    if (!cap->avr || avr_init(cap->avr) != 0) {
        fprintf(stderr, "this simavr has no %s\n", firmware.mmcu);
        exit(2);
    }
    avr_load_firmware(cap->avr, &firmware);
    cap->avr->vcc = cap->avr->avcc = cap->mv;
    cap->avr->sleep = no_sleep;
    cap->avr->log = LOG_ERROR;
    cap->csn = true;
    cap->sck = cap->mosi = false;
    cap->bits = 0;
    cap->born_ns = air_us * 1000;
    for (int pin = pin_of(CE); pin <= pin_of(MOSI); pin++)
        avr_irq_register_notify(avr_io_getirq(cap->avr, AVR_IOCTL_IOPORT_GETIRQ('A'), pin), on_pin, (void *)(intptr_t)(number << 3 | pin));
    avr_irq_register_notify(avr_io_getirq(cap->avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER), on_conversion, cap);
    cap->miso = avr_io_getirq(cap->avr, AVR_IOCTL_IOPORT_GETIRQ('A'), pin_of(MISO));
    cap->irq = avr_io_getirq(cap->avr, AVR_IOCTL_IOPORT_GETIRQ('A'), pin_of(IRQ));
    avr_eeprom_desc_t all = {.ee = cap->eeprom, .offset = 0, .size = sizeof cap->eeprom};
    avr_ioctl(cap->avr, AVR_IOCTL_EEPROM_SET, &all);
    cap->powered = true;
    radio_power(number, true, cap->born_ns);
    avr_raise_irq(cap->irq, 1);
    tell_switches(cap);
}

void air_begin(const char *elf_path, const char *glasses, double clock_off, uint64_t seed) {
    if (elf_read_firmware(elf_path, &firmware) != 0 || strlen(glasses) > CAPS_MAX) {
        fprintf(stderr, "%s: no firmware, or too many caps\n", elf_path);
        exit(2);
    }
    strcpy(firmware.mmcu, "attiny84");
    firmware.frequency = (uint32_t)CLOCK_HZ;
    ether_begin(seed);
    count = (int)strlen(glasses);
    for (int n = 0; n < count; n++) {
        struct cap *cap = &caps[n];
        memset(cap->eeprom, 0xFF, sizeof cap->eeprom);
        cap->eeprom[0] = (uint8_t)(glasses[n] - '0');
        cap->eeprom[1] = (uint8_t)(0x40 + n);
        cap->eeprom[2] = 0x1C;
        cap->hz = CLOCK_HZ * (1 + clock_off * (2 * ether_random() - 1));
        cap->mv = CELL_MV;
        cap->levels = SWITCH_B; /* end a up: its switch is closed, the other open */
        cap->closes_us = UINT64_MAX;
        start(n);
    }
}

void air_turn(int number, int end) {
    if (number >= count) return;
    struct cap *cap = &caps[number];
    cap->end = end;
    cap->levels = SWITCH_A | SWITCH_B;
    tell_switches(cap);
    cap->closes_us = mcu_now_us() + CLOSES_AFTER_US;
}

void air_ends(int number, uint8_t ends) {
    if (number >= count) return;
    struct cap *cap = &caps[number];
    cap->closes_us = UINT64_MAX;
    cap->levels = (ends & ENDS_A ? 0 : SWITCH_A) | (ends & ENDS_B ? 0 : SWITCH_B);
    tell_switches(cap);
}

void air_power(int number, bool on) {
    if (number >= count || caps[number].powered == on) return;
    struct cap *cap = &caps[number];
    if (on) {
        start(number);
        return;
    }
    avr_eeprom_desc_t all = {.ee = cap->eeprom, .offset = 0, .size = sizeof cap->eeprom};
    avr_ioctl(cap->avr, AVR_IOCTL_EEPROM_GET, &all);
    cap->cycles_before += cap->avr->cycle;
    cap->powered = false;
    avr_terminate(cap->avr);
    free(cap->avr);
    cap->avr = NULL;
    radio_power(number, false, air_us * 1000);
}

void air_cell(int number, uint32_t mv) {
    if (number >= count) return;
    caps[number].mv = mv;
    if (caps[number].avr) caps[number].avr->vcc = caps[number].avr->avcc = mv;
}

uint8_t air_mega_exchange(uint8_t byte) { return count ? radio_exchange(RECEIVER, byte, mcu_now_ns()) : 0xFF; }

void air_mega_csn(bool high) {
    if (count) radio_csn(RECEIVER, high, mcu_now_ns());
}

void air_mega_ce(bool high) {
    if (count) radio_ce(RECEIVER, high, mcu_now_ns());
}

static avr_cycle_count_t stop(avr_t *avr, avr_cycle_count_t when, void *param) {
    (void)avr;
    (void)param;
    return when + STOP_AGAIN_CYCLES;
}

static void run_to(struct cap *cap, uint64_t until_us) {
    if (!cap->avr) return;
    avr_t *avr = cap->avr;
    avr_cycle_count_t until = (avr_cycle_count_t)((double)(until_us * 1000 - cap->born_ns) * cap->hz / 1e9);
    if (avr->cycle >= until) return;
    avr_cycle_timer_register(avr, until - avr->cycle, stop, NULL);
    while (avr->cycle < until) {
        bool slept = avr->state == cpu_Sleeping;
        avr_cycle_count_t before = avr->cycle;
        avr->run_cycle_limit = 1000000;
        int state = avr_run(avr);
        if (!slept) cap->awake_cycles += avr->cycle - before;
        if (state == cpu_Sleeping && !slept) {
            cap->sleeps++;
            if ((avr->data[ADDRESS_MCUCR] & SLEEP_MODES) == POWER_DOWN) cap->deep++;
        }
        if (state == cpu_Crashed || state == cpu_Done) {
            fprintf(stderr, "a cap's firmware crashed at %llu us\n", (unsigned long long)until_us);
            exit(3);
        }
    }
    avr_cycle_timer_cancel(avr, stop, NULL);
}

static bool all_are_off(void) {
    for (int n = 0; n < count; n++)
        if (!radio_is_off(n)) return false;
    return true;
}

uint64_t air_next_us(void) {
    if (!count) return UINT64_MAX;
    uint64_t next = air_us + (all_are_off() ? QUIET_SLICE_US : SLICE_US), ether_ns = ether_next_ns();
    if (ether_ns != UINT64_MAX && (ether_ns + 999) / 1000 < next) next = (ether_ns + 999) / 1000;
    for (int n = 0; n < count; n++)
        if (caps[n].closes_us < next) next = caps[n].closes_us;
    return next;
}

void air_event(uint64_t now_us) {
    if (!count || now_us <= air_us) return;
    for (int n = 0; n < count; n++) run_to(&caps[n], now_us);
    air_us = now_us;
    while (ether_next_ns() <= now_us * 1000) ether_event();
    for (int n = 0; n < count; n++) {
        struct cap *cap = &caps[n];
        if (cap->closes_us > now_us) continue;
        cap->closes_us = UINT64_MAX;
        cap->levels &= cap->end ? ~SWITCH_B : ~SWITCH_A;
        tell_switches(cap);
    }
}

void air_tell(void) {
    printf("AIR %u %u %u %u %u %u %u %u %u\n", counts->sent, counts->answers, counts->lost, counts->collided, counts->echoed,
           counts->doubled, counts->refused, counts->delivered, counts->jammed);
    for (int n = 0; n < count; n++) {
        struct cap *cap = &caps[n];
        printf("CAP %d %.0f %.0f %llu %u %u\n", n, 1e6 * (cap->hz / CLOCK_HZ - 1), radio_charge_uc(n, air_us * 1000),
               (unsigned long long)((double)cap->awake_cycles / cap->hz * 1e3), cap->sleeps, cap->deep);
    }
}
