"""The virtual board: glasses, magnets, sand, rings and hands, with contacts that bounce."""
