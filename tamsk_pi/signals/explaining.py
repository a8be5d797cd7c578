"""What a ruling rests on, in words: edges, windows of time, the rule, the sand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from tamsk_pi.signals.language import N_
from tamsk_pi.signals.names import first_upper
from tamsk_pi.signals.words import Words

_EDGES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "socket.closed": N_("{name} closes"),
        "socket.open": N_("{name} opens"),
        "socket.N": N_("{name}: a glass with its end a up"),
        "socket.S": N_("{name}: a glass with its end b up"),
        "tilt": N_("{Glass}: end {value} is up"),
        "cap.silent": N_("{Glass}: its radio cap is not heard any more"),
        "cap.heard": N_("{Glass}: its radio cap is heard again, and end {value} is up"),
        "ring": N_("Rings around {name}: {value}"),
        "holder": N_("Rings on the holder of {side}: {value}"),
        "button.down": N_("{Sensor} goes down"),
        "button.up": N_("{Sensor} comes up"),
        "link.down": N_("The board is not heard any more"),
        "link.up": N_("The board is heard again"),
        "arbiter": N_("The arbiter's word: {value}"),
    }
)

_WAITS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "settle": N_("{Sensor} kept its value for its settle time of {length}."),
        "flip_grace": N_("A turning counts from {length} before the lift to {length} after the placing."),
        "opened": N_("{player} moved to {socket} at {since}: that move opened the ring right."),
        "move": N_("{player} had a right to drop a ring on {socket}."),
        "claim": N_("{player} had a claim to drop a ring on {socket}."),
        "penalty": N_("{player} had a right to drop a penalty ring."),
        "no_right": N_("No ring right was open."),
        "timer": N_("The timer ran against {player}."),
        "tolerance": N_("The tolerance of the sand's model is {length}."),
        "confirm": N_("The turning could be confirmed for {length}."),
        "press": N_("A press is long from 0.8 s on and held at 3 s."),
        "noisy": N_("More than 40 edges within {length} are too many."),
        "weak": N_("Flickers are counted over {length}."),
        "off_board": N_("A glass may be in hand for {length} before it is told."),
    }
)

_SAND: Final[Mapping[str, str]] = MappingProxyType(
    {
        "running": N_("{Glass}: {left} left"),
        "stopped": N_("{Glass}: run out"),
        "out": N_("{Glass}: out for good"),
        "unmoved": N_("{Glass}: not moved yet"),
        "empty": N_("{Glass}: empty"),
        "ignored": N_("{Glass}: its sand is ignored at level 1"),
    }
)

HEADINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "edges": N_("What was sensed"),
        "waits": N_("What was waited for, and for how long"),
        "rules": N_("The rule"),
        "sand": N_("The sand at that instant"),
        "glass": N_("The glass"),
        "turn": N_("Whose turn it was"),
    }
)
_OPEN_ENDED: Final = ("move", "claim", "penalty")
"""Rights: one that no time closes is told with when it opened."""
_TO_MOVE: Final = N_("{player} was to move.")
_NOBODY: Final = N_("Nobody was to move.")
_NOTHING_SENSED: Final = N_("No edge: so it stood in the trace's header, or time alone brought it.")
_HANDLING: Final = N_("{Glass} was lifted at {lifted} with {left} left.")
_LIFTED: Final = N_("{Glass} was lifted at {lifted}.")
_RAN: Final = N_("It might still be moved.")
_RAN_OUT: Final = N_("It might not be moved any more.")
_TURNED: Final = N_("It was turned over on the way.")
_NOT_TURNED: Final = N_("It was not turned over on the way.")
_UNTIL: Final = N_("({since} to {until})")
_SINCE: Final = N_("(from {since} on)")


def stamp(t_ms: int) -> str:
    """A time since the game's start to the millisecond: `mm:ss.mmm`."""
    return f"{t_ms // 60_000:02}:{t_ms // 1000 % 60:02}.{t_ms % 1000:03}"


def length(ms: int) -> str:
    """A length of time in seconds."""
    return f"{ms / 1000:g} s" if ms >= 1000 else f"{ms} ms"


