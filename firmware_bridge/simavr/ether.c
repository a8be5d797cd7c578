#include "ether.h"

#include <stdlib.h>
#include <string.h>

#include "../avr/src/nrf24.h"

/* Times and currents: nRF24L01+ Product Specification v1.0, tables 13, 14, 16 and section 7.4. There is no gain control, no
   fading and no capture: whatever overlaps on the air is lost. */
enum { TURNAROUND_NS = 130000, PIPES = 6, FIFO = 3, OWN_ADDRESS = 6, EVENTS_MAX = 256, ECHO_NS = 60000000 };
enum { FIRST_JAM_NS = 1000000, JAM_SHORTEST_NS = 1000000, JAM_SPREAD_NS = 4000000 };
static const double OFF_A = 0.9e-6, STARTING_A = 400e-6, STANDBY_A = 26e-6, SENDING_A = 11.3e-3, HEARING_A = 13.1e-3, SETTLING_A = 8e-3;

enum state { OFF, STARTING, STANDBY, SETTLING, SENDING, ANSWER_SETTLING, ANSWER_WAITING, LISTENING, ANSWERING };

struct payload {
    uint8_t pipe, length, bytes[PAYLOAD_MAX];
};

static struct radio {
    uint8_t reg[32], address[PIPES + 1][CAP_ADDRESS_BYTES];
    struct payload rx[FIFO], tx[FIFO];
    int rx_count, tx_count;
    enum state state;
    uint64_t state_since_ns, epoch, settled_ns;
    double charge;
    bool ce, csn_low, irq_low, without_power;
    uint8_t bus_count, bus_command, bus_out, pid, retries;
    bool heard_any[PIPES];
    uint8_t last_pid[PIPES], last[PIPES][PAYLOAD_MAX];
} radios[RADIOS_MAX];

struct ether_counts ether_counts;
double ether_loss, ether_echo, ether_jam;
uint64_t ether_startup_ns = 1500000;

static uint64_t noise;

double ether_random(void) {
    noise ^= noise << 13;
    noise ^= noise >> 7;
    noise ^= noise << 17;
    return (double)(noise >> 11) / 9007199254740992.0;
}

enum kind { STEP, AIR_END, ANSWER_START, ECHO, JAM_START };

struct air {
    uint8_t address[CAP_ADDRESS_BYTES], channel, pid, length, bytes[PAYLOAD_MAX];
    uint64_t from_ns, to_ns;
    bool is_answer, spoilt, is_jam;
    int from;
};

struct event {
    uint64_t at_ns, order, epoch;
    enum kind kind;
    int radio;
    struct air air;
};

static struct event events[EVENTS_MAX];
static int event_count;
static uint64_t order;

static void post(struct event event) {
    if (event_count == EVENTS_MAX) abort();
    event.order = order++;
    events[event_count++] = event;
}

static bool earlier(const struct event *a, const struct event *b) {
    return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->order < b->order;
}

static int first(void) {
    int best = -1;
    for (int n = 0; n < event_count; n++)
        if (best < 0 || earlier(&events[n], &events[best])) best = n;
    return best;
}

uint64_t ether_next_ns(void) {
    int n = first();
    return n < 0 ? UINT64_MAX : events[n].at_ns;
}

void ether_begin(uint64_t seed) {
    noise = seed * 0x9E3779B97F4A7C15ull + 88172645463325252ull;
    for (int n = 0; n < 8; n++) ether_random();
    post((struct event){.at_ns = FIRST_JAM_NS, .kind = JAM_START, .radio = -1});
}

static double ampere(enum state state) {
    switch (state) {
        case OFF: return OFF_A;
        case STARTING: return STARTING_A;
        case SENDING:
        case ANSWERING: return SENDING_A;
        case ANSWER_WAITING:
        case LISTENING: return HEARING_A;
        case SETTLING:
        case ANSWER_SETTLING: return SETTLING_A;
        default: return STANDBY_A;
    }
}

