"""Edges to settled changes to gestures: lift, place, turn, ring, press."""
