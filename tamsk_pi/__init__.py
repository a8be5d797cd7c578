"""Referee and hardware simulator for a TAMSK board with sensors."""

__version__ = "0.1.0"
