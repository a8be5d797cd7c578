"""What holds for every test: none is judged by how long it took, as machines differ and are shared."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("tamsk-pi", deadline=None)
settings.load_profile("tamsk-pi")
