"""What a page tells of a game, in finished lines of one language: whose turn, what is wrong and its remedy, what may
be done, what each button does now. The page shows these lines as they are; numbers that run are filled in there.

What is wrong is told with the words of the ruling that told it: the last one of the same code *and* the same glass,
socket or holder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import attrs

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import GlassView, RightView, Snapshot, ViolationView
from tamsk_pi.rules.board import PLAYERS, TIMER, Player
from tamsk_pi.signals.language import N_, Language, catalogue
from tamsk_pi.signals.remarks import remark
from tamsk_pi.signals.standing import ASKED, timer_side_is_open
from tamsk_pi.signals.words import Words

Line = dict[str, Any]
"""`kind` (how it looks) and `text`; `mend`: the remedy, where the text does not tell it; `closes`: the game's time in
ms up to which it holds; `verb`: an arbiter's word that is offered with it."""

TURNS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "setting_up": N_("Set up the board"),
        "paused": N_("Paused"),
        "over": N_("The game is over"),
        "tie_break": N_("Tie-break: watch the last glasses"),
        "closing": N_("Closing: rings may still be dropped"),
        "carrying": N_("{side} holds a glass"),
        "to_move": N_("{side} to move"),
        "mending": N_("To be put right"),
    }
)
ENDINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "rings": N_("by rings"),
        "tie_break": N_("by the tie-break"),
        "last_ring": N_("with the last ring"),
        "full_socket": N_("as a glass was set on a full socket"),
        "resigned": N_("by resignation"),
        "agreed": N_("by agreement"),
        "arbiter": N_("by the arbiter's word"),
    }
)
EDITIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "rulebook": N_("current rules"),
        "wikipedia": N_("encyclopaedia's rules"),
        "schmidt1998": N_("first edition"),
    }
)
SETUP: Final[Mapping[str, str]] = MappingProxyType(
    {
        "put_glass": N_("Put a glass on {socket}."),
        "take_glass": N_("Take the glass off {socket}."),
        "take_rings": N_("Take the rings off {socket}."),
        "put_rings": N_("Put rings on {socket}."),
    }
)
RIGHTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "move": N_("{side} may drop a ring on {socket}."),
        "claim": N_("{side} may claim a ring on {socket}."),
        "penalty": N_("{side} may drop a penalty ring anywhere."),
    }
)
PRESSED_RIGHTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "move": N_("{side} may drop a ring on {socket} and then presses its button, which makes it count."),
        "claim": N_("{side} may claim a ring on {socket}: drop it there, then press the button of that side."),
        "penalty": N_(
            "{side} may drop a penalty ring: a short press of its button moves the lamp on, a long one sets the ring "
            "at the lamp."
        ),
    }
)
"""Where a player's button is what tells of a ring."""
CAPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "fine": N_("Cap on {glass}: {volts} V, heard {ago} s ago, {unanswered} percent unanswered, {tries} tries."),
        "low": N_("The cell in the cap on {glass} is low ({volts} V): change it before the game."),
        "silent": N_("The radio cap on {glass} is not heard."),
        "twins": N_("Two radio caps say that they are {glass}'s."),
    }
)
"""How a glass's radio cap is, by what `CapState.told` calls it."""
SUSPECTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "beyond": N_("{sensor}: says that a glass stands there, but no more than six glasses can stand on the board."),
        "ghost": N_(
            "{sensor}: may say that a glass stands there only because three others square to it do. "
            "If none does, a diode is missing or broken."
        ),
        "ring_beyond": N_("{sensor}: tells more rings than there can be."),
        "button_down": N_("{sensor}: is held down, or stuck."),
        "restless_tilt": N_("{sensor}: changes though nothing is touched."),
        "flickers": N_("{sensor}: flickers though nothing is touched."),
    }
)
SENSORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "socket": N_("Sensor of {name}"),
        "tilt": N_("Tilt sensor of {name}"),
        "ring": N_("Ring sensor of {name}"),
        "holder": N_("Ring holder: {name}"),
        "button": N_("Button: {name}"),
    }
)
SHORT_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {"R": N_("red hourglass {glass}"), "B": N_("black hourglass {glass}"), "N": N_("timer")}
)
"""What a glass is called beside the board, by the first letter of its name."""
SHORT_RING: Final = N_("Short: drops the ring on {socket}.")
SHORT_PENALTY: Final = N_("Short: moves the lamp on. Long: sets the penalty ring at the lamp.")
SHORT_PASS: Final = N_("Short: asks to pass.")
SHORT_CONFIRM: Final = N_("Short: confirms that the glass was turned over.")
HELD: Final = N_("Held for 3 s: resigns; both at once: a draw.")
ARBITER_PAUSE: Final = N_("Short: pause. Long: look at the last verdict again.")
ARBITER_RESUME: Final = N_("Short: go on. Long: look at the last verdict again.")
ARBITER_HELD: Final = N_("Held for 3 s: annul it.")
ARBITER_OFFER: Final = N_("Short: go on with the game that was cut off. Long: set it aside.")
NOT_BEFORE_PLAY: Final = N_("Nothing before the game begins.")
GAME_OVER: Final = N_("Nothing any more: the game is over.")


