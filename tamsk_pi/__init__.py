"""Referee and hardware simulator for a TAMSK board with sensors.

As a library: `from tamsk_pi import Session, Settings, Edge, TraceReader` (docs/library.md). They are loaded when they
are asked for, so that importing the package alone costs nothing and does nothing.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tamsk_pi.referee.rulings import Ruling as Ruling
    from tamsk_pi.sensing.edges import Edge as Edge
    from tamsk_pi.sensing.settings import Settings as Settings
    from tamsk_pi.session import OutOfOrderError as OutOfOrderError
    from tamsk_pi.session import Session as Session
    from tamsk_pi.trace import TraceError as TraceError
    from tamsk_pi.trace import TraceReader as TraceReader

__version__ = "0.1.0"

__all__ = ["Edge", "OutOfOrderError", "Ruling", "Session", "Settings", "TraceError", "TraceReader", "__version__"]

_LIES_IN = {
    "Edge": "tamsk_pi.sensing.edges",
    "OutOfOrderError": "tamsk_pi.session",
    "Ruling": "tamsk_pi.referee.rulings",
    "Session": "tamsk_pi.session",
    "Settings": "tamsk_pi.sensing.settings",
    "TraceError": "tamsk_pi.trace",
    "TraceReader": "tamsk_pi.trace",
}

if not TYPE_CHECKING:
    # Hidden from type checkers, for which it would make any name at all an attribute.

    def __getattr__(name: str) -> object:
        """Load a public name the first time that it is asked for."""
        if name not in _LIES_IN:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value = globals()[name] = getattr(import_module(_LIES_IN[name]), name)
        return value


def __dir__() -> list[str]:
    """What the package offers, loaded or not."""
    return sorted({*globals(), *__all__})
