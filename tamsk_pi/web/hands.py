"""Many may look, one has the hands: who that is, by name."""

from __future__ import annotations

from collections.abc import Callable

from tamsk_pi.web.hub import Viewer


class HandsDesk:
    """Gives the one set of hands to one viewer at a time. `changed` is called after every change of hands."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self.holder: Viewer | None = None
        self.name = ""

    def take(self, viewer: Viewer, name: str) -> None:
        """Take the hands, from whoever has them: a person's own choice, never done by itself."""
        if self.holder is not viewer or self.name != name:
            self.holder, self.name = viewer, name
            self._changed()

    def release(self, viewer: Viewer) -> None:
        """Give them back, if it is this viewer who has them."""
        if self.holder is viewer:
            self.holder, self.name = None, ""
            self._changed()

    def refusal(self, viewer: Viewer) -> str | None:
        """Why this viewer may not act, or None. Free hands go to the first who acts."""
        if self.holder is None:
            self.take(viewer, "")
        if self.holder is viewer:
            return None
        return f"the hands are with {self.name or 'another page'}; take them over first"
