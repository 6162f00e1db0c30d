"""The cheat finder's loop. At first all addresses are candidates; each look keeps those that satisfy its question.

The candidates left and their last values can be saved in a file, so that a search can go on another day.

Compares the RAM of two moments.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ochibot.data import read_file
from ochibot.errors import OutputError, UsageError
from ochibot.leftovers import whole_file
from ochibot.quoting import brief, quoted
from ochibot.ramtools.image import Image
from ochibot.ramtools.kinds import NO_VALUE, Kind, Values, find_kind, number_of
from ochibot.ramtools.mapping import Names

VERSION: Final = 1
_MOST_BYTES: Final = 64 << 20


@dataclass(frozen=True)
class Question:
    """What a value must be, or must have done since the last look.

    word: one of WORDS. numbers: as many as the word takes. ``increased 2``: by exactly 2.
    """

    word: str
    numbers: tuple[int, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.word, *map(str, self.numbers)))

    @property
    def looks_back(self) -> bool:
        """Whether the question compares values with those of the last look."""
        return self.word not in ("equal", "unequal", "between", "above", "below")

    def keeps(self, now: Values, before: Values | None) -> npt.NDArray[np.bool_]:
        """Returns a flag for each value: whether it satisfies the question."""
        numbers = self.numbers
        if self.word == "equal":
            kept = now == numbers[0]
        elif self.word == "unequal":
            kept = now != numbers[0]
        elif self.word == "above":
            kept = now > numbers[0]
        elif self.word == "below":
            kept = now < numbers[0]
        elif self.word == "between":
            kept = (now >= numbers[0]) & (now <= numbers[1])
        else:
            assert before is not None
            kept = self._since(now, before)
        good: npt.NDArray[np.bool_] = kept & (now != NO_VALUE)
        return good

    def _since(self, now: Values, before: Values) -> npt.NDArray[np.bool_]:
        if self.word == "changed":
            return np.not_equal(now, before)
        if self.word == "unchanged":
            return np.equal(now, before)
        rise = now - before if self.word == "increased" else before - now
        kept: npt.NDArray[np.bool_] = rise == self.numbers[0] if self.numbers else rise > 0
        return kept


WORDS: Final = {
    "equal": (1,),
    "unequal": (1,),
    "above": (1,),
    "below": (1,),
    "between": (2,),
    "changed": (0,),
    "unchanged": (0,),
    "increased": (0, 1),
    "decreased": (0, 1),
}
"""The words of questions, with how many numbers each may take."""

_SIGNS: Final = {"=": "equal", "==": "equal", "!=": "unequal", ">": "above", "<": "below"}


def parse_question(text: str) -> Question:
    """Reads a question, such as ``equal 3``, ``=3``, ``between 2 9``, ``increased``, ``increased 2``, ``+2`` or ``-1``.

    Raises UsageError for any other text.
    """
    words = re.sub(r"^\s*(==|!=|=|>|<)", lambda sign: f"{_SIGNS[sign[1]]} ", text).replace(" by ", " ").split()
    if len(words) == 1 and words[0][0] in "+-" and len(words[0]) > 1:
        words = ["increased" if words[0][0] == "+" else "decreased", words[0][1:]]
    word = words[0] if words else ""
    if word not in WORDS:
        raise UsageError(f"{quoted(text)} asks nothing; give one of {', '.join(WORDS)}, such as: increased by 2")
    try:
        numbers = tuple(number_of(number) for number in words[1:])
    except ValueError:
        raise UsageError(f"{quoted(text)}: give whole numbers, such as 3 or 0x1f") from None
    if len(numbers) not in WORDS[word]:
        counts = " or ".join(map(str, WORDS[word]))
        raise UsageError(f"{quoted(text)}: {word} takes {counts} numbers, such as {_example(word)}")
    return Question(word, numbers)


def _example(word: str) -> str:
    return {0: word, 1: f"{word} 3", 2: f"{word} 2 9"}[max(WORDS[word])]


@dataclass
class RamSearch:
    """The candidates that are left. addresses: ascending. values: their last values. questions: all asked so far.

    aligned: whether an address must be a multiple of the kind's width. rom: the ROM's SHA-1.
    """

    kind: Kind
    aligned: bool = False
    addresses: npt.NDArray[np.int64] | None = None
    values: Values | None = None
    questions: list[str] = field(default_factory=list)
    rom: str | None = None

    def look(self, image: Image, question: Question | None = None) -> None:
        """Keeps the candidates that satisfy the question (None: keeps all, for a first look).

        Raises UsageError when the question needs an earlier look and there was none, or when candidates lie outside
        this RAM.
        """
        everywhere = self.kind.everywhere(image)
        if self.addresses is None:
            if question is not None and question.looks_back:
                raise UsageError(f"{quoted(str(question))} compares with a look before, and there was none: look first")
            places = np.flatnonzero(everywhere != NO_VALUE)
            if self.aligned:
                places = places[(places + image.base) % self.kind.width == 0]
        else:
            places = (self.addresses - image.base).astype(np.intp)
            if len(places) and not (places[0] >= 0 and places[-1] < len(image)):
                raise UsageError("the candidates lie outside this machine's RAM: they are of another machine")
        now = everywhere[places]
        if question is not None:
            kept = question.keeps(now, self.values)
            places, now = places[kept], now[kept]
            self.questions.append(str(question))
        self.addresses, self.values = places.astype(np.int64) + image.base, now

    def forget(self) -> None:
        """All addresses are candidates again."""
        self.addresses = self.values = None
        self.questions.clear()

    def __len__(self) -> int:
        return 0 if self.addresses is None else len(self.addresses)

    def candidates(self, most: int | None = None) -> list[tuple[int, int]]:
        """The candidates as (address, last value), by address; at most ``most`` of them."""
        if self.addresses is None or self.values is None:
            return []
        return list(zip(self.addresses[:most].tolist(), self.values[:most].tolist(), strict=True))

    def save(self, path: Path) -> None:
        """Writes the search to a file, whole or not at all. Raises OutputError."""
        data = {
            "ochibot_ram_search": VERSION,
            "kind": self.kind.name,
            "aligned": self.aligned,
            "rom_sha1": self.rom,
            "questions": self.questions,
            "addresses": [] if self.addresses is None else self.addresses.tolist(),
            "values": [] if self.values is None else self.values.tolist(),
        }
        try:
            with whole_file(path) as partial:
                partial.write_text(json.dumps(data) + "\n", encoding="utf-8")
        except OSError as error:
            raise OutputError(f"can't write the search {path}: {error.strerror or error}; give another path") from None


def load_search(path: Path) -> RamSearch:
    """Reads a search from a file. Raises UsageError."""
    try:
        text = read_file(path, _MOST_BYTES + 1)
        data: Any = json.loads(text.decode("utf-8")) if len(text) <= _MOST_BYTES else None
        if not isinstance(data, dict) or data.get("ochibot_ram_search") != VERSION:
            raise UsageError(f"{path} holds no search; give another file, or leave it to be made")
        return _loaded(data)
    except OSError as error:
        raise UsageError(f"can't read the search {path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise UsageError(f"{path} holds no whole search ({brief(str(error))}); delete it and begin anew") from None


def _loaded(data: dict[str, Any]) -> RamSearch:
    addresses = np.array(_numbers(data["addresses"]), np.int64)
    values = np.array(_numbers(data["values"]), np.int64)
    if len(addresses) != len(values) or (np.diff(addresses) <= 0).any():
        raise ValueError("addresses and values don't belong together")
    questions = [str(question) for question in data["questions"]]
    return RamSearch(
        find_kind(str(data["kind"])), bool(data["aligned"]), addresses, values, questions, data["rom_sha1"]
    )


def _numbers(values: Sequence[Any]) -> list[int]:
    if not all(type(value) is int for value in values):
        raise TypeError("not a list of numbers")
    return list(values)


@dataclass(frozen=True)
class Run:
    """Consecutive bytes that differ. name: the map's name of the first byte, or empty."""

    address: int
    before: bytes
    after: bytes
    name: str

    def as_dict(self) -> dict[str, object]:
        """The fields as plain values, for JSON."""
        return {
            "address": f"{self.address:#06x}",
            "name": self.name or None,
            "before": self.before.hex(),
            "after": self.after.hex(),
        }


def differences(before: Image, after: Image, names: Names) -> list[Run]:
    """Every run of bytes that differ, by address. A new run begins where the map's name for the bytes changes."""
    runs: list[Run] = []
    first: int | None = None
    changed = np.flatnonzero(before.cells != after.cells).tolist()
    for place, index in enumerate(changed):
        if first is None:
            first = index
        goes_on = place + 1 < len(changed) and changed[place + 1] == index + 1
        same = goes_on and names.of(before.base + index + 1) == names.of(before.base + index)
        if not same:
            address = before.base + first
            cells = slice(first, index + 1)
            runs.append(Run(address, before.cells[cells].tobytes(), after.cells[cells].tobytes(), names.of(address)))
            first = None
    return runs
