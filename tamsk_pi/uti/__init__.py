"""UTI, the lines by which an engine for TAMSK is asked and answers, in the manner of chess's UCI (docs/engine.md)."""
