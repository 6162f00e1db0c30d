"""Players that are programs of their own and speak lines of JSON (docs/engines.md)."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import Final, NamedTuple

from ochibot.errors import UsageError
from ochibot.quoting import brief

_NAMED: Final = re.compile(r"engine(?:\[(.*?)\])?:(.*)", re.DOTALL)


class Named(NamedTuple):
    """An engine as the user names it. settings: what stands between the brackets."""

    command: str
    settings: Mapping[str, str]


def is_engine(wanted: str) -> bool:
    """Whether a player's name means an engine: ``engine:COMMAND`` or ``engine[NAME=VALUE …]:COMMAND``."""
    return _NAMED.fullmatch(wanted) is not None


def named(wanted: str) -> Named:
    """The command and the settings of an engine; ``wanted`` may be the command alone. Raises UsageError."""
    match = _NAMED.fullmatch(wanted)
    if match is None:
        return Named(wanted, {})
    words = shlex.shlex(match[1] or "", posix=True)
    words.whitespace, words.whitespace_split, words.commenters = ", ", True, ""
    settings: dict[str, str] = {}
    try:
        for word in words:
            name, equals, value = word.partition("=")
            if not equals or not name or name in settings:
                raise ValueError
            settings[name] = value
    except ValueError:
        raise UsageError(
            f"engine[{brief(match[1])}]: give each option once, as NAME=VALUE, such as "
            "engine[depth=4 time_ms=500]:COMMAND"
        ) from None
    return Named(match[2], settings)
