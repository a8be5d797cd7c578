"""Where edges come from and signals go to."""
