"""What an arbiter may say: each word is an entry in the trace, so that a replay gives the same result.

| word | with | effect |
|---|---|---|
| `pause`, `resume` | | nothing is judged in between; differences are told on going on, never called illegal |
| `recheck` | | the last ruling is to be looked at again: a notice, nothing changes |
| `annul` | | takes the last verdict back, until the next move is completed |
| `takeback` | | the players agree to take the last move back; also by both players' buttons, twice together |
| `accept` | | the position as it stands is right: nothing is left to be put back |
| `rings` | `socket`, `count`, `side` | so many rings count there; the difference is taken from or given to that side |
| `glass` | `glass`, `state` (`stopped`, `running`), `left_ms` | the sand is not as the model has it |
| `place` | `glass`, `socket`, `turned` | the glass was lifted and set down there, whatever the sensors told |
| `dead` | `socket`, `dead` | do not listen to this socket any more, or listen again; also before play |
| `penalty` | `side`, `given` | this side is owed a penalty ring, or is not |
| `turn` | `side` | it is this side's turn |
| `end` | `winner` (null: a draw) | the game is over |
| `names` | `red`, `black`, or one of them (empty: none) | who plays, from now on and in the record |
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs

WORDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "pause": (),
        "resume": (),
        "recheck": (),
        "annul": (),
        "takeback": (),
        "accept": (),
        "rings": ("socket", "count", "side"),
        "glass": ("glass", "state"),
        "place": ("glass", "socket", "turned"),
        "dead": ("socket", "dead"),
        "penalty": ("side", "given"),
        "turn": ("side",),
        "end": ("winner",),
        "names": (),
    }
)
"""Each word with the keys that must stand beside it."""

MAY_HAVE: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({"glass": ("left_ms",), "names": ("red", "black")})
"""Words with keys that may stand beside them."""


@attrs.frozen
class Word:
    """One word of the arbiter's. `details` holds just the keys that `WORDS` and `MAY_HAVE` name, checked where read."""

    t_ms: int
    what: str
    details: Mapping[str, object] = attrs.field(factory=dict)
