"""What a live game has to do with its club: its rulings are kept beside its trace, and a process publishes both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tamsk_pi.club.beside import ClubProcess
from tamsk_pi.club.rulings_file import RulingsFile
from tamsk_pi.club.settings import ClubSettings
from tamsk_pi.runner.loop import Loop
from tamsk_pi.signals.language import N_


class ClubSide:
    """Made before the loop, attached to it, and closed after it."""

    def __init__(self, settings: ClubSettings, say: Callable[[str], None], told: Callable[..., str]) -> None:
        """`say` prints a line; `told` puts a text of the catalogues into the language of the run."""
        self.rulings: Final = RulingsFile()
        self._settings: Final = settings
        self._say: Final = say
        self._told: Final = told
        self._process: ClubProcess | None = None

    def attach(self, loop: Loop) -> None:
        """Begin to tell what this loop plays, and take words for it."""
        from tamsk_pi.web.loop_source import LoopArbiter

        self._process = ClubProcess(self._settings, LoopArbiter(loop).do, self._tell)
        self._process.start()

    def close(self) -> None:
        self.rulings.close()
        if self._process is not None:
            self._process.close()

    def _tell(self, problem: str | None) -> None:
        if problem is None:
            self._say(self._told(N_("The games are told to the hub of {event}."), event=self._settings.event))
        else:
            self._say(self._told(N_("The hub does not hear this board: {problem}"), problem=problem))
