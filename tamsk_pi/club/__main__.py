"""The publisher's process: settings on the first line of standard input, then what became of the arbiter's words.

It tells its parent, one JSON object a line, what is wrong (`{"problem": …}`, null: nothing) and the arbiter's words
(`{"word": ID, "said": {…}}`), and ends when its standard input does: it never outlives the game's process.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from threading import Lock, Thread
from typing import Any

from tamsk_pi.club.publisher import Publisher
from tamsk_pi.club.settings import ClubSettings


def main() -> None:
    """Publish until the parent goes."""
    settings = ClubSettings.from_line(sys.stdin.readline())
    one_at_a_time = Lock()

    def tell(message: Mapping[str, Any]) -> None:
        with one_at_a_time:
            sys.stdout.write(json.dumps(message) + "\n")
            sys.stdout.flush()

    publisher = Publisher(
        settings,
        tell_problem=lambda problem: tell({"problem": problem}),
        hear_word=lambda identity, word: tell({"word": identity, "said": dict(word)}),
    )

    def listen() -> None:
        for line in sys.stdin:
            told = json.loads(line)
            publisher.answer(told["word"], told["reason"])
        publisher.stop()

    Thread(target=listen, name="parent", daemon=True).start()
    try:
        publisher.run()
    except BrokenPipeError:
        # The parent has gone: there is nobody to publish for.
        sys.stderr.close()


if __name__ == "__main__":
    main()
