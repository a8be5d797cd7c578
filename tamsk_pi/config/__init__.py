"""What can be set, from where it is read, and what is allowed: the program's configuration and the board profiles."""
