"""The Arduino bridge: protocol, link and clock on the host; firmware and its bench. Knows nothing of the game."""
