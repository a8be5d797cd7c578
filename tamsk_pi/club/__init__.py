"""The board's side of a club night: its games are told to a hub, line by line, from the files that keep them."""
