"""A second referee, written from rules.md and sensing.md alone, that the real one is held against.

It shares no code with the product: not even the board's geometry. It is slow, literal, and looks ahead in the trace
where a live referee has to wait. Where what was done can only be told from what comes later (a glass that only rested
on a neighbour, a ring laid before its glass), it supposes one thing, reads on, and begins the whole trace anew with
the other when that turns out wrong. The tests hold `tamsk-pi replay` against it on random traces, the soak holds a
whole program on a failing board against it.
"""
