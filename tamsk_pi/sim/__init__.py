"""The virtual board: magnets, sand, rings and hands, with contacts that bounce and sensors that fail to order."""