static void account(struct radio *r, uint64_t now_ns) {
    if (!r->without_power) r->charge += ampere(r->state) * (double)(now_ns - r->state_since_ns) * 1e-3;
    r->state_since_ns = now_ns;
}

/* A new state voids whatever was to come of the old one. */
static void enter(struct radio *r, enum state state, uint64_t now_ns) {
    account(r, now_ns);
    r->state = state;
    r->epoch++;
}

bool radio_is_off(int n) { return radios[n].state == OFF; }

double radio_charge_uc(int n, uint64_t now_ns) {
    account(&radios[n], now_ns);
    return radios[n].charge;
}

static void step_at(int n, uint64_t at_ns) {
    post((struct event){.at_ns = at_ns, .epoch = radios[n].epoch, .kind = STEP, .radio = n});
}

static void look_at_irq(int n) {
    struct radio *r = &radios[n];
    bool low = r->reg[NRF_STATUS] & ~r->reg[NRF_CONFIG] & (NRF_RX_DR | NRF_TX_DS | NRF_MAX_RT);
    if (low == r->irq_low) return;
    r->irq_low = low;
    outside_radio_irq(n, low);
}

void radio_power(int n, bool on, uint64_t now_ns) {
    struct radio *r = &radios[n];
    enter(r, OFF, now_ns);
    struct radio fresh = {.epoch = r->epoch, .charge = r->charge, .state_since_ns = now_ns, .irq_low = r->irq_low, .without_power = !on};
    *r = fresh;
    look_at_irq(n);
}

static uint64_t air_ns(const struct radio *r, int length) {
    int bits = 8 * (1 + CAP_ADDRESS_BYTES + length + (r->reg[NRF_CONFIG] & NRF_CRC_16 ? 2 : 1)) + 9;
    uint64_t bit_ns = r->reg[NRF_RF_SETUP] & 0x20 ? 4000 : r->reg[NRF_RF_SETUP] & 0x08 ? 500 : 1000;
    return (uint64_t)bits * bit_ns;
}

/* Whoever overlaps spoils both. */
static void put_on_air(struct air air, int radio) {
    for (int n = 0; n < event_count; n++) {
        struct air *other = &events[n].air;
        if (events[n].kind != AIR_END || other->channel != air.channel || other->to_ns <= air.from_ns) continue;
        other->spoilt = air.spoilt = true;
    }
    post((struct event){.at_ns = air.to_ns, .kind = AIR_END, .radio = radio, .air = air});
}

static void emit(int n, struct air air, uint64_t now_ns) {
    air.from = n;
    air.from_ns = now_ns;
    air.to_ns = now_ns + air_ns(&radios[n], air.length);
    ether_counts.sent += !air.is_answer;
    ether_counts.answers += air.is_answer;
    put_on_air(air, n);
}

static void jam(uint64_t now_ns) {
    uint64_t span_ns = JAM_SHORTEST_NS + (uint64_t)(ether_random() * JAM_SPREAD_NS);
    uint64_t pause_ns = span_ns;
    if (ether_jam > 0) {
        struct air air = {.channel = CAP_CHANNEL, .from = -1, .is_jam = true, .from_ns = now_ns, .to_ns = now_ns + span_ns};
        ether_counts.jammed++;
        put_on_air(air, -1);
        pause_ns = (uint64_t)((double)span_ns * (1 / ether_jam - 1) * 2 * ether_random());
    }
    post((struct event){.at_ns = now_ns + span_ns + pause_ns, .kind = JAM_START, .radio = -1});
}

static void maybe_start(int n, uint64_t now_ns) {
    struct radio *r = &radios[n];
    if (r->state != STANDBY || !r->ce) return;
    if (!(r->reg[NRF_CONFIG] & NRF_PRIM_RX)) {
        if (!r->tx_count || r->reg[NRF_STATUS] & NRF_MAX_RT) return;
        r->retries = 0;
    }
    enter(r, SETTLING, now_ns);
    step_at(n, now_ns + TURNAROUND_NS);
}

