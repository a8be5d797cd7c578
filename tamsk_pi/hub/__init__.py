"""The hub of a club night: takes in the games of many boards, judges each again, and shows them all."""
