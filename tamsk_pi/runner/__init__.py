"""A live game: one thread that owns the referee, between a board and whatever shows what it says."""