@attrs.frozen(kw_only=True)
class Scene:
    """All that is told of: the game now, its rulings so far, and what stands in no snapshot."""

    snapshot: Snapshot
    rulings: Sequence[Ruling] = ()
    ring_mode: str = "stack"
    by_place: bool = True
    problem: str | None = None
    """Why nothing is watched, as the program says it."""
    unkept: str | None = None
    """Why the game is not being kept, as the program says it; all is judged all the same."""
    differences: Mapping[str, Any] = attrs.field(factory=dict)
    """How a board that is heard again differs from the game: the details of a notice `unobserved`."""
    holders: Mapping[str, int] = attrs.field(factory=dict)
    """How many rings lie on each side's holder."""
    caps: Mapping[str, Mapping[str, object]] = attrs.field(factory=dict)
    """How each glass's radio cap is, where there are any."""
    helps: bool = True
    """Whether it may be told what a player may do."""


def lines_of(scene: Scene, language: Language) -> dict[str, Any]:
    """Every line, by what it is of. Equal scenes give equal lines."""
    snapshot = scene.snapshot
    words = Words(snapshot.names, language, by_place=scene.by_place)
    return {
        "turn": _turn(snapshot, words),
        "kind": _kind(snapshot, words),
        "hints": list(_hints(scene, words)),
        "asks": list(_asks(scene, words)),
        "sides": {side: words.namer.side(side) for side in PLAYERS},
        "rings": {
            side: words.ngettext("{count} ring left", "{count} rings left", count)
            for side, count in (scene.holders or snapshot.rings_left).items()
        },
        "glasses": {name: _glass(view, scene, words) for name, view in snapshot.glasses.items()},
        "timer": _timer(snapshot, words),
        "presses": {**{side: _press(scene, side, words) for side in PLAYERS}, "arbiter": _arbiter(snapshot, words)},
    }


# -- whose turn


def _side(snapshot: Snapshot, words: Words, side: Player) -> str:
    name = words.namer.side(side) if snapshot.names.get(side) else ""
    colour = words.namer.colour(side)
    return words.fill(N_("{side} ({name})"), {"side": colour, "name": name}) if name else colour


def _kind(snapshot: Snapshot, words: Words) -> str:
    edition = EDITIONS.get(snapshot.rules)
    level = words.text(N_("Level {level}"), level=snapshot.level)
    return level if edition is None else f"{level} · {catalogue(words.language).gettext(edition)}"