static void send(int n, uint64_t now_ns) {
    struct radio *r = &radios[n];
    struct air air = {.channel = r->reg[NRF_RF_CH], .pid = r->pid, .length = r->tx[0].length};
    memcpy(air.address, r->address[OWN_ADDRESS], sizeof air.address);
    memcpy(air.bytes, r->tx[0].bytes, PAYLOAD_MAX);
    enter(r, SENDING, now_ns);
    emit(n, air, now_ns);
}

static void drop_sent(struct radio *r) {
    if (!r->tx_count) return;
    memmove(r->tx, r->tx + 1, (FIFO - 1) * sizeof r->tx[0]);
    r->tx_count--;
    r->pid = (r->pid + 1) & 3;
}

static void no_answer(int n, uint64_t now_ns) {
    struct radio *r = &radios[n];
    if (r->retries < (r->reg[NRF_SETUP_RETR] & 15)) {
        r->retries++;
        enter(r, SETTLING, now_ns);
        step_at(n, now_ns + TURNAROUND_NS);
        return;
    }
    r->reg[NRF_STATUS] |= NRF_MAX_RT;
    r->pid = (r->pid + 1) & 3; /* a new payload is to follow */
    enter(r, STANDBY, now_ns);
    look_at_irq(n);
}

static void step(int n, uint64_t now_ns) {
    struct radio *r = &radios[n];
    switch (r->state) {
        case STARTING:
            enter(r, STANDBY, now_ns);
            maybe_start(n, now_ns);
            break;
        case SETTLING:
            if (r->reg[NRF_CONFIG] & NRF_PRIM_RX) {
                enter(r, LISTENING, now_ns);
                r->settled_ns = now_ns;
            } else {
                send(n, now_ns);
            }
            break;
        case ANSWER_SETTLING: /* it listens until the delay before a repetition is over */
            enter(r, ANSWER_WAITING, now_ns);
            r->settled_ns = now_ns;
            step_at(n, now_ns - TURNAROUND_NS + 250000ull * ((r->reg[NRF_SETUP_RETR] >> 4) + 1));
            break;
        case ANSWER_WAITING: no_answer(n, now_ns); break;
        default: break;
    }
}

static bool is_lost(void) {
    if (ether_random() >= ether_loss) return false;
    ether_counts.lost++;
    return true;
}

static void hear_answer(int n, const struct air *air, uint64_t now_ns) {
    struct radio *r = &radios[n];
    if (!air->is_answer || memcmp(air->address, r->address[0], sizeof air->address) || is_lost()) return;
    r->reg[NRF_STATUS] |= NRF_TX_DS;
    drop_sent(r);
    enter(r, STANDBY, now_ns);
    look_at_irq(n);
}

static void take_in(int n, int pipe, const struct air *air, uint64_t now_ns) {
    struct radio *r = &radios[n];
    struct payload *payload = &r->rx[r->rx_count++];
    payload->pipe = (uint8_t)pipe;
    payload->length = air->length;
    memcpy(payload->bytes, air->bytes, PAYLOAD_MAX);
    r->heard_any[pipe] = true;
    r->last_pid[pipe] = air->pid;
    memcpy(r->last[pipe], air->bytes, air->length);
    ether_counts.delivered++;
    outside_radio_heard(n, pipe, air->bytes, air->length, now_ns);
    r->reg[NRF_STATUS] |= NRF_RX_DR;
    look_at_irq(n);
}

