#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "mcu.h"

enum { RX_SIZE = 1 << 21, TX_SIZE = 8192, FETCH_BELOW = 64 };

static int master = -1;
static char link_made[4096];
static bool was_open;

static uint8_t *rx;
static uint32_t rx_head, rx_tail;
static uint64_t rx_next_x100; /* when the line is free for the next byte, in hundredths of a µs */

static uint8_t tx[TX_SIZE];
static unsigned tx_length;
static uint64_t tx_end_us;

static void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(2);
}

void wire_begin_pty(const char *link_path) {
    int slave;
    char name[256];
    struct termios raw;
    cfmakeraw((memset(&raw, 0, sizeof raw), &raw));
    raw.c_cflag |= CREAD | CLOCAL;
    if (openpty(&master, &slave, name, &raw, NULL) != 0) fail("openpty");
    close(slave); /* from now on POLLHUP tells whether anybody has the line open */
    fcntl(master, F_SETFL, O_NONBLOCK);
    fcntl(master, F_SETFD, FD_CLOEXEC);
    char fresh[4200];
    snprintf(fresh, sizeof fresh, "%s.new", link_path);
    unlink(fresh);
    if (symlink(name, fresh) != 0 || rename(fresh, link_path) != 0) fail(link_path);
    snprintf(link_made, sizeof link_made, "%s", link_path);
}

void wire_end(void) {
    if (link_made[0]) unlink(link_made);
}

int wire_fd(void) { return master; }

bool wire_poll_open(void) {
    if (master < 0) return false;
    struct pollfd fd = {.fd = master, .events = POLLIN};
    poll(&fd, 1, 0);
    bool open = !(fd.revents & POLLHUP);
    bool opened = open && !was_open;
    was_open = open;
    return opened;
}

void wire_push(uint8_t byte) {
    if (!rx && !(rx = malloc(RX_SIZE))) fail("malloc");
    if (rx_head - rx_tail == RX_SIZE) return;
    if (rx_head == rx_tail) {
        uint64_t now_x100 = mcu_now_us() * 100;
        if (rx_next_x100 < now_x100) rx_next_x100 = now_x100;
    }
    rx[rx_head++ % RX_SIZE] = byte;
}

void wire_fetch(void) {
    if (master < 0 || !was_open || rx_head - rx_tail >= FETCH_BELOW) return;
    uint8_t bytes[FETCH_BELOW];
    ssize_t count = read(master, bytes, sizeof bytes);
    for (ssize_t n = 0; n < count; n++) wire_push(bytes[n]);
}

uint64_t wire_next_us(void) { return rx_head == rx_tail ? UINT64_MAX : (rx_next_x100 + 99) / 100; }

void wire_event(uint64_t now_us) {
    while (rx_head != rx_tail && rx_next_x100 <= now_us * 100) {
        mcu_receive(rx[rx_tail++ % RX_SIZE]);
        rx_next_x100 += mcu_byte_us_x100();
        wire_fetch();
    }
}

/* simavr shows a byte when it is written to the register; on the wire it ends one byte time later. */
void outside_sent(uint8_t byte) {
    tx_end_us = mcu_now_us() + mcu_byte_us_x100() / 100;
    if (tx_length == TX_SIZE) wire_flush();
    tx[tx_length++] = byte;
    if (byte == 0 && master < 0) wire_flush();
}

void wire_flush(void) {
    if (tx_length == 0) return;
    if (master < 0) {
        printf("TX %llu ", (unsigned long long)tx_end_us);
        for (unsigned n = 0; n < tx_length; n++) printf("%02x", tx[n]);
        putchar('\n');
    } else if (was_open) {
        unsigned done = 0;
        while (done < tx_length) {
            ssize_t count = write(master, tx + done, tx_length - done);
            if (count <= 0) break; /* nobody reads: as on a real line, what does not fit is lost */
            done += count;
        }
    }
    tx_length = 0;
}
