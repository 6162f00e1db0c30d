"""Who may watch: on this machine everybody; from others only browsers whose person has typed the code."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable
from typing import Final

DIGITS: Final = 6
TRIES: Final = 5
"""So many wrong codes, by whomever, and for WAIT_SECONDS no code is taken."""
WAIT_SECONDS: Final = 60.0
MOST_WRONG: Final = 20
"""So many wrong codes, and no further browser is let in until the command starts anew."""
_MOST_IN: Final = 64
"""The most browsers that are known. The oldest one has to type the code again."""


class Door:
    """Checks codes, and knows the browsers that are in by a random token.

    code: what has to be typed; empty if everybody may watch.
    """

    def __init__(self, *, closed: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self.code = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}" if closed else ""
        self._clock = clock
        self._wrong = 0
        self._opens = 0.0
        self._tokens: list[str] = []

    def admits(self, token: str) -> bool:
        """Whether a browser with this token may watch."""
        if not self.code:
            return True
        given = token.encode()
        # all are compared, so that the time says nothing
        found = [hmac.compare_digest(given, known.encode()) for known in self._tokens]
        return any(found)

    def waits(self) -> float:
        """For how many seconds no code is taken; 0 if one is; infinity if none ever is."""
        if self._wrong >= MOST_WRONG:
            return float("inf")
        return max(0.0, self._opens - self._clock())

    def enter(self, typed: str) -> str | None:
        """A new token for the right code; None for a wrong one. Ask ``waits`` before."""
        right = hmac.compare_digest("".join(typed.split()).encode("utf-8", "replace"), self.code.encode())
        if not right or not self.code:
            self._wrong += 1
            if self._wrong % TRIES == 0:
                self._opens = self._clock() + WAIT_SECONDS
            return None
        token = secrets.token_urlsafe(24)
        self._tokens = [*self._tokens[-_MOST_IN + 1 :], token]
        return token
