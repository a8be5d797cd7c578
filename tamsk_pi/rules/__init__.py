"""The game itself: board, sand, position, moves, editions, notation. No I/O, no clock, no sensors."""
