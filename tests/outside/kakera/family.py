"""Kakera's own family of games: its types, and what can be done with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from ochibot.errors import ConfigError, FieldError
from ochibot.falling.family import Words

from kakera import rules as kakera

LETTERS = ".rgb#"


class Action(IntEnum):
    """What one press does to the piece."""

    LEFT = 0
    RIGHT = 1
    SWAP = 2
    DOWN = 3


@dataclass(frozen=True)
class Field:
    """A settled field. ``str`` draws it."""

    rows: kakera.Field

    @classmethod
    def parse(cls, text: str) -> Field:
        """Reads what ``str`` writes. Raises FieldError."""
        rows = text.split("\n")
        if len(rows) != kakera.ROWS or any(len(row) != kakera.COLUMNS or set(row) - set(LETTERS) for row in rows):
            raise FieldError("that is no field of Kakera: 10 rows of 5 of the letters .rgb#")
        return cls(tuple(tuple(LETTERS.index(letter) for letter in row) for row in rows))

    def __str__(self) -> str:
        return "\n".join("".join(LETTERS[cell] for cell in row) for row in self.rows)


class Pair(NamedTuple):
    """A piece: its two stones."""

    upper: int
    lower: int

    @classmethod
    def parse(cls, text: str) -> Pair:
        """Reads what ``str`` writes. Raises FieldError."""
        if len(text) != 2 or set(text) - set(LETTERS[1:4]):
            raise FieldError(f"{text!r} is no piece of Kakera")
        return cls(LETTERS.index(text[0]), LETTERS.index(text[1]))

    def __str__(self) -> str:
        return LETTERS[self.upper] + LETTERS[self.lower]


class State(NamedTuple):
    """Where the piece is: column from 1, row of its lower stone from 0, and the stones as they lie now."""

    x: int
    y: int
    pair: Pair


@dataclass(frozen=True)
class Placement:
    """A column from 1, the row in which the lower stone locks, and whether the stones are swapped (1) or not (0)."""

    x: int
    y: int
    orientation: int = 0


@dataclass(frozen=True)
class Snapshot:
    """What a player sees."""

    field: Field
    pair: Pair
    next_pair: Pair
    state: State
    score: int = 0


@dataclass(frozen=True)
class Decision:
    """A placement with what it leads to."""

    placement: Placement
    value: float
    outcome: kakera.Outcome
    leaves: int = 0


@dataclass(frozen=True)
class Rules:
    """points: those of a stone, in tens. A rules file can set them, so that tests see whether rules are passed on."""

    name: str
    points: int = 1


def dropped(snapshot: Snapshot, placement: Placement, rules: Rules) -> kakera.Outcome:
    """What a lock leads to. Raises FieldError when there is no room."""
    upper, lower = snapshot.pair if not placement.orientation else reversed(snapshot.pair)
    try:
        outcome = kakera.drop(snapshot.field.rows, placement.x - 1, lower, upper)
    except ValueError as error:
        raise FieldError(str(error)) from None
    return kakera.Outcome(outcome.field, outcome.score * rules.points, outcome.chain, outcome.greys_sent)


def rest_row(field: kakera.Field, column: int) -> int:
    """The row in which the lower stone of a piece comes to rest."""
    return max(row for row in range(kakera.ROWS) if field[row][column] == kakera.EMPTY)


class KakeraFamily:
    """A Family (``ochibot.falling.family``)."""

    name = "kakera"

    def load_rules(self, wanted: str | Path) -> Rules:
        """Loads ``kakera``, or a file that holds a number: the points of a stone, in tens. Raises ConfigError."""
        if str(wanted) == "kakera":
            return Rules("kakera")
        try:
            return Rules(Path(wanted).stem, int(Path(wanted).read_text(encoding="utf-8")))
        except (OSError, ValueError):
            raise ConfigError(f"no such rules of Kakera: {wanted}; give kakera, or a file with a number") from None

    def rules_names(self) -> tuple[str, ...]:
        """The name of the only shipped profile."""
        return ("kakera",)

    def placements(self, snapshot: Snapshot, rules: Rules) -> Sequence[Placement]:  # noqa: ARG002
        """Every column that the piece can reach, with the stones both ways round."""
        rows = snapshot.field.rows
        ways = (0,) if snapshot.pair.upper == snapshot.pair.lower else (0, 1)
        return [Placement(x + 1, rest_row(rows, x), way) for x in kakera.legal_columns(rows) for way in ways]

    def decide(self, snapshot: Snapshot, placement: Placement, rules: Rules) -> Decision:
        """Makes a decision of value 0 from a bare placement. Raises FieldError when the piece can't get there."""
        if placement not in self.placements(snapshot, rules):
            raise FieldError("the piece can't lock there")
        return Decision(placement, 0.0, dropped(snapshot, placement, rules))

    def recall(self, words: Words, rules: Rules) -> tuple[Snapshot, Decision]:
        """Rebuilds a snapshot and its decision from the words of a record. Raises FieldError."""
        pair = Pair.parse(words.pair)
        field = Field.parse(words.field.replace("/", "\n"))
        snapshot = Snapshot(field, pair, Pair.parse(words.next_pair), State(3, 1, pair))
        placement = Placement(words.x, words.y, words.orientation)
        return snapshot, Decision(placement, words.value, dropped(snapshot, placement, rules))


FAMILY = KakeraFamily()
