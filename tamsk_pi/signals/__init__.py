"""What a ruling looks and sounds like: lamps, tones, words."""
