"""What a client may say on the websocket, and the check of every word of it.

The protocol is JSON text, one object a message, told apart by `type` (and an action by `do`). Whatever does not fit
exactly (an unknown key, a missing one, another type, an unknown socket) is refused with a reason; nothing is guessed
or converted.
"""

from __future__ import annotations

import json
import types
from collections.abc import Mapping
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin

import attrs
from cattrs import Converter, transform_error
from cattrs.errors import BaseValidationError, ForbiddenExtraKeysError

from tamsk_pi.signals.language import Language
from tamsk_pi.web import actions
from tamsk_pi.web.actions import NAME_CHARS, ArbiterAction, HandAction, Seat

PROTOCOL_VERSION: Final = 1
MESSAGE_BYTES: Final = 4096
TOKEN_CHARS: Final = 64
HIGHEST_ID: Final = 2**31

HAND_ACTIONS: Final[dict[str, type[Any]]] = {
    "lift": actions.Lift,
    "place": actions.Place,
    "place_between": actions.PlaceBetween,
    "put_back": actions.PutBack,
    "turn_in_place": actions.TurnInPlace,
    "drop_ring": actions.DropRing,
    "take_ring": actions.TakeRing,
    "turn_timer": actions.TurnTimer,
    "press_button": actions.PressButton,
    "new_game": actions.NewGame,
    "hint": actions.Hint,
    "lesson": actions.Lesson,
    "set_names": actions.SetNames,
    "set_fault": actions.SetFault,
}


class MessageError(ValueError):
    """A message that is refused; the text is one line that may be shown to whoever sent it."""


def _short(limit: int) -> Any:
    def check(_: object, field: attrs.Attribute[str], value: str) -> None:
        if len(value) > limit or not (value == "" or value.isprintable()):
            raise ValueError(f"{field.name} must be a text of at most {limit} printable characters")

    return attrs.field(validator=check)


def _is_id(_: object, field: attrs.Attribute[int], value: int) -> None:
    if not 0 <= value < HIGHEST_ID:
        raise ValueError(f"{field.name} must be a number from 0 to {HIGHEST_ID - 1}")


@attrs.frozen
class Hello:
    """The first word of a client: the protocol it speaks, and the token of an earlier pairing or an empty text."""

    version: int
    token: str = _short(TOKEN_CHARS)


@attrs.frozen
class Speak:
    """The language in which this page wants to be told everything."""

    language: Language


@attrs.frozen
class Pair:
    """The code that is shown on the box."""

    code: str = _short(TOKEN_CHARS)


@attrs.frozen
class TakeHands:
    """Take a seat: the hands of one side, or of both, from whoever has them."""

    name: str = _short(NAME_CHARS)
    seat: Seat = "both"


@attrs.frozen
class ReleaseHands:
    """Give the hands back, and only look on."""


@attrs.frozen
class Act:
    """Do something with the hands. The answer bears the same `id`."""

    id: int = attrs.field(validator=_is_id)
    action: HandAction


@attrs.frozen
class ChooseNext:
    """Choose how the next game is played. The answer bears the same `id`."""

    id: int = attrs.field(validator=_is_id)
    action: actions.Choose


@attrs.frozen
class Arbitrate:
    """Say an arbiter's word. The answer bears the same `id`."""

    id: int = attrs.field(validator=_is_id)
    action: ArbiterAction


ClientMessage = Hello | Speak | Pair | TakeHands | ReleaseHands | Act | Arbitrate | ChooseNext

MESSAGES: Final[dict[str, type[Any]]] = {
    "hello": Hello,
    "speak": Speak,
    "pair": Pair,
    "take_hands": TakeHands,
    "release_hands": ReleaseHands,
    "act": Act,
    "arbitrate": Arbitrate,
    "choose_next": ChooseNext,
}

T = TypeVar("T")


def _exactly(kind: type[T], called: str) -> Any:
    def structure(value: object, _: object) -> T:
        if type(value) is not kind:
            raise ValueError(f"must be {called}")
        return value

    return structure


def _one_of(value: object, kind: Any) -> object:
    allowed = get_args(kind)
    for choice in allowed:
        if type(value) is type(choice) and value == choice:
            return choice
    raise ValueError(f"must be one of {', '.join(str(choice) for choice in allowed)}")


def _is_literal(kind: Any) -> bool:
    origin: object = get_origin(kind)
    return origin is Literal


def _is_optional(kind: Any) -> bool:
    return get_origin(kind) in (Union, types.UnionType) and type(None) in get_args(kind)


def _by_name(choices: Mapping[Any, type[Any]], key: str, value: object) -> tuple[type[Any], dict[str, object]]:
    if not isinstance(value, dict):
        raise MessageError("must be an object")
    name = value.get(key)
    if not isinstance(name, str) or name not in choices:
        raise MessageError(f"{key} must be one of {', '.join(choices)}")
    return choices[name], {k: v for k, v in value.items() if k != key}


class MessageReader:
    """Turns the text of a message into one of the classes above."""

    def __init__(self) -> None:
        converter = Converter(forbid_extra_keys=True)
        for kind, called in ((str, "a text"), (int, "a whole number"), (bool, "true or false")):
            converter.register_structure_hook(kind, _exactly(kind, called))
        converter.register_structure_hook_func(_is_literal, _one_of)
        converter.register_structure_hook_func(
            _is_optional, lambda value, kind: None if value is None else converter.structure(value, get_args(kind)[0])
        )
        converter.register_structure_hook_func(lambda kind: kind == HandAction, self._hand_action)
        converter.register_structure_hook(ArbiterAction, self._arbiter_action)
        self._converter = converter

    def _hand_action(self, value: object, _: object) -> object:
        kind, rest = _by_name(HAND_ACTIONS, "do", value)
        return self._converter.structure(rest, kind)

    def _arbiter_action(self, value: object, _: object) -> ArbiterAction:
        kind, rest = _by_name(actions.WORDS, "verb", value)
        details = attrs.asdict(self._converter.structure(rest, kind))
        if details.get("left_ms", 0) is None:
            del details["left_ms"]
        return ArbiterAction(value["verb"], details)  # type: ignore[index]

    def read(self, text: str) -> ClientMessage:
        """The message of `text`, or `MessageError` with what is wrong with it."""
        if len(text) > MESSAGE_BYTES or len(text.encode(errors="replace")) > MESSAGE_BYTES:
            raise MessageError(f"a message has at most {MESSAGE_BYTES} bytes")
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            raise MessageError("a message is one JSON object") from None
        kind, rest = _by_name(MESSAGES, "type", value)
        try:
            message: ClientMessage = self._converter.structure(rest, kind)
        except BaseValidationError as error:
            problems = transform_error(error, path="message", format_exception=_in_words)
            raise MessageError("; ".join(problems)) from None
        return message


def _in_words(error: BaseException, _: type | None) -> str:
    if isinstance(error, ForbiddenExtraKeysError):
        return f"unknown key {', '.join(sorted(map(repr, error.extra_fields)))}"
    if isinstance(error, KeyError):
        return f"lacks {error.args[0]}"
    if isinstance(error, ValueError):
        return str(error)
    return "does not fit"