def _turn(snapshot: Snapshot, words: Words) -> str:
    if snapshot.phase == "over":
        won = (
            words.text(N_("A draw"))
            if snapshot.winner is None
            else words.fill(N_("{side} wins"), {"side": _side(snapshot, words, snapshot.winner)})
        )
        ending = ENDINGS.get(snapshot.result or "")
        return won if ending is None else f"{won} {catalogue(words.language).gettext(ending)}"
    side = _side(snapshot, words, snapshot.to_move) if snapshot.to_move else ""
    return words.fill(TURNS[snapshot.phase], {"side": side})


# -- what is wrong, and what may be done


def _hints(scene: Scene, words: Words) -> Iterator[Line]:
    snapshot = scene.snapshot
    if scene.unkept is not None:
        text = N_("Nothing is kept of this game: {problem}. Everything is judged all the same.")
        yield _line("fault", words.text(text, problem=_reason(scene.unkept, words.language)))
    elif scene.problem is not None:
        yield _line("fault", words.text(N_("Not watching: {problem}."), problem=remark(scene.problem, words.language)))
    differing = [_line("fault differs", text) for text in _differences(scene.differences, words)]
    if differing:
        differing[-1]["verb"] = "accept"
    yield from differing
    yield from _caps(scene, words)
    if snapshot.phase != "over":
        yield from _to_be_done(scene, words)
    elif snapshot.upcoming is not None:
        # Nothing is to be mended any more, but the board is to be set up for the next game.
        yield from _set_up(snapshot, words)
    if snapshot.faults:
        names = ", ".join(_input(name, words) for name in snapshot.faults)
        yield _line("fault", words.text(N_("Not trusted now: {inputs}."), inputs=names))


def _caps(scene: Scene, words: Words) -> Iterator[Line]:
    """All of them before the game, in it those that are in trouble."""
    for glass, cap in scene.caps.items():
        state = str(cap["state"])
        if state != "fine" or scene.snapshot.phase == "setting_up":
            told = {"volts": cap["volts"], "ago": cap["heard_ago_s"], **{k: cap[k] for k in ("unanswered", "tries")}}
            text = catalogue(words.language).gettext(CAPS[state]).format(glass=glass, **told)
            yield _line("note" if state == "fine" else "fault", text)


def _to_be_done(scene: Scene, words: Words) -> Iterator[Line]:
    snapshot = scene.snapshot
    for violation in snapshot.violations:
        yield _violation(violation, scene.rulings, words)
    if snapshot.phase == "setting_up":
        yield from _set_up(snapshot, words)
    if timer_side_is_open(snapshot):
        text = N_("{side} chooses on which side of the board the timer stands.")
        yield _line("note", words.text(text, side="black"))
    if snapshot.phase == "mending" and snapshot.level == 3 and snapshot.timer_armed_against is None:
        stops_ms = snapshot.glasses[TIMER].stops_at_ms
        if stops_ms is not None:
            text = N_("The timer's sand runs against nobody: while something is to be put right it starts no time.")
            yield _line("note", words.text(text), closes=stops_ms)
    if scene.helps:
        yield from _helps(scene, words)


def _set_up(snapshot: Snapshot, words: Words) -> Iterator[Line]:
    for problem in snapshot.setup_problems:
        yield _line("setup", words.text(SETUP[problem.what], socket=problem.socket))
    for side, count in ({} if snapshot.upcoming is None else snapshot.upcoming.holders_lacking).items():
        yield _line("setup", words.text(N_("Rings missing on a holder: {side} {count}."), side=side, count=count))


def _helps(scene: Scene, words: Words) -> Iterator[Line]:
    snapshot = scene.snapshot
    texts = PRESSED_RIGHTS if scene.ring_mode == "buttons" else RIGHTS
    for right in snapshot.rights:
        text = words.text(texts[right.kind], side=right.player, socket=right.socket or "")
        yield _line("right", text, closes=right.closes_at_ms)
    for side in snapshot.penalty_owed:
        yield _line("note", words.text(N_("{side} is owed a penalty ring."), side=side))
    for side in snapshot.skip_owed:
        yield _line("note", words.text(N_("The next turn of {side} is skipped."), side=side))


