"""Random games and traces, by which the referee is held against a second one (`tamsk_pi.witness`).

A director lets hands play, clumsily and at the very edges of every window, on a table whose sensors rattle and lie;
what came of it is a trace, and both referees read it.
"""
