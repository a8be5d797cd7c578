"""The engine: finds a side's best turn from a position and its sand. Pure and sans-I/O; it imports the rules alone."""
