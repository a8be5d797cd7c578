"""Calibration: which sensor answers to which socket, and how long each glass really runs.

`sockets.py` and `glasses.py` are functions of edges and times, like the referee: they do no I/O and read no clock, say
what is to be done next and what was found. `drive.py` stands between them and a board.
"""
