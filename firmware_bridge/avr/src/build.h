/* What this firmware is built for: -DSOCKETS_HALL=0|1, -DRINGS=RINGS_BUTTONS|RINGS_STACK|RINGS_HOLDER, -DTILTS_CAPS=0|1. */
#ifndef BUILD_H
#define BUILD_H

#define RINGS_BUTTONS 0
#define RINGS_STACK 1
#define RINGS_HOLDER 2

#ifndef SOCKETS_HALL
#define SOCKETS_HALL 0
#endif
#ifndef RINGS
#define RINGS RINGS_BUTTONS
#endif
#ifndef TILTS_CAPS
#define TILTS_CAPS 0 /* 1: the six glasses that travel tell of their tilt by radio */
#endif
#ifndef BAUD
#define BAUD 115200UL
#endif

#define HAS_ANALOG (SOCKETS_HALL || RINGS == RINGS_STACK)

#endif
