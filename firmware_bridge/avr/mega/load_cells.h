/* Two HX711 amplifiers, one a ring holder. */
#ifndef LOAD_CELLS_H
#define LOAD_CELLS_H

void load_cells_begin(void);
void load_cells_poll(void); /* each ms */

#endif
