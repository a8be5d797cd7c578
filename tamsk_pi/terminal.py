"""What is printed, on any terminal and into any pipe: in any encoding, and whatever becomes of whoever reads it."""

from __future__ import annotations

import codecs
import logging
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import click

from tamsk_pi.signals.language import language_of

_ESCAPED: Final = "tamsk-pi-escaped"
_log = logging.getLogger(__name__)


def _escape(error: UnicodeError) -> tuple[str, int]:
    """What an encoding cannot spell, escaped as JSON does it: JSON stays what it was, and a name can be told apart.

    So are the bytes of a file's name that are no text.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[begin : begin + 4]}" for begin in range(0, len(units), 4)), error.end


def let_anything_be_printed() -> None:
    """From now on standard output and error print any text, whatever the locale's encoding lacks."""
    codecs.register_error(_ESCAPED, _escape)
    for stream in (sys.stdout, sys.stderr):
        # Nobody's output is None; a stand-in that encodes nothing cannot fail at it.
        if (reconfigure := getattr(stream, "reconfigure", None)) is not None:
            reconfigure(errors=_ESCAPED)


def leave_output() -> None:
    """Let what is still to be printed go nowhere, where the reader has gone: not even the interpreter's end says so."""
    for stream in (sys.stdout, sys.stderr):
        if stream is None:
            continue
        try:
            stream.flush()
        except OSError:
            with suppress(OSError, ValueError):
                nowhere = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
                os.dup2(nowhere, stream.fileno())
                os.close(nowhere)


def lasting_echo() -> Callable[[str], None]:
    """Prints lines for as long as a game lasts, from any thread: a terminal that has gone or a full disk ends nothing.

    The first line that could not be printed goes to the log with its reason; each later one is tried as well.
    """
    failed = False

    def say(line: str) -> None:
        nonlocal failed
        try:
            click.echo(line)
        except (OSError, ValueError) as error:  # ValueError: closed
            if not failed:
                failed = True
                with suppress(OSError, ValueError):
                    _log.warning("what is told cannot be printed: %s", error)

    return say


def reason_of(error: OSError) -> str:
    """Why the system refused, in English: `complain` says it in the user's language."""
    return error.strerror or str(error)


def complain(*parts: object) -> None:
    """Tell on standard error, in the language of the environment, what went wrong: where first, then what.

    Texts are given in English, joined by colons or in several parts; those of the catalogues are translated.
    """
    for line in ": ".join(map(str, parts)).splitlines():
        click.echo(f"tamsk-pi: {_said(line)}", err=True)


def _said(text: str) -> str:
    # Only here: a help text is shown without it.
    from tamsk_pi.signals.remarks import remark

    language = language_of(os.environ)
    told = remark(text, language)
    if told != text:
        return told
    where, colon, what = text.partition(": ")
    return f"{remark(where, language)}{colon}{_said(what)}" if colon else text
