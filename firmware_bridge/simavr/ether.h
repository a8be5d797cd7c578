/* nRF24L01+ models in one ether, on one clock in ns. Deterministic: all that is random comes from one seed. */
#ifndef ETHER_H
#define ETHER_H

#include <stdbool.h>
#include <stdint.h>

enum { RADIOS_MAX = 12, PAYLOAD_MAX = 32 };

struct ether_counts {
    uint32_t sent, answers, lost, collided, echoed, doubled, refused, delivered, jammed;
};
extern struct ether_counts ether_counts;

/* `loss`: of each packet and each answer, at each receiver. `echo`: packets that are heard a second time up to 60 ms later.
   `jam`: the share of time in which a stranger sends on the channel, in bursts of 1 to 5 ms. */
extern double ether_loss, ether_echo, ether_jam;
extern uint64_t ether_startup_ns;

void ether_begin(uint64_t seed);
double ether_random(void); /* 0 to 1 */

/* A radio's pins and bus, at the time of the part that drives them. */
void radio_ce(int radio, bool high, uint64_t now_ns);
void radio_csn(int radio, bool high, uint64_t now_ns);
uint8_t radio_exchange(int radio, uint8_t byte, uint64_t now_ns); /* a byte in; the one that goes out meanwhile */
uint8_t radio_next_out(int radio);                                /* for a bus by bits: the byte about to go out */
bool radio_is_off(int radio);
void radio_power(int radio, bool on, uint64_t now_ns); /* its supply: it forgets everything */
double radio_charge_uc(int radio, uint64_t now_ns);    /* drawn so far, in microcoulombs */

uint64_t ether_next_ns(void);
void ether_event(void);

/* What the outside provides. */
void outside_radio_irq(int radio, bool low);
void outside_radio_heard(int radio, int pipe, const uint8_t *bytes, int length, uint64_t now_ns);

#endif
