/* Panel lamps, the two MAX7219, the buzzer. */
#ifndef OUTPUTS_H
#define OUTPUTS_H

void outputs_begin(void);

#endif
