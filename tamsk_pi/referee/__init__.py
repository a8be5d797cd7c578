"""Gestures and deadlines to rulings."""
