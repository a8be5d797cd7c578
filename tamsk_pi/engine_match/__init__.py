"""Matches between engines: whole games in virtual time, judged by the real referee from raw edges."""
