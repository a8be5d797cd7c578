"""`tamsk-pi replay TRACE --page`: one trace on a page of its own."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path
from threading import Event
from typing import Final

import click

from tamsk_pi.ending import on_ending
from tamsk_pi.signals.language import N_, Language, catalogue
from tamsk_pi.terminal import complain, reason_of
from tamsk_pi.trace import TraceError
from tamsk_pi.web.access import WebSettings
from tamsk_pi.web.film import FilmError, film_of
from tamsk_pi.web.games import MAX_TRACE_BYTES, OneGame
from tamsk_pi.web.server import ServerError, replay_server

CANNOT_SERVE: Final = 1
NOT_A_TRACE: Final = 2


def serve_trace(path: Path, port: int, language: Language, *, browser: bool) -> None:
    """Serve until SIGINT or SIGTERM. Exit status 2, with one line, where the file is no trace that can be shown."""
    try:
        with path.open("rb") as stream:
            trace = stream.read(MAX_TRACE_BYTES + 1)
        if len(trace) > MAX_TRACE_BYTES:
            raise FilmError(f"a trace may have {MAX_TRACE_BYTES} bytes here")
        # Told here, in one line, rather than on the page.
        film_of(trace, drop_torn_end=True)
    except (TraceError, FilmError) as error:
        _quit(f"{path}: {error}", NOT_A_TRACE)
    except OSError as error:
        _quit(f"{path}: {reason_of(error)}", NOT_A_TRACE)
    ended = Event()
    on_ending(ended.set)
    page = replay_server(OneGame(path.absolute()), WebSettings(port=port, language=language))
    try:
        page.open()
        click.echo(catalogue(language).gettext(N_("The replay is at {url} (Ctrl-C ends).")).format(url=page.url))
        if browser:
            webbrowser.open(page.url)
        ended.wait()
    except ServerError as error:
        _quit(str(error), CANNOT_SERVE)
    finally:
        page.close()


def _quit(text: str, status: int) -> None:
    complain(text)
    sys.exit(status)
