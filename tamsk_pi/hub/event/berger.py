"""Round robin by Berger tables: everybody meets everybody once, or twice with colours changed.

Source: the tables of the FIDE Handbook (C.05, Annex 1). Red takes the part of White, as red moves first.
"""

from __future__ import annotations


def berger_rounds(players: int, *, twice: bool = False) -> list[list[tuple[int, int]]]:
    """Per round the pairs (red, black) of starting numbers from 1, by board. Whoever is paired with 0 has a bye.

    With an odd number of players number 0 stands for the one that is missing. `ValueError` below two players.
    """
    if players < 2:
        raise ValueError(f"a round robin needs 2 players or more, not {players}")
    even = players + players % 2
    turning = even - 1
    rounds = []
    for number in range(turning):
        # The last one stays; the one that meets it moves on by half the table each round.
        meets = number * (even // 2) % turning
        pairs = [(meets + 1, even) if number % 2 == 0 else (even, meets + 1)]
        pairs += [((meets + step) % turning + 1, (meets - step) % turning + 1) for step in range(1, even // 2)]
        if players % 2:
            pairs = [(0 if red > players else red, 0 if black > players else black) for red, black in pairs]
        rounds.append(pairs)
    if twice:
        rounds += [[(black, red) for red, black in pairs] for pairs in rounds]
    return rounds
