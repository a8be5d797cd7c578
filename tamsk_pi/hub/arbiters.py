"""Who may say an arbiter's word: whoever has been paired by name, with a code that was made on the hub's machine."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from typing import Final

from sqlalchemy import Engine, insert, select, update

from tamsk_pi.clock import Clock
from tamsk_pi.hub.database import wall_ms
from tamsk_pi.hub.tables import ARBITERS
from tamsk_pi.web.limits import Bucket

CODE_DIGITS: Final = 8
CODE_MS: Final = 3_600_000
"""A code holds for an hour, and once."""
NAME_CHARS: Final = 60
TRIES_PER_S: Final = 0.1
TRIES_AT_ONCE: Final = 5


class ArbiterError(Exception):
    """One line that says why not."""


class Arbiters:
    """The arbiters of a hub's database. Codes and tokens are kept as sums only."""

    def __init__(self, engine: Engine, clock: Clock, *, wall_ms: Callable[[], int] = wall_ms) -> None:
        self._engine: Final = engine
        self._wall_ms: Final = wall_ms
        self._tries: Final = Bucket(clock, per_s=TRIES_PER_S, burst=TRIES_AT_ONCE)

    def add(self, name: str) -> str:
        """A code by which an arbiter of this name may be paired; whoever was paired by that name is not any more."""
        name = name.strip()
        if not name or len(name) > NAME_CHARS or not name.isprintable():
            raise ArbiterError(f"{name!r} is no name: one line, 1 to {NAME_CHARS} characters")
        code = "".join(secrets.choice("0123456789") for _ in range(CODE_DIGITS))
        values = {
            "code_hash": _sum(code),
            "code_until_ms": self._wall_ms() + CODE_MS,
            "token_hash": None,
            "revoked": False,
        }
        with self._engine.begin() as connection:
            if not connection.execute(update(ARBITERS).where(ARBITERS.c.name == name).values(values)).rowcount:
                connection.execute(insert(ARBITERS).values(name=name, **values))
        return code

    def revoke(self, name: str) -> None:
        """From now on this arbiter is not paired any more."""
        gone = {"revoked": True, "token_hash": None, "code_hash": None}
        with self._engine.begin() as connection:
            if not connection.execute(update(ARBITERS).where(ARBITERS.c.name == name).values(gone)).rowcount:
                raise ArbiterError(f"{name!r} is no arbiter here")

    def listed(self) -> list[tuple[str, str]]:
        """Each name, and whether it is `paired`, `waiting` to be, or `revoked`."""
        with self._engine.connect() as connection:
            rows = connection.execute(select(ARBITERS).order_by(ARBITERS.c.name)).all()
        return [
            (row.name, "revoked" if row.revoked else "paired" if row.token_hash is not None else "waiting")
            for row in rows
        ]

    def pair(self, name: str, code: str) -> str:
        """The token for the right code. `ArbiterError` else."""
        if not self._tries.take():
            raise ArbiterError("too many tries; wait ten seconds")
        token = secrets.token_urlsafe(24)
        with self._engine.begin() as connection:
            row = connection.execute(select(ARBITERS).where(ARBITERS.c.name == name.strip()).with_for_update()).first()
            right = (
                row is not None
                and row.code_hash is not None
                and not row.revoked
                and row.code_until_ms >= self._wall_ms()
                and hmac.compare_digest(row.code_hash, _sum(code.strip()))
            )
            if not right or row is None:
                raise ArbiterError("that is not the code of this arbiter, or it is too old")
            connection.execute(
                update(ARBITERS)
                .where(ARBITERS.c.id == row.id)
                .values(token_hash=_sum(token), code_hash=None, code_until_ms=None)
            )
        return token

    def who(self, token: str) -> str | None:
        """The name of the arbiter who was paired with this token; None for anybody else."""
        if not token:
            return None
        with self._engine.connect() as connection:
            return connection.execute(
                select(ARBITERS.c.name).where(ARBITERS.c.token_hash == _sum(token), ~ARBITERS.c.revoked)
            ).scalar()


def _sum(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
