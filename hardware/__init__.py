"""Everything a builder needs: board profiles, wiring, schematics, mechanics, and the tools that generate them."""
