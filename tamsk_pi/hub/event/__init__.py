"""The event: players, rounds, pairings, results and standings."""
