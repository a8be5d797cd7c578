"""The matrix board on the Pi's own pins, through gpiozero."""
