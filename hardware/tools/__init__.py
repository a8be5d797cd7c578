"""Generators and checks for the hardware folder; `make hardware` runs them."""
