"""A raw edge: one input took a value at one moment.

Edges are what devices post, what a trace holds, and all that the core ever sees of the board (sensing.md,
"What is sensed"). `t_ms` is stamped where the input is read, in whole milliseconds since the game's start.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

InputKind = Literal["socket", "tilt", "ring", "holder", "button", "cap"]
EdgeValue = bool | int | str | None

INPUT_KINDS: Final[tuple[InputKind, ...]] = ("socket", "tilt", "ring", "holder", "button")
BUTTONS: Final = ("red", "black", "arbiter")
HOLDERS: Final = ("red", "black")
UPS: Final = ("a", "b")
FIELDS: Final = ("N", "S", None)


class Edge(NamedTuple):
    """One raw edge.

    | kind | name | value |
    |---|---|---|
    | socket (reed) | a socket | `True` closed, `False` open |
    | socket (hall) | a socket | field `"N"`, `"S"` or `None` |
    | tilt | a glass, `N` included | `"a"` or `"b"`: the end that is up |
    | ring | a socket | rings lying around it, 0 to its capacity |
    | holder | `"red"`, `"black"` | rings left on the holder, 0 to 32 |
    | cap | a travelling glass | `False`: its radio cap is not heard; `"a"`, `"b"`: it is again, and this end is up |
    | button | `"red"`, `"black"`, `"arbiter"` | `True` down, `False` up |
    """

    t_ms: int
    kind: InputKind
    name: str
    value: EdgeValue