static void hear(int n, const struct air *air, uint64_t now_ns) {
    struct radio *r = &radios[n];
    if (r->reg[NRF_RF_CH] != air->channel || r->settled_ns > air->from_ns) return;
    if (r->state == ANSWER_WAITING) hear_answer(n, air, now_ns);
    if (r->state != LISTENING || air->is_answer) return;
    int pipe = -1;
    for (int p = 0; p < PIPES; p++)
        if (r->reg[NRF_EN_RXADDR] >> p & 1 && memcmp(air->address, r->address[p], sizeof air->address) == 0) pipe = p;
    if (pipe < 0 || is_lost()) return;
    bool doubled = r->heard_any[pipe] && r->last_pid[pipe] == air->pid && memcmp(r->last[pipe], air->bytes, air->length) == 0;
    if (doubled) {
        ether_counts.doubled++;
    } else if (r->rx_count == FIFO) {
        ether_counts.refused++;
        return; /* and no answer either */
    } else {
        take_in(n, pipe, air, now_ns);
    }
    if (!(r->reg[NRF_EN_AA] >> pipe & 1) || air->from < 0) return;
    enter(r, ANSWERING, now_ns);
    struct air answer = {.is_answer = true, .channel = air->channel, .pid = air->pid, .from = n};
    memcpy(answer.address, air->address, sizeof answer.address);
    post((struct event){.at_ns = now_ns + TURNAROUND_NS, .epoch = r->epoch, .kind = ANSWER_START, .radio = n, .air = answer});
}

static void sent(int n, const struct air *air, uint64_t now_ns) {
    struct radio *r = &radios[n];
    if (r->state == SENDING && r->reg[NRF_EN_AA] & 1) {
        enter(r, ANSWER_SETTLING, now_ns);
        step_at(n, now_ns + TURNAROUND_NS);
    } else if (r->state == SENDING) {
        r->reg[NRF_STATUS] |= NRF_TX_DS;
        drop_sent(r);
        enter(r, STANDBY, now_ns);
        look_at_irq(n);
    } else if (r->state == ANSWERING && air->is_answer) {
        enter(r, LISTENING, now_ns);
        r->settled_ns = now_ns;
    }
}

static void ended(struct event *event) {
    uint64_t now_ns = event->at_ns;
    if (event->air.is_jam) return;
    sent(event->radio, &event->air, now_ns);
    if (event->air.spoilt) {
        ether_counts.collided++;
        return;
    }
    uint32_t delivered = ether_counts.delivered;
    for (int n = 0; n < RADIOS_MAX; n++)
        if (n != event->radio) hear(n, &event->air, now_ns);
    /* Only what was heard is heard again: a packet that came late for the first time would bring a wrong age, and no radio
       does that. */
    if (event->air.is_answer || ether_counts.delivered == delivered || ether_random() >= ether_echo) return;
    ether_counts.echoed++;
    struct event echo = *event;
    echo.kind = ECHO;
    echo.air.from = -1;
    echo.at_ns = echo.air.from_ns = now_ns + (uint64_t)(ether_random() * ECHO_NS);
    post(echo);
}

void ether_event(void) {
    int at = first();
    struct event event = events[at];
    events[at] = events[--event_count];
    switch (event.kind) {
        case STEP:
            if (radios[event.radio].epoch == event.epoch) step(event.radio, event.at_ns);
            break;
        case ANSWER_START:
            if (radios[event.radio].epoch == event.epoch) emit(event.radio, event.air, event.at_ns);
            break;
        case ECHO:
            for (int n = 0; n < RADIOS_MAX; n++) hear(n, &event.air, event.at_ns);
            break;
        case JAM_START: jam(event.at_ns); break;
        case AIR_END: ended(&event); break;
    }
}

void radio_ce(int n, bool high, uint64_t now_ns) {
    struct radio *r = &radios[n];
    r->ce = high;
    if (high)
        maybe_start(n, now_ns);
    else if (r->state == LISTENING)
        enter(r, STANDBY, now_ns);
}

