"""The soak: many simulated games on a board that fails to order, each ruling held against what the hands did.

`run` plays the games, `game` one of them; `witness` says what the rules give for what the hands did, without looking at
the referee, and `compare` holds its word against the rulings.
"""