def ruling_of(violation: ViolationView, rulings: Sequence[Ruling]) -> Ruling:
    """The ruling that told of a violation that is still open; made up from what is known of it where none did."""
    kind = "notice" if violation.code == ASKED else "violation"
    for ruling in reversed(rulings):
        if ruling.kind == kind and ruling.get("code") == violation.code and _is_of(ruling, violation):
            if violation.home is None or "home" in ruling.details:
                return ruling
            return attrs.evolve(ruling, details={**ruling.details, "home": violation.home})
    known = {
        "code": violation.code,
        "player": violation.player,
        "glass": violation.glass,
        "to": violation.socket if violation.glass else None,
        "home": violation.home,
        "socket": None if violation.glass else violation.socket,
    }
    return Ruling(violation.since_ms, kind, {key: value for key, value in known.items() if value is not None})


def _is_of(ruling: Ruling, violation: ViolationView) -> bool:
    if violation.glass is not None:
        return ruling.get("glass") == violation.glass
    if violation.socket is not None:
        return ruling.get("socket") == violation.socket
    return ruling.get("player") == violation.player and ruling.get("socket") is None


def _violation(violation: ViolationView, rulings: Sequence[Ruling], words: Words) -> Line:
    ruling = ruling_of(violation, rulings)
    said = words.sentences(ruling)
    mend = " ".join(text for key, text in said if key.startswith("mend"))
    text = " ".join(text for key, text in said if not key.startswith("mend"))
    return _line("wrong", text or words.say(ruling), mend=mend)


def _differences(found: Mapping[str, Any], words: Words) -> Iterator[str]:
    for socket in found.get("opened", ()):
        yield words.text(N_("{socket}: a glass should stand there."), socket=socket)
    for socket in found.get("closed", ()):
        yield words.text(N_("{socket}: no glass should stand there."), socket=socket)
    for glass in found.get("turned", ()):
        yield words.fill(N_("{glass} was turned over."), {"glass": str(glass)})
    for socket, by in found.get("rings", {}).items():
        more, fewer = (
            N_("{socket}: more rings than counted ({count} too many)."),
            N_("{socket}: fewer rings than counted ({count} missing)."),
        )
        yield words.text(more if by > 0 else fewer, socket=socket, count=abs(by))
    for side, by in found.get("holders", {}).items():
        more, fewer = (
            N_("Ring holder of {side}: {count} more than before."),
            N_("Ring holder of {side}: {count} fewer than before."),
        )
        yield words.text(more if by > 0 else fewer, side=side, count=abs(by))


def _input(name: str, words: Words) -> str:
    kind, _, of = name.partition(":")
    return words.namer.sensor(kind, of) if of else name


def _reason(unkept: str, language: Language) -> str:
    """What is behind "the game is not being kept: "; that it is not kept is told in another sentence."""
    _, _, reason = unkept.partition(": ")
    return remark(reason, language) or remark(unkept, language)


def _line(kind: str, text: str, *, mend: str = "", closes: int | None = None) -> Line:
    line: Line = {"kind": kind, "text": text}
    if mend:
        line["mend"] = mend
    if closes is not None:
        line["closes"] = closes
    return line


# -- what is asked


def _asks(scene: Scene, words: Words) -> Iterator[Line]:
    if scene.snapshot.waits == "resume":
        yield {"kind": "resume", "text": words.text(N_("A game was cut off. This is how it stood."))}
    for glass in _sand_asked_for(scene):
        named = catalogue(words.language).gettext(SHORT_NAMES[glass[0]]).format(glass=glass)
        text = words.fill(N_("How does the sand stand? {glass}"), {"glass": named})
        yield {"kind": "sand", "text": text, "glass": glass}
    for suspect in scene.snapshot.suspects:
        name = suspect.name if suspect.kind in ("socket", "tilt", "ring") else words.namer.colour(suspect.name)
        sensor = words.text(SENSORS[suspect.kind], name=name)
        yield {"kind": "suspect", "text": words.text(SUSPECTS[suspect.what], sensor=sensor)}