class Explainer:
    """Puts the parts of an explanation into the words of one language."""

    def __init__(self, words: Words) -> None:
        self.words: Final = words

    def heading(self, key: str) -> str:
        """What a part of an explanation is called."""
        return self.words.fill(HEADINGS[key], {})

    def edge(self, line: Mapping[str, object]) -> str:
        """One line of a trace."""
        kind = next(k for k in ("socket", "tilt", "cap", "ring", "holder", "button", "arbiter", "link") if k in line)
        name = str(line[kind])
        match kind:
            case "socket":
                value = line.get("closed", line.get("field"))
                key = f"socket.{value}" if value in ("N", "S") else "socket.closed" if value else "socket.open"
            case "cap":
                key = "cap.heard" if line["heard"] else "cap.silent"
            case "button":
                key = "button.down" if line["down"] else "button.up"
            case "link":
                key = f"link.{name}"
            case _:
                key = kind
        namer = self.words.namer
        blanks = {"name": name, "value": str(line.get("up", line.get("count", name))), "side": namer.side(name)}
        blanks["Glass"] = first_upper(namer.glass(name))
        blanks["Sensor"] = first_upper(namer.sensor(kind, name))
        return self.words.fill(_EDGES[key], blanks)

    def wait(self, wait: Mapping[str, object]) -> str:
        """A settle time, a window or a deadline that applied, with its bounds."""
        namer = self.words.namer
        ms, since_ms, until_ms = wait.get("ms"), wait.get("from_ms"), wait.get("until_ms")
        blanks = {
            "length": length(ms) if isinstance(ms, int) else "",
            "player": namer.side(wait.get("player")),
            "socket": str(wait.get("socket")),
            "Sensor": first_upper(namer.sensor(wait.get("kind"), wait.get("input"))),
            "since": stamp(since_ms) if isinstance(since_ms, int) else "",
        }
        text = self.words.fill(_WAITS[str(wait["what"])], blanks)
        if isinstance(since_ms, int) and isinstance(until_ms, int):
            text += " " + self.words.fill(_UNTIL, {"since": stamp(since_ms), "until": stamp(until_ms)})
        elif isinstance(since_ms, int) and wait["what"] in _OPEN_ENDED:
            text += " " + self.words.fill(_SINCE, {"since": stamp(since_ms)})
        return text

    def sand(self, glass: str, sand: Mapping[str, object]) -> str:
        """How one glass stood."""
        left_ms = sand["left_ms"]
        left = length(left_ms) if isinstance(left_ms, int) else ""
        return self.words.fill(
            _SAND[str(sand["state"])], {"Glass": first_upper(self.words.namer.glass(glass)), "left": left}
        )

    def turn(self, to_move: object) -> str:
        """Whose turn it was."""
        if to_move is None:
            return self.words.fill(_NOBODY, {})
        return self.words.fill(_TO_MOVE, {"player": self.words.namer.side(to_move)})

    def nothing_sensed(self) -> str:
        """Where no edge lies behind a ruling."""
        return self.words.fill(_NOTHING_SENSED, {})

    def handling(self, handling: Mapping[str, object]) -> str:
        """How the glass that was judged was handled."""
        lifted_ms, left_ms = handling["lifted_ms"], handling["left_at_lift_ms"]
        assert isinstance(lifted_ms, int)
        blanks = {
            "Glass": first_upper(self.words.namer.glass(handling["glass"])),
            "lifted": stamp(lifted_ms),
            "left": length(left_ms) if isinstance(left_ms, int) else "",
        }
        told = [_HANDLING if isinstance(left_ms, int) else _LIFTED]
        if handling["might_move"] is not None:
            told.append(_RAN if handling["might_move"] else _RAN_OUT)
        if handling["turned"] is not None:
            told.append(_TURNED if handling["turned"] else _NOT_TURNED)
        return " ".join(self.words.fill(text, blanks) for text in told)

    def lines(self, explanation: Mapping[str, Any]) -> Iterator[str]:
        """A whole explanation (`docs/traces.md` has its shape), indented by what belongs to what."""
        yield f"{stamp(explanation['ruling']['t'])}  {explanation['text']}"
        yield f"  {self.heading('edges')}"
        yield from (f"    {stamp(edge['t'])}  {edge['text']}" for edge in explanation["edges"])
        if not explanation["edges"]:
            yield f"    {self.nothing_sensed()}"
        if explanation["waits"]:
            yield f"  {self.heading('waits')}"
            yield from (f"    {wait['text']}" for wait in explanation["waits"])
        yield f"  {self.heading('rules')}"
        for rule in explanation["rules"]:
            yield f"    {rule['text']}"
            yield f"      {rule['source']}; {rule['origin']}"
        if explanation["glass"] is not None:
            yield f"  {self.heading('glass')}"
            yield f"    {explanation['glass']['text']}"
        yield f"  {self.heading('sand')}"
        yield from (f"    {it['text']}" for it in explanation["sand"].values())
        yield f"  {self.heading('turn')}"
        yield f"    {explanation['turn']}"
