"""A ruling in words: what was decided, what is wrong with it, and how to put it right."""

from __future__ import annotations

import gettext
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

import attrs

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.rules.board import opponent
from tamsk_pi.signals.language import Language, catalogue
from tamsk_pi.signals.names import Namer, first_upper
from tamsk_pi.signals.sentences import OFF_BOARD, SENTENCES

_TO_BE_PUT_BACK: Final = ("wrong_glass", "stopped_glass", "opening_order", "not_adjacent", "must_mend")
_CAN_BE_DRAWN: Final = ("rings", "tie_break", "arbiter")
_RING_CODES: Final = ("ring_not_due", "ring_removed")
_UNOBSERVED: Final = ("opened", "closed", "turned", "rings", "holders")


@attrs.frozen
class Words:
    """Puts rulings into words.

    `names` maps `red` and `black` to the players' names; where they are empty, the colours. `by_place`: the glasses
    started in the corners and are told apart by it; with free placement they are not.
    """

    names: Mapping[str, str] = attrs.field(factory=dict)
    language: Language = "en"
    by_place: bool = True
    _catalogue: gettext.NullTranslations = attrs.field(init=False, eq=False, repr=False)
    namer: Namer = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_catalogue", catalogue(self.language))
        object.__setattr__(self, "namer", Namer(self._catalogue, self.names, self.by_place))

    def __call__(self, ruling: Ruling) -> str:
        """`say`, for whoever takes any function from a ruling to its words."""
        return self.say(ruling)

    def say(self, ruling: Ruling) -> str:
        """Whole sentences on one line, never empty, for any ruling. A code that is not known is shown as it is."""
        said = [sentence for _, sentence in self.sentences(ruling)]
        count = ruling.get("count")
        if said and isinstance(count, int):
            said.append(self.ngettext("{count} ring lies there now.", "{count} rings lie there now.", count))
        return " ".join(said) or " ".join(str(part) for part in (ruling.kind, ruling.get("code")) if part)

    def sentences(self, ruling: Ruling) -> list[tuple[str, str]]:
        """The sentences that tell a ruling, each with its key; none for a code that is not known."""
        blanks = _Blanks(self._blanks(ruling))
        return [(key, self.fill(SENTENCES[key], blanks)) for key in keys_for(ruling) if key in SENTENCES]

    def text(self, text: str, **blanks: object) -> str:
        """A text of the catalogues in this language; `glass` and `side` among its blanks are called by their names."""
        named = {key: str(value) for key, value in blanks.items()}
        if "glass" in blanks:
            named["glass"] = self.namer.glass(blanks["glass"])
            named["Glass"] = first_upper(named["glass"])
        if "side" in blanks:
            named["side"] = self.namer.side(blanks["side"])
        return self.fill(text, named)

    def fill(self, text: str, blanks: Mapping[str, str]) -> str:
        """A text of the catalogues in this language, with its blanks filled in."""
        return first_upper(self._catalogue.gettext(text).format_map(blanks))

    def ngettext(self, one: str, many: str, count: int, blanks: Mapping[str, str] = MappingProxyType({})) -> str:
        """A text of the catalogues in its form for `count` things, which also fills the blank of that name."""
        text = self._catalogue.ngettext(one, many, count)
        return first_upper(text.format_map({**blanks, "count": str(count)}))

    def _blanks(self, ruling: Ruling) -> Iterator[tuple[str, str]]:
        namer = self.namer
        yield "red", namer.side("red")
        yield "black", namer.side("black")
        for key, value in ruling.details.items():
            if key == "glass":
                yield "glass", namer.glass(value)
                yield "Glass", first_upper(namer.glass(value))
            elif key == "player" or key == "winner":
                yield key, namer.side(value)
                other = opponent("red" if value == "red" else "black")
                yield "opponent" if key == "player" else "loser", namer.side(other)
            elif key in ("glasses", "in_hand", "turned"):
                yield key, namer.several(namer.glass(g) for g in _items(value))
            elif key == "holders":
                yield key, namer.several(namer.side(player) for player in _items(value))
            elif key in ("sockets", "opened", "closed", "rings", "inputs"):
                yield key, namer.several(str(s) for s in _items(value))
            elif key in ("red", "black") and ruling.get("code") == "names_corrected":
                yield f"{key}_name", namer.clean(value) or namer.colour(key)
            elif key in ("red", "black"):
                yield f"{key}_rings", str(value)
            elif key == "back_to":
                yield key, self._catalogue.gettext(OFF_BOARD) if value is None else str(value)
            elif key == "verdict":
                yield key, self._verdict(value)
            elif key == "reason":
                yield key, self._catalogue.gettext(str(value)) if value else ""
            elif key == "input":
                sensor = namer.sensor(ruling.get("kind"), value)
                yield "sensor", sensor
                yield "Sensor", first_upper(sensor)
            else:
                yield key, str(value)

    def _verdict(self, value: object) -> str:
        """A verdict that is quoted in the notice that it was annulled."""
        if not isinstance(value, Mapping) or "verdict" in value:
            return ""
        details = {k: v for k, v in value.items() if k not in ("t", "ruling")}
        return self.say(Ruling(0, str(value.get("ruling")), details))


