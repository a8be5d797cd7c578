/* The one place for both versions; the host reads them from here. */
#ifndef VERSION_H
#define VERSION_H

#define PROTOCOL_MAJOR 1
#define PROTOCOL_MINOR 1

#define FIRMWARE_MAJOR 1
#define FIRMWARE_MINOR 1
#define FIRMWARE_PATCH 0

#endif
