"""What the program says to a page in one plain line: why an act could not be done, why nothing is watched.

These lines are written in English where they arise, in parts of the program that know of no language; here they are
recognised by their form and said in the language of whoever reads them.
"""

from __future__ import annotations

import errno
import re
from functools import cache
from typing import Final

from tamsk_pi.signals.language import N_, Language, catalogue
from tamsk_pi.signals.names import Namer

REMARKS: Final = (
    N_("no ring lies on {socket}"),
    N_("the button {side} cannot be pressed: there is none, or it is down"),
    N_("the button {side} is not down"),
    N_("{glass} is in nobody's hand"),
    N_("{glass} is in {side}'s hand already"),
    N_("the timer does not fit into a socket"),
    N_("{socket} is taken: {glass} does not fit in"),
    N_("{glass} cannot lie across {sockets}"),
    N_("{side}'s holder is empty"),
    N_("there is no ring around {socket}"),
    N_("{side} has no ring in hand"),
    N_("no further ring fits around {socket}"),
    N_("{one} and {other} do not touch: a glass cannot lie across both"),
    N_("{glass} does not lie across {socket}"),
    N_("there is nothing to sweep off the board"),
    N_("there is no socket {name}; sockets are A1 to G4"),
    N_("there is no button {name}; there are {buttons}"),
    N_("it could not be done; the log tells why"),
    N_("too much is waiting to be done; try again in a moment"),
    N_("another page"),
    N_("the hands are with {name}; take them over first"),
    N_("this page plays {side} only"),
    N_("the board is a real one; move its glasses by hand"),
    N_("there are no hands to take: the board is a real one"),
    N_("type the code shown on the box first"),
    N_("{verb} is not offered here"),
    N_("too many messages; slow down"),
    N_("this server speaks version {version} of the protocol; load the page anew"),
    N_("too many tries; wait ten seconds"),
    N_("too many wrong codes from here; wait a quarter of an hour"),
    N_("only a page that is open at the box itself ends pairings"),
    N_("that is not the code shown on the box"),
    N_("the board is not heard"),
    N_(
        "this machine is no Raspberry Pi, and the matrix board hangs on a Pi's pins: here `tamsk-pi simulate` plays on"
        " a virtual one, which `watch` and `calibrate` take with --simulated"
    ),
    N_("the game is over, and its record is closed"),
    N_("a game was cut off: let it go on, or set it aside"),
    N_("the board differs from the game: accept it or put it right"),
    N_("the game is not being kept: {reason}"),
    N_("another trace is being judged; try again in a moment"),
    N_("judging it took too long"),
    N_("judging it could not begin: {reason}"),
    N_("judging it takes more memory than there is for it"),
    N_("judging it was ended by the system; memory may be short"),
    N_("judging it failed; the log tells why"),
    N_("the trace did not come within half a minute"),
    N_("the trace did not come whole"),
    N_("the game cannot be read: {reason}"),
    N_("it is too long to be shown"),
    N_("no such game is kept"),
    N_("this game is going on; it can be deleted when it is over and another has begun"),
    N_("the game cannot be deleted: {reason}"),
    N_("line {line}: {problem}"),
    N_("a trace may have {size} bytes here"),
    N_("only an arbiter who is paired may say that"),
    N_("that is not the code of this arbiter, or it is too old"),
    N_("the boards are shown to paired arbiters only"),
    N_("the board has no game yet"),
    N_("there is no coach here"),
    N_("there is no lesson here"),
    N_("there is no opponent here"),
    N_("the board did not answer"),
    N_("there is no such alarm"),
)

SYSTEM_ERRORS: Final = {
    errno.ENOENT: N_("No such file or directory"),
    errno.EACCES: N_("Permission denied"),
    errno.EPERM: N_("Operation not permitted"),
    errno.EISDIR: N_("Is a directory"),
    errno.ENOTDIR: N_("Not a directory"),
    errno.EEXIST: N_("File exists"),
    errno.ENOTEMPTY: N_("Directory not empty"),
    errno.ENOSPC: N_("No space left on device"),
    errno.EDQUOT: N_("Disk quota exceeded"),
    errno.EFBIG: N_("File too large"),
    errno.EROFS: N_("Read-only file system"),
    errno.EIO: N_("Input/output error"),
    errno.EBUSY: N_("Device or resource busy"),
    errno.ENODEV: N_("No such device"),
    errno.ENXIO: N_("No such device or address"),
    errno.ENAMETOOLONG: N_("File name too long"),
    errno.ELOOP: N_("Too many levels of symbolic links"),
    errno.EINVAL: N_("Invalid argument"),
    errno.EBADF: N_("Bad file descriptor"),
    errno.EMFILE: N_("Too many open files"),
    errno.ENFILE: N_("Too many open files in system"),
    errno.ENOMEM: N_("Cannot allocate memory"),
    errno.EAGAIN: N_("Resource temporarily unavailable"),
    errno.ENOTTY: N_("Inappropriate ioctl for device"),
    errno.EPIPE: N_("Broken pipe"),
    errno.EADDRINUSE: N_("Address already in use"),
    errno.EADDRNOTAVAIL: N_("Cannot assign requested address"),
    errno.ECONNREFUSED: N_("Connection refused"),
    errno.ECONNRESET: N_("Connection reset by peer"),
    errno.ETIMEDOUT: N_("Connection timed out"),
    errno.EHOSTUNREACH: N_("No route to host"),
    errno.ENETUNREACH: N_("Network is unreachable"),
    errno.EAFNOSUPPORT: N_("Address family not supported by protocol"),
    errno.EOPNOTSUPP: N_("Operation not supported"),
    errno.EXDEV: N_("Invalid cross-device link"),
    errno.ESTALE: N_("Stale file handle"),
    errno.EREMOTEIO: N_("Remote I/O error"),
    errno.EPROTO: N_("Protocol error"),
    errno.ENOEXEC: N_("Exec format error"),
    errno.ETXTBSY: N_("Text file busy"),
    errno.ENOSYS: N_("Function not implemented"),
}
"""What the system says where it refuses something, by number; the C library's own words, in English."""

_BLANK: Final = re.compile(r"\{(\w+)\}")


@cache
def _forms() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Each remark as a pattern for the lines that it can be; the one with most plain text first."""
    plainest = sorted((*REMARKS, *SYSTEM_ERRORS.values()), key=lambda text: -len(_BLANK.sub("", text)))
    return tuple((re.compile(_pattern(text), re.DOTALL), text) for text in plainest)


def _pattern(text: str) -> str:
    plain = _BLANK.split(text)
    return "".join(f"(?P<{part}>.+?)" if number % 2 else re.escape(part) for number, part in enumerate(plain))


def is_known(line: str) -> bool:
    """Whether a line is one of the remarks."""
    return any(form.fullmatch(line) for form, _ in _forms())


def remark(line: str, language: Language) -> str:
    """A line of the program in a language; one that is not known stays as it is."""
    if language == "en":
        return line
    for form, text in _forms():
        if found := form.fullmatch(line):
            blanks = {blank: _blank(blank, said, language) for blank, said in found.groupdict().items()}
            return catalogue(language).gettext(text).format_map(blanks)
    return line


def _blank(blank: str, said: str, language: Language) -> str:
    return Namer(catalogue(language), {}, by_place=False).colour(said) if blank == "side" else remark(said, language)
