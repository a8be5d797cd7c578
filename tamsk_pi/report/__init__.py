"""A finished game on one sheet: gathered from its trace, drawn as SVG, printed from one HTML file."""
