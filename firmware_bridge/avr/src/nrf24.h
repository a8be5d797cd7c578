/* What is used of the nRF24L01+ (Product Specification v1.0): commands, registers, bits; and what caps and receiver agree on. */
#ifndef NRF24_H
#define NRF24_H

enum {
    NRF_READ = 0x00,
    NRF_WRITE = 0x20,
    NRF_READ_PAYLOAD = 0x61,
    NRF_WRITE_PAYLOAD = 0xA0,
    NRF_FLUSH_TX = 0xE1,
    NRF_FLUSH_RX = 0xE2,
    NRF_NOP = 0xFF
};

enum {
    NRF_CONFIG = 0x00,
    NRF_EN_AA = 0x01,
    NRF_EN_RXADDR = 0x02,
    NRF_SETUP_RETR = 0x04,
    NRF_RF_CH = 0x05,
    NRF_RF_SETUP = 0x06,
    NRF_STATUS = 0x07,
    NRF_OBSERVE_TX = 0x08,
    NRF_RX_ADDR_P0 = 0x0A,
    NRF_TX_ADDR = 0x10,
    NRF_RX_PW_P0 = 0x11,
    NRF_FIFO_STATUS = 0x17
};

enum { NRF_PRIM_RX = 1, NRF_PWR_UP = 2, NRF_CRC_16 = 4, NRF_CRC_ON = 8 }; /* CONFIG */
enum { NRF_MAX_RT = 0x10, NRF_TX_DS = 0x20, NRF_RX_DR = 0x40 };          /* STATUS */
enum { NRF_1_MBIT_0_DBM = 0x06 };                                         /* RF_SETUP */

/* 2,476 MHz, above what most Wi-Fi uses. Each glass has a pipe of its own, and so an address: with one for all, a cap would
   take another's answer for its own. */
enum { CAP_CHANNEL = 76, CAP_ADDRESS_FIRST = 0xC0, CAP_ADDRESS_REST = 'T', CAP_ADDRESS_BYTES = 5 };

#endif
