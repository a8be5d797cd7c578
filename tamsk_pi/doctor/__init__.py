"""What `tamsk-pi doctor` looks at: everything about a machine that can keep a game from being played."""
