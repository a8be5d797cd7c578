"""An opponent at the board: it sees the picture that the lamps are made from, and acts by hands."""
