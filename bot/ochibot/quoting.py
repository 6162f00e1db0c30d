"""Shortens a user's texts and values, because messages quote only a few words of them."""

from __future__ import annotations

import reprlib

TYPE_CHECKING = False  # importing typing takes some milliseconds, during which signals aren't handled yet
if TYPE_CHECKING:
    from typing import Final

MOST_QUOTED: Final = 60
"""The most characters of a value that a message quotes."""

MOST_OF_A_WORD: Final = 120
"""The most characters of one word, such as a path, in a message."""

MOST_OF_A_LINE: Final = 1000
"""The most characters in a line of a message. Some messages name several files with long paths."""

MOST_OF_A_CUT_LINE: Final = 270
"""The length to which a longer line is cut. It is also the limit of a line that quotes an argument as it was typed."""

WANTED_OF_A_LINE: Final = 300
"""The length to which a message's line is brought by shortening its words, if that suffices."""

_SHORTER_WORDS: Final = (90, 70, 55, 40)

_LEAST_BEGINNING: Final = 12
"""At least this many characters of a path's beginning are kept, however long the file's name is."""


def brief(text: str, most: int = MOST_QUOTED) -> str:
    """A text in one line, for a message. Of a text longer than ``most`` characters only the beginning is kept."""
    return _cut("".join(map(_visible, text[: most + 1])), most)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _visible(sign: str) -> str:
    return sign if sign.isprintable() else repr(sign)[1:-1]


class _Short(reprlib.Repr):
    """A ``repr`` of only a value's first few parts. The whole one is huge if a value contains one part many times."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = self.maxdict = self.maxlist = self.maxtuple = self.maxset = 3
        self.maxstring = self.maxother = MOST_QUOTED

    def repr_str(self, value: str, _: int) -> str:
        return repr(value[:MOST_QUOTED])

    def repr_bytes(self, value: bytes, _: int) -> str:
        return repr(value[:MOST_QUOTED])

    def repr_int(self, value: int, _: int) -> str:
        # Python refuses to convert a number of more than some thousand digits to text
        return repr(value) if value.bit_length() < 256 else f"a number of {value.bit_length()} bits"


_SHORT: Final = _Short()


def quoted(value: object) -> str:
    """A value for a message: the beginning of its ``repr``, computed without writing out the rest."""
    return brief(_SHORT.repr(value))


def brief_path(path: object) -> str:
    """A user's path for a message. A long one is cut in the middle, so that the file's name stays visible."""
    return _word(str(path))


def concise(text: str, most: int = MOST_OF_A_LINE) -> str:
    """Shortens a message: cuts long words, and lines longer than ``most``, in the middle.

    A word is cut to MOST_OF_A_WORD characters, or to fewer if the line then has at most WANTED_OF_A_LINE. A line is cut
    to MOST_OF_A_CUT_LINE.
    """
    return "\n".join(_line(line, most) for line in text.split("\n"))


def _line(line: str, most: int) -> str:
    words = line.split(" ")
    for size in (MOST_OF_A_WORD, *_SHORTER_WORDS):
        shown = " ".join(_word(word, size) for word in words)
        if len(shown) <= WANTED_OF_A_LINE:
            return shown
    shown = ", ".join("; ".join(map(_without_long_path, part.split("; "))) for part in line.split(", "))
    if len(shown) <= WANTED_OF_A_LINE:
        return shown
    # so many words can't be meant to be short: lists of what is wrong
    shown = " ".join(map(_word, words))
    return shown if len(shown) <= most else _ends(shown, MOST_OF_A_CUT_LINE)


def _without_long_path(part: str) -> str:
    """Part of a line in which all from the first word with a slash to the last one is shortened as one path.

    A path may contain spaces.
    """
    words = part.split(" ")
    slashed = [at for at, word in enumerate(words) if "/" in word]
    if not slashed:
        return " ".join(map(_word, words))
    first, end = slashed[0], slashed[-1] + 1
    return " ".join((*map(_word, words[:first]), _word(" ".join(words[first:end])), *map(_word, words[end:])))


def _word(word: str, most: int = MOST_OF_A_WORD) -> str:
    shown = "".join(map(_visible, word))
    # the last part of a path, the file's name, is the most important one
    return _ends(shown, most, len(shown) - shown.rfind("/") if "/" in shown else 0)


def _ends(text: str, most: int, end: int = 0) -> str:
    """A text cut in the middle to ``most`` characters, with the same length left at both ends.

    At least ``end`` characters are kept at the end, if that leaves _LEAST_BEGINNING for the beginning.
    """
    if len(text) <= most:
        return text
    tail = min(max((most - 1) // 2, end), most - 1 - _LEAST_BEGINNING)
    return f"{text[: most - 1 - tail]}…{text[-tail:]}"
