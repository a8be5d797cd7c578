"""What things are called: glasses, sides and sensors, in one language."""

from __future__ import annotations

import gettext
from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from tamsk_pi.rules.board import START, TIMER
from tamsk_pi.signals.language import N_

# A glass is called by where it started, seen with column A on the left.
_PLACED: Final[Mapping[tuple[str, str], str]] = {
    ("R", "A"): N_("the left red hourglass ({mark})"),
    ("R", "D"): N_("the middle red hourglass ({mark})"),
    ("R", "G"): N_("the right red hourglass ({mark})"),
    ("B", "A"): N_("the left black hourglass ({mark})"),
    ("B", "D"): N_("the middle black hourglass ({mark})"),
    ("B", "G"): N_("the right black hourglass ({mark})"),
}
_UNPLACED: Final[Mapping[str, str]] = {
    "R": N_("the red hourglass {mark}"),
    "B": N_("the black hourglass {mark}"),
}
_TIMER: Final = N_("the 15-second timer")
_SIDES: Final[Mapping[str, str]] = {"red": N_("Red"), "black": N_("Black"), "arbiter": N_("the arbiter")}
_SENSORS: Final[Mapping[str, str]] = {
    "socket": N_("the sensor of {name}"),
    "tilt": N_("the tilt sensor of {name}"),
    "ring": N_("the ring sensor of {name}"),
    "holder": N_("the ring holder of {side}"),
    "button": N_("the button of {side}"),
}


def first_upper(text: str) -> str:
    """The text as it begins a sentence."""
    return text[:1].upper() + text[1:]


@attrs.frozen
class Namer:
    """Names things. `players` maps `red` and `black` to the players' names; where they are empty, the colours.

    `by_place`: the glasses started in the corners, so that they can be told apart by where that was.
    """

    catalogue: gettext.NullTranslations
    players: Mapping[str, str]
    by_place: bool

    def glass(self, glass: object) -> str:
        """A glass with its mark: `the left red hourglass (R1)`. What is no glass is shown as it is."""
        name = str(glass)
        if name == TIMER:
            return self.catalogue.gettext(_TIMER)
        if name not in START:
            return name
        text = _PLACED[name[0], START[name][0]] if self.by_place else _UNPLACED[name[0]]
        return self.catalogue.gettext(text).format(mark=name)

    def side(self, side: object) -> str:
        """A side by its player's name, else by its colour. Of a name only what can be printed is kept."""
        return self.clean(self.players.get(str(side), "")) or self.colour(side)

    def clean(self, name: object) -> str:
        """Of a name what can be printed, on one line."""
        return " ".join("".join(c if c.isprintable() else " " for c in str(name)).split())

    def colour(self, side: object) -> str:
        """A side by its colour."""
        return self.catalogue.gettext(_SIDES[str(side)]) if str(side) in _SIDES else str(side)

    def sensor(self, kind: object, name: object) -> str:
        """One input of the board."""
        text = _SENSORS.get(str(kind))
        if text is None:
            return f"{kind} {name}"
        return self.catalogue.gettext(text).format(name=name, side=self.side(name))

    def several(self, names: Iterable[str]) -> str:
        """A list as it stands in a sentence after a colon."""
        return ", ".join(names)