def _items(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple | Mapping) else [value]


class _Blanks(dict[str, str]):
    """What a text may ask for; a blank that the ruling does not fill is shown as a question mark."""

    def __missing__(self, key: str) -> str:
        return "?"


# -- which sentences


def keys_for(ruling: Ruling) -> tuple[str, ...]:
    """The keys of the sentences, in order, that tell a ruling."""
    chooser = _CHOOSERS.get(ruling.kind)
    if chooser is not None:
        return tuple(chooser(ruling))
    return (f"{ruling.kind}:{ruling.get('code')}" if "code" in ruling.details else ruling.kind,)


def _move(ruling: Ruling) -> Iterator[str]:
    yield "move" if ruling.get("from") else "move.placed"


def _violation(ruling: Ruling) -> Iterator[str]:
    code = str(ruling.get("code"))
    key = f"violation:{code}"
    if code in _RING_CODES:
        yield key if ruling.get("socket") else f"{key}.player"
    elif code == "not_adjacent" and ruling.get("home"):
        yield f"{key}.home"
    else:
        yield key
    home = _home(ruling)
    if code in _TO_BE_PUT_BACK:
        yield f"mend{home}"
    elif code == "not_flipped":
        yield f"mend.turn{home}"
    elif code == "flipped_in_place":
        yield "mend.turn_back"


def _home(ruling: Ruling) -> str:
    """The form of a sentence that says where a glass belongs: a socket, off the board, or not told."""
    if ruling.get("home"):
        return ".home"
    return ".off_board" if "home" in ruling.details else ""


def _resolved(ruling: Ruling) -> Iterator[str]:
    if ruling.get("glass"):
        yield "resolved.glass"
        return
    where = next((key for key in ("socket", "player") if ruling.get(key)), None)
    if where is not None and ruling.get("code") in _RING_CODES:
        yield f"resolved:{ruling.get('code')}.{where}"
    else:
        yield "resolved"


def _game_over(ruling: Ruling) -> Iterator[str]:
    reason = str(ruling.get("reason"))
    drawn = ruling.get("winner") is None and reason in _CAN_BE_DRAWN
    yield f"game_over.{reason}{'.draw' if drawn else ''}"
    yield "game_over.rings_left"


def _notice(ruling: Ruling) -> Iterator[str]:
    key = f"notice:{ruling.get('code')}"
    match ruling.get("code"):
        case "glass_corrected":
            yield f"{key}.{ruling.get('state')}"
        case "penalty_corrected":
            yield f"{key}.{'given' if ruling.get('given') else 'taken'}"
        case "taken_back":
            yield key
            if ruling.get("rings") != {}:
                yield f"{key}.rings"
        case "lapsed":
            yield f"{key}.{ruling.get('what')}"
        case "unobserved":
            yield key
            yield from (f"{key}.{part}" for part in _UNOBSERVED if ruling.get(part))
        case _:
            yield key


_CHOOSERS: Final[Mapping[str, Callable[[Ruling], Iterator[str]]]] = MappingProxyType(
    {
        "started": lambda ruling: iter(["started.position" if ruling.get("player") else "started"]),
        "move": _move,
        "ring": lambda ruling: iter(["ring.own" if ruling.get("instead_of") else f"ring.{ruling.get('reason')}"]),
        "violation": _violation,
        "resolved": _resolved,
        "timeout": lambda ruling: iter(["timeout.begun" if ruling.get("begun") else "timeout.not_begun"]),
        "game_over": _game_over,
        "notice": _notice,
        "paused": lambda ruling: iter([f"paused.{ruling.get('reason')}"]),
    }
)
