"""The coach: what each move of a game was worth, and which would have been better."""