def _sand_asked_for(scene: Scene) -> list[str]:
    """The glasses that were asked for last and that nothing has been said of since."""
    rulings = scene.rulings
    asked = [n for n, one in enumerate(rulings) if one.kind == "notice" and one.get("code") == "ask_for_sand"]
    if not asked or scene.snapshot.phase == "over":
        return []
    later = rulings[asked[-1] + 1 :]
    told = {
        one.get("glass")
        for one in later
        if one.get("code") == "glass_corrected" or one.kind in ("move", "glass_stopped")
    }
    glasses = rulings[asked[-1]].get("glasses")
    return [str(glass) for glass in glasses if glass not in told] if isinstance(glasses, list | tuple) else []


# -- pieces


def _glass(view: GlassView, scene: Scene, words: Words) -> Line:
    """`empty`: what is said of its sand while none runs."""
    say = catalogue(words.language).gettext
    if view.name == TIMER:
        empty = N_("empty")
    elif scene.snapshot.level == 1:
        empty = ""
    elif view.out:
        empty = N_("out")
    elif view.moved:
        empty = N_("stopped")
    elif any(one.kind == "glass_stopped" and one.get("glass") == view.name for one in scene.rulings):
        # Its sand has run through, as it was turned over without a move: what counts is that it has not moved yet.
        empty = N_("empty, not moved yet")
    else:
        empty = N_("unmoved")
    return {"empty": say(empty) if empty else ""}


def _timer(snapshot: Snapshot, words: Words) -> str:
    """What is told of a timer that is armed; `{seconds}` in it is filled in by the page."""
    if snapshot.timer_armed_against is None or snapshot.phase == "over":
        return ""
    side = words.namer.side(snapshot.timer_armed_against)
    return words.fill(N_("The timer runs against {side}: {seconds} s."), {"side": side, "seconds": "{seconds}"})


# -- what the buttons do


def _press(scene: Scene, side: Player, words: Words) -> Line:
    """`now`: what a short or a long press does; `held`: what one of 3 s does."""
    snapshot = scene.snapshot
    if snapshot.phase == "over":
        return {"now": words.text(GAME_OVER), "held": ""}
    if snapshot.phase == "setting_up":
        return {"now": words.text(NOT_BEFORE_PLAY), "held": ""}
    short = _short(scene, side)
    now = words.text(short[0], socket=short[1]) if short is not None else ""
    return {"now": now, "held": words.text(HELD)}


def _short(scene: Scene, side: Player) -> tuple[str, str] | None:
    snapshot = scene.snapshot
    if any(v.code == ASKED and v.player == side for v in snapshot.violations):
        return SHORT_CONFIRM, ""
    mine = [right for right in snapshot.rights if right.player == side]
    if scene.ring_mode == "buttons":
        for kind in ("move", "claim"):
            right: RightView | None = next((right for right in mine if right.kind == kind), None)
            if right is not None:
                return SHORT_RING, right.socket or ""
    if scene.ring_mode != "stack" and any(right.kind == "penalty" for right in mine):
        return SHORT_PENALTY, ""
    if snapshot.to_move == side and snapshot.phase != "paused":
        return SHORT_PASS, ""
    return None


def _arbiter(snapshot: Snapshot, words: Words) -> Line:
    if snapshot.waits == "resume":
        return {"now": words.text(ARBITER_OFFER), "held": ""}
    short = ARBITER_RESUME if snapshot.phase == "paused" else ARBITER_PAUSE
    return {"now": words.text(short), "held": words.text(ARBITER_HELD)}
