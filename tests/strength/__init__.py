"""How strong the engine is: scripts that tune it by self-play and measure it, and their figures."""
