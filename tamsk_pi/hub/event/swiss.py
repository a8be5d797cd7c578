"""Swiss pairings by FIDE's Dutch system, computed by the library py4swiss; red takes the part of White.

The library reads FIDE's tournament report, so the event is handed to it as one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tamsk_pi.hub.event.history import History, Pairing, Player

_TOKENS: Final = {
    "red": ("1", "0"),
    "black": ("0", "1"),
    "draw": ("=", "="),
    "red_forfeit": ("+", "-"),
    "black_forfeit": ("-", "+"),
    "both_forfeit": ("-", "-"),
    "bye": ("U", ""),
    "half_bye": ("H", ""),
    "zero_bye": ("Z", ""),
}


class SwissError(Exception):
    """No further round can be paired; one line that says why."""


def next_round(history: History, absent: Collection[int] = ()) -> list[tuple[int, int | None]]:
    """The pairs (red, black) of the next round by board, the bye last with None. `SwissError` where there are none.

    `absent`: the starting numbers of those who asked not to be paired in this round.
    """
    try:
        from py4swiss.engines import DutchEngine
        from py4swiss.engines.common import PairingError
        from py4swiss.trf import TrfParser
    except ImportError:
        raise SwissError("Swiss pairings need the extra swiss: pip install 'tamsk-pi[swiss]'") from None
    number = history.newest_round() + 1
    present = [player for player in history.players if player.takes_part(number) and player.number not in absent]
    if len(present) < 2:
        raise SwissError("a round needs 2 players or more")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "event.trf"
        path.write_text("\n".join(report_lines(history, absent)) + "\n", encoding="ascii")
        try:
            pairs = DutchEngine.generate_pairings(TrfParser.parse(path, strict=True))
        except PairingError:
            raise SwissError("no further round can be paired: everybody who may be has been met") from None
    told = [(pair.white, pair.black or None) for pair in pairs]
    return sorted(told, key=lambda pair: _place(history, pair))


def _place(history: History, pair: tuple[int, int | None]) -> tuple[bool, float, float, int]:
    """Boards go by the points of the better, then of both, then by the better starting number; the bye is last."""
    red, black = pair
    points = [history.points(player) for player in pair if player is not None]
    return black is None, -max(points), -sum(points), min(player for player in pair if player is not None) if red else 0


def report_lines(history: History, absent: Collection[int] = ()) -> Iterator[str]:
    """The event as FIDE's tournament report with its extensions (TRF(x)), by columns; names are left out."""
    number = history.newest_round() + 1
    ranks = sorted(history.players, key=lambda player: (-history.points(player.number), player.number))
    yield "012 tamsk"
    for player in history.players:
        rank = ranks.index(player) + 1
        results = "".join(f"  {_result(history, player, of)}" for of in range(1, number))
        points = history.points(player.number)
        name = f"P{player.number}"
        yield f"001 {player.number:>4} {'':>5}{name:<34}{player.rating:>4}{'':<28}{points:>4.1f} {rank:>4}{results}"
    yield f"XXR {history.rounds}"
    yield "XXC white1"
    gone = [player.number for player in history.players if not player.takes_part(number) or player.number in absent]
    if gone:
        yield "XXZ " + " ".join(map(str, gone))


def _result(history: History, player: Player, round_number: int) -> str:
    pairing = next((p for p in history.of(player.number) if p.round == round_number), None)
    if pairing is None:
        return "0000 - Z"
    return _token(pairing, player.number)


def _token(pairing: Pairing, player: int) -> str:
    assert pairing.result is not None
    is_red = player == pairing.red
    token = _TOKENS[pairing.result][0 if is_red else 1]
    if pairing.black is None:
        return f"0000 - {token}"
    return f"{pairing.opponent_of(player):>4} {'w' if is_red else 'b'} {token}"
