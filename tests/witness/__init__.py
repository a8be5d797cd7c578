"""The second referee: it agrees with the cases, and reads edges by its own lights."""
