"""What messages quote of texts and values that come from a user: never more than a few words of them."""

from __future__ import annotations

import reprlib

TYPE_CHECKING = False  # typing costs the first milliseconds, in which nobody listens to signals yet
if TYPE_CHECKING:
    from typing import Final

MOST_QUOTED: Final = 60
"""Characters that a message quotes of a value at the most."""

MOST_OF_A_WORD: Final = 120
"""Characters that a message keeps of one word, such as a path."""

MOST_OF_A_LINE: Final = 1000
"""Characters of a message's line at the most: some name several files of long paths; what quotes is far below."""

MOST_OF_A_CUT_LINE: Final = 270
"""Characters that are left of a longer line, and of one that quotes an argument as it was typed."""

_LEAST_BEGINNING: Final = 12
"""Characters kept of a path's beginning, however long its file's name is."""


def brief(text: str, most: int = MOST_QUOTED) -> str:
    """What a message quotes of a text, in one line: all of it, or the beginning of one that is longer than ``most``."""
    return _cut("".join(map(_visible, text[: most + 1])), most)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _visible(sign: str) -> str:
    return sign if sign.isprintable() else repr(sign)[1:-1]


class _Short(reprlib.Repr):
    """``repr`` of the first few parts only: a value whose parts are shared can be endless when it is written out."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = self.maxdict = self.maxlist = self.maxtuple = self.maxset = 3
        self.maxstring = self.maxother = MOST_QUOTED

    def repr_str(self, value: str, _: int) -> str:
        return repr(value[:MOST_QUOTED])

    def repr_bytes(self, value: bytes, _: int) -> str:
        return repr(value[:MOST_QUOTED])

    def repr_int(self, value: int, _: int) -> str:
        # Python refuses to write out numbers of more than some thousand digits
        return repr(value) if value.bit_length() < 256 else f"a number of {value.bit_length()} bits"


_SHORT: Final = _Short()


def quoted(value: object) -> str:
    """What a message shows of a value: its ``repr``, or the beginning of that; never the work of writing it all out."""
    return brief(_SHORT.repr(value))


def brief_path(path: object) -> str:
    """What a message shows of a path that a user gave, spaces and all: its middle goes first, its file's name last."""
    return _word(str(path))


def concise(text: str, most: int = MOST_OF_A_LINE) -> str:
    """A message with the middle of long words and of long lines cut out: whatever was quoted there was too long."""
    lines = (" ".join(map(_word, line.split(" "))) for line in text.split("\n"))
    return "\n".join(line if len(line) <= most else _ends(line, MOST_OF_A_CUT_LINE) for line in lines)


def _word(word: str) -> str:
    shown = "".join(map(_visible, word))
    # of a path its last part tells the most: the file's name
    return _ends(shown, MOST_OF_A_WORD, len(shown) - shown.rfind("/") if "/" in shown else 0)


def _ends(text: str, most: int, end: int = 0) -> str:
    """The beginning and the end, alike in length; ``end`` characters of the end if at least a few are left to begin."""
    if len(text) <= most:
        return text
    tail = min(max((most - 1) // 2, end), most - 1 - _LEAST_BEGINNING)
    return f"{text[: most - 1 - tail]}…{text[-tail:]}"
