/* Who this board is and how often it has started, kept in EEPROM; and why it started. */
#ifndef IDENTITY_H
#define IDENTITY_H

void identity_begin(void);

#endif
