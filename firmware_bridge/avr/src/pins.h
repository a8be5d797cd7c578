/* Generated from hardware/boards/bridge.toml by `python -m firmware_bridge.pins`: do not edit. */
#ifndef PINS_H
#define PINS_H

#define SOCKET_PINS(X) \
    X(A1, A, 0) \
    X(A2, A, 1) \
    X(A3, A, 2) \
    X(A4, A, 3) \
    X(B1, A, 4) \
    X(B2, A, 5) \
    X(B3, A, 6) \
    X(B4, A, 7) \
    X(B5, C, 7) \
    X(C1, C, 6) \
    X(C2, C, 5) \
    X(C3, C, 4) \
    X(C4, C, 3) \
    X(C5, C, 2) \
    X(C6, C, 1) \
    X(D1, C, 0) \
    X(D2, L, 7) \
    X(D3, L, 6) \
    X(D4, L, 5) \
    X(D5, L, 4) \
    X(D6, L, 3) \
    X(D7, L, 2) \
    X(E1, L, 1) \
    X(E2, L, 0) \
    X(E3, K, 0) \
    X(E4, K, 1) \
    X(E5, K, 2) \
    X(E6, K, 3) \
    X(F1, K, 4) \
    X(F2, K, 5) \
    X(F3, K, 6) \
    X(F4, K, 7) \
    X(F5, F, 3) \
    X(G1, F, 4) \
    X(G2, F, 5) \
    X(G3, F, 6) \
    X(G4, F, 7)

#define TILT_PINS(X) \
    X(R1, J, 0) \
    X(R2, J, 1) \
    X(R3, H, 0) \
    X(B1, H, 1) \
    X(B2, B, 4) \
    X(B3, B, 5) \
    X(N, B, 6)

#define BUTTON_PINS(X) \
    X(red, D, 0) \
    X(black, D, 1) \
    X(arbiter, D, 2)

#define LAMP_PINS(X) \
    X(turn_red, H, 3) \
    X(turn_black, H, 4) \
    X(alarm, H, 5) \
    X(ready, H, 6) \
    X(amber, B, 7)

#define BUZZER_PINS(X) \
    X(tone, E, 3)

#define PLANES_PINS(X) \
    X(load, B, 0) \
    X(clock, B, 1) \
    X(data, B, 2)

#define SELECT_PINS(X) \
    X(s0, G, 2) \
    X(s1, G, 1) \
    X(s2, G, 0) \
    X(s3, D, 7)

#define LADDER_PINS(X) \
    X(mux_0, F, 0) \
    X(mux_1, F, 1) \
    X(mux_2, F, 2)

#define HALL_PINS(X) \
    X(mux_0, F, 3) \
    X(mux_1, F, 4) \
    X(mux_2, F, 5)

#define HOLDER_PINS(X) \
    X(red_data, E, 4) \
    X(red_clock, E, 5) \
    X(black_data, G, 5) \
    X(black_clock, D, 3)

#define TIMER_PINS(X) \
    X(N, B, 6)

/* Single pins, as port and bit. */
#define PIN_BUZZER_TONE E, 3
#define PIN_PLANES_LOAD B, 0
#define PIN_PLANES_CLOCK B, 1
#define PIN_PLANES_DATA B, 2
#define PIN_HOLDER_RED_DATA E, 4
#define PIN_HOLDER_RED_CLOCK E, 5
#define PIN_HOLDER_BLACK_DATA G, 5
#define PIN_HOLDER_BLACK_CLOCK D, 3
#define PIN_RADIO_CE J, 0
#define PIN_RADIO_CSN J, 1
#define PIN_RADIO_IRQ B, 4
#define RADIO_IRQ_BIT 4

#endif
