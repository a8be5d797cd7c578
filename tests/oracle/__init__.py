"""A second referee, written from rules.md and sensing.md alone, that the real one is held against.

It shares no code with `tamsk_pi`: not even the board's geometry. It is slow, literal, and looks ahead in the trace
where a live referee has to wait.
"""
