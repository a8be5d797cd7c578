"""How strong the engine is: scripts that tune it by self-play and measure its strengths. Their figures are kept here."""
