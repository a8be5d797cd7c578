"""The words of a calibration: what is to be done, what was found, and what to do about it.

A text is chosen by its code. Braces are filled in: `{glass}` and `{Glass}` are named as in rulings, `{sockets}` and
`{lines}` are lists.
"""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import attrs

from tamsk_pi.signals.language import N_, Language, catalogue
from tamsk_pi.signals.names import Namer, first_upper

STEPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        # -- sockets
        "begin": N_(
            "{left} of {count} sockets are to be tried, with one glass. Any button, or Enter, says: it is as you asked,"
            " and nothing more will happen. Ctrl-C breaks off; what is done is kept."
        ),
        "clear": N_(
            "Take every glass off the board. If nothing stands there and it goes on, press. Closed: {sockets}."
        ),
        "place": N_("{number}/{count}  Put the glass into {socket}. If nothing happens, press."),
        "turn_over": N_("{number}/{count}  Turn it over and put it back into {socket}. If nothing happens, press."),
        "place_a_up": N_("{number}/{count}  Put the glass into {socket}, end a up. If nothing happens, press."),
        "place_b_up": N_(
            "{number}/{count}  Turn it over and put it back into {socket}, end b up. If nothing happens, press."
        ),
        "question_elsewhere": N_(
            "Sensed in {sockets}, not in {socket}. Does the glass stand in {socket}? Then press; else put it there."
        ),
        "question_still_closed": N_(
            "Still closed: {sockets}. Take out what stands there; if it is empty, press. One glass is enough."
        ),
        "question_not_turned": N_(
            "The sensor of {socket} does not see the glass turned over. Turn it over; if you did, press."
        ),
        "socket_done": N_("{socket} is right."),
        "socket_faulty": N_("{socket} is not right: see the report at the end."),
        "stuck": N_("{socket} is closed with nothing in it: it is left out."),
        "never_opens": N_("{socket} stays closed when the glass is taken out: it is left out."),
        "noisy": N_("{socket} changes all the time by itself: it is left out."),
        "sockets_over": N_("All {count} sockets have been tried."),
        # -- glasses
        "begin_glasses": N_(
            "Each glass is timed {repeats} times from each end, a red and a black one side by side. Turn a glass when"
            " all its sand is below, let it stand, and press as its last grain falls: the red button for red glasses"
            " and the timer, the black one for black glasses; at the terminal r or b, then Enter. Ctrl-C breaks off;"
            " what is done is kept."
        ),
        "turn_glass": N_("{Glass}: let all sand run down, then turn it over."),
        "turn_and_press": N_("{Glass}: let all sand run down, then turn it over, end {end} up, and press as you do."),
        "running": N_("{Glass} runs, end {end} up. Press as the last grain falls."),
        "watch": N_("{Glass}: watch it, it will soon run out."),
        "no_turning": N_(
            "{Glass}: its tilt switch has told of no turning. If you have just turned it over, press once more."
        ),
        "tilt_silent": N_("{Glass}: its tilt switch is not listened to any more. Press when you turn it over, too."),
        "turned_early": N_("{Glass} was turned over before it had run out: that run does not count."),
        "too_early": N_("{Glass}: {seconds} s cannot be the last grain. It is still being timed."),
        "too_late": N_("{Glass}: {seconds} s is too long to be true: that run does not count."),
        "timed": N_("{Glass}, end {end} up: {seconds} s (run {number})."),
        "outlier": N_("{Glass}, end {end} up: {seconds} s is too far from its other runs and is refused."),
        "glass_done": N_("{Glass} is timed: {a} s with end a up, {b} s with end b up."),
        "wanders": N_("{Glass} never takes the same time twice: it is left out."),
        "which_glass": N_("Two glasses are being timed: type r for the red one or b for the black one, then Enter."),
        "lane_over": N_("The glasses of this side are done: {side}."),
    }
)

FOUND: Final[Mapping[str, str]] = MappingProxyType(
    {
        "dead": N_("{socket} answers to nothing."),
        "dead_row": N_("No socket of row {line} answers."),
        "dead_column": N_("No socket of column {line} answers."),
        "one_way_up": N_("{socket} sees the glass only one way up; not with end {end} up."),
        "stuck_closed": N_("{socket} is closed with nothing in it."),
        "never_opens": N_("{socket} stays closed when the glass is taken out."),
        "noisy": N_("{socket} changes all the time by itself."),
        "weak": N_("{socket} let go while the glass stood in it ({flickers} ×)."),
        "crosstalk": N_("A glass in {socket} closes its neighbours, too: {sockets}."),
        "joined": N_("A glass in {socket} closes sockets far from it, too: {sockets}."),
        "sockets_exchanged": N_("{first} and {second} are exchanged."),
        "pins_exchanged": N_("{first} and {second} are exchanged."),
        "answers_elsewhere": N_("A glass in {socket} is seen in {answer}."),
        "columns_exchanged": N_("Columns are exchanged: {names}."),
        "rows_exchanged": N_("Rows are exchanged: {names}."),
        "reversed": N_("{socket} sees north as south."),
        "reversed_everywhere": N_("The whole board sees north as south."),
        "same_pole": N_("{socket} sees the same pole, {field}, whichever end is up."),
        "glass_wanders": N_("{Glass} never takes the same time twice: its runs lie {seconds} s apart."),
        "glass_unheard": N_("{Glass}: its tilt switch does not answer when it is turned over."),
    }
)

REMEDIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "dead": N_(
            "measure across the sensor with a glass in place, then across sensor and diode both ways: a broken reed, a"
            " diode the wrong way round, a dry joint"
        ),
        "dead_row": N_("look at the wire and the plug of that row; tamsk-pi doctor tells who else holds its line"),
        "dead_column": N_("look at the wire, the plug and the pull-up of that column"),
        "one_way_up": N_(
            "a hall switch that sees one pole only, or a magnet missing in one cap: see hardware/tilt.md, The unipolar"
            " trap"
        ),
        "stuck_closed": N_("a reed that is stuck or magnetised, a solder bridge, a pinched wire: unplug its column"),
        "never_opens": N_("a weaker magnet, or another reed: this one does not let go"),
        "noisy": N_("a loose wire or a missing pull-up; keep sensor wires away from mains and lamp wires"),
        "weak": N_("see that the glass reaches the seat; then a stronger magnet or a more sensitive reed"),
        "crosstalk": N_("a weaker magnet, a reed that stands up instead of lying flat, no iron nearby"),
        "joined": N_("wires that touch, or a diode that is missing or shorted: test the diodes of these sockets"),
        "sockets_exchanged": N_("exchange the wires of these two sockets"),
        "pins_exchanged": N_(
            "exchange the wires, or in the bridge's table of pins the lines {lines} (--write FILE writes it) and flash"
            " the firmware made from it"
        ),
        "answers_elsewhere": N_("follow the wires of both sockets"),
        "columns_exchanged": N_("exchange the wires, or in the board's profile the lines {lines} (--write FILE does)"),
        "rows_exchanged": N_("exchange the wires, or in the board's profile the lines {lines} (--write FILE does)"),
        "reversed": N_("turn that sensor: it lies face down"),
        "reversed_everywhere": N_(
            "exchange which end you call a and repaint the dots, or the glass has its magnets the other way round: try"
            " another one"
        ),
        "same_pole": N_(
            "a magnet glued in the other way round in one cap, or the glass was not turned over: try again"
        ),
        "glass_wanders": N_("dry it in a warm place, look for a chip or a clump; play with another glass"),
        "glass_unheard": N_("look at its switch and wires: tamsk-pi watch; until then set tilt = false"),
    }
)


@attrs.frozen
class CalibrationWords:
    """A calibration's words in one language."""

    language: Language = "en"
    _catalogue: gettext.NullTranslations = attrs.field(init=False, eq=False, repr=False)
    _namer: Namer = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_catalogue", catalogue(self.language))
        object.__setattr__(self, "_namer", Namer(self._catalogue, {}, by_place=False))

    def step(self, code: str, blanks: Mapping[str, Any]) -> str:
        """What is to be done, or what has just been done. `KeyError` for a code that is not known."""
        return self._fill(STEPS[code], blanks)

    def found(self, code: str, names: tuple[str, ...], blanks: Mapping[str, Any]) -> tuple[str, str]:
        """What is wrong, and what to do about it. `KeyError` for a code that is not known."""
        listed = {"names": names, "first": names[0], "second": names[-1]}
        remedy = self._catalogue.gettext(REMEDIES[code]).format_map(self._named(listed | dict(blanks)))
        return self._fill(FOUND[code], listed | dict(blanks)), remedy

    def text(self, text: str, **blanks: object) -> str:
        """Another text of the catalogues, filled in."""
        return self._fill(text, blanks)

    def _fill(self, text: str, blanks: Mapping[str, Any]) -> str:
        return first_upper(self._catalogue.gettext(text).format_map(self._named(blanks)))

    def _named(self, blanks: Mapping[str, Any]) -> dict[str, str]:
        named: dict[str, str] = {}
        for key, value in blanks.items():
            if key == "glass":
                named["glass"] = self._namer.glass(value)
                named["Glass"] = first_upper(named["glass"])
            elif key == "side":
                named["side"] = self._namer.side(value)
            elif isinstance(value, list | tuple):
                named[key] = self._namer.several(map(str, value))
            else:
                named[key] = str(value)
        return named


REPORT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "all_right": N_("Everything is right."),
        "broken_off": N_("Broken off: {done} of {count} are done. `{command}` goes on from there."),
        "board_silent": N_("The board is not read any more. `{command}` goes on from there."),
        "again": N_("`{command}` tries these sockets again; --restart tries all."),
        "written_profile": N_("A corrected profile is in {path}."),
        "written_settings": N_("The times are in {path}."),
        "nothing_to_write": N_("No line of the profile is to be exchanged: nothing was written."),
        "not_written": N_("Nothing that was measured can be written."),
    }
)
