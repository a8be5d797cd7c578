"""The composition root: what puts board, game, page and club together, live or simulated.

Only commands import it. What it wires (`runner`, `web`, `club`) knows nothing of it, and `runner` nothing of `web`.
"""