static void write_register(int n, uint8_t reg, uint8_t value, uint64_t now_ns) {
    struct radio *r = &radios[n];
    if (reg == NRF_STATUS) {
        r->reg[NRF_STATUS] &= ~(value & (NRF_RX_DR | NRF_TX_DS | NRF_MAX_RT));
        look_at_irq(n);
        maybe_start(n, now_ns);
        return;
    }
    r->reg[reg] = value;
    if (reg != NRF_CONFIG) return;
    if (value & NRF_PWR_UP && r->state == OFF) {
        enter(r, STARTING, now_ns);
        step_at(n, now_ns + ether_startup_ns);
    }
    if (!(value & NRF_PWR_UP) && r->state != OFF) enter(r, OFF, now_ns);
    look_at_irq(n);
}

void radio_csn(int n, bool high, uint64_t now_ns) {
    struct radio *r = &radios[n];
    if (r->without_power) return;
    if (high && r->csn_low) {
        if (r->bus_command == NRF_WRITE_PAYLOAD && r->bus_count > 1 && r->tx_count < FIFO) {
            r->tx[r->tx_count++].length = r->bus_count - 1;
            maybe_start(n, now_ns);
        }
        if (r->bus_command == NRF_READ_PAYLOAD && r->bus_count > 1 && r->rx_count) {
            memmove(r->rx, r->rx + 1, (FIFO - 1) * sizeof r->rx[0]);
            r->rx_count--;
        }
    }
    r->csn_low = !high;
    r->bus_count = 0;
    r->bus_command = NRF_NOP;
    r->bus_out = (r->reg[NRF_STATUS] & 0x70) | (r->rx_count ? r->rx[0].pipe : 7) << 1 | (r->tx_count == FIFO);
}

uint8_t radio_next_out(int n) { return radios[n].without_power ? 0xFF : radios[n].bus_out; }

static void write_byte(int n, int at, uint8_t byte, uint64_t now_ns) {
    struct radio *r = &radios[n];
    if ((r->bus_command & 0xE0) == NRF_WRITE) {
        uint8_t reg = r->bus_command & 31;
        int which = reg == NRF_TX_ADDR ? OWN_ADDRESS : reg >= NRF_RX_ADDR_P0 && reg < NRF_RX_ADDR_P0 + PIPES ? reg - NRF_RX_ADDR_P0 : -1;
        if (which < 0) {
            if (at == 1) write_register(n, reg, byte, now_ns);
        } else if (at <= CAP_ADDRESS_BYTES) {
            r->address[which][at - 1] = byte;
            for (int p = 2; p < PIPES; p++) memcpy(r->address[p] + 1, r->address[1] + 1, CAP_ADDRESS_BYTES - 1);
        }
    } else if (r->bus_command == NRF_WRITE_PAYLOAD && at <= PAYLOAD_MAX && r->tx_count < FIFO) {
        r->tx[r->tx_count].bytes[at - 1] = byte;
    }
}

uint8_t radio_exchange(int n, uint8_t byte, uint64_t now_ns) {
    struct radio *r = &radios[n];
    if (!r->csn_low || r->without_power) return 0xFF;
    uint8_t out = r->bus_out;
    int at = r->bus_count++;
    if (at > 0) {
        write_byte(n, at, byte, now_ns);
    } else {
        r->bus_command = byte;
        if (byte == NRF_FLUSH_TX) r->tx_count = 0;
        if (byte == NRF_FLUSH_RX) r->rx_count = 0;
    }
    if (r->bus_command < 32)
        r->bus_out = r->bus_command == NRF_FIFO_STATUS ? (r->rx_count == 0) | (r->rx_count == FIFO) << 1 | (r->tx_count == 0) << 4
                                                       : r->reg[r->bus_command];
    else if (r->bus_command == NRF_READ_PAYLOAD && r->rx_count && r->bus_count <= PAYLOAD_MAX)
        r->bus_out = r->rx[0].bytes[r->bus_count - 1];
    else
        r->bus_out = 0;
    return out;
}
