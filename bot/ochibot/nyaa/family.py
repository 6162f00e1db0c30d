"""Pochi & Nyaa as a family of games (``ochibot.falling.family``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ochibot.errors import FieldError
from ochibot.falling.family import Words
from ochibot.falling.orientation import Orientation
from ochibot.nyaa.rules.file import SHIPPED, load_rules
from ochibot.nyaa.rules.grid import Grid
from ochibot.nyaa.rules.lock import place
from ochibot.nyaa.rules.pair import Pair, Placement
from ochibot.nyaa.rules.profile import Rules
from ochibot.nyaa.rules.snapshot import Snapshot
from ochibot.nyaa.search.locks import lock_positions
from ochibot.nyaa.search.twoply import Decision

if TYPE_CHECKING:
    from ochibot.nyaa.advising import NyaaAdviser
    from ochibot.nyaa.reviewing import NyaaReviewer


class NyaaFamily:
    """Gives sessions and records the rules, placements and decisions of Pochi & Nyaa."""

    name = "nyaa"

    def load_rules(self, wanted: str | Path) -> Rules:
        """A rules profile by its shipped name or its file. Raises ConfigError."""
        return load_rules(wanted)

    def rules_names(self) -> tuple[str, ...]:
        """The names of the shipped profiles."""
        return SHIPPED

    def adviser(self, rules: Rules) -> NyaaAdviser:
        """What a coach says about this family's placements and dangers. Raises ConfigError."""
        from ochibot.nyaa.advising import NyaaAdviser

        return NyaaAdviser(rules)

    def reviewer(self, rules: Rules, boards: int) -> NyaaReviewer:
        """Judges this family's placements for a review; ``boards``: the effort. Raises ConfigError."""
        from ochibot.nyaa.reviewing import NyaaReviewer

        return NyaaReviewer(rules, boards)

    def noted(self, snapshot: Snapshot, placement: Placement) -> dict[str, Any]:
        """A position and a placement as plain values."""
        from ochibot.nyaa.notes import as_dict

        return as_dict(snapshot, placement)

    def from_notes(self, said: Mapping[str, Any]) -> tuple[Snapshot, Placement]:
        """The reverse of ``noted``. Raises FieldError."""
        from ochibot.nyaa.notes import from_dict

        return from_dict(said)

    def prepare(self, rules: Rules) -> None:  # noqa: ARG002
        """Loads (or compiles) the kernel that values many boards, so that ``ochibot nyaa value`` needn't
        wait for it.
        """
        from ochibot.nyaa.bulk import LIBRARY

        LIBRARY.load("values")

    def placements(self, snapshot: Snapshot, rules: Rules) -> Sequence[Placement]:  # noqa: ARG002
        """Every placement where the pair can lock, as blocks or as needles, in the order of
        ``ochibot.nyaa.search.locks``.
        """
        return lock_positions(snapshot.grid, snapshot.pair, snapshot.state)

    def decide(self, snapshot: Snapshot, placement: Placement, rules: Rules) -> Decision:
        """Makes a decision of value 0 from a bare placement. Raises FieldError when the pair can't get there."""
        wanted = (placement.x, placement.y, placement.orientation, placement.needle)
        for lock in lock_positions(snapshot.grid, snapshot.pair, snapshot.state):
            if (lock.x, lock.y, lock.orientation, lock.needle) == wanted:
                return Decision(lock, 0.0, place(snapshot.grid, snapshot.pair, lock, rules), 0)
        raise FieldError("the pair can't lock there")

    def named(self, snapshot: Snapshot, words: Sequence[object], rules: Rules) -> Placement:  # noqa: ARG002
        """The placement that (column, "up") names, as needles (column, "up", "needles"). Raises FieldError."""
        for lock in sorted(lock_positions(snapshot.grid, Pair(1, 2), snapshot.state), key=lambda lock: lock.y):
            if (lock.x, lock.orientation.word, *(["needles"] if lock.needle else [])) == tuple(words):
                return lock
        raise FieldError("the pair can't get there")

    def recall(self, words: Words, rules: Rules) -> tuple[Snapshot, Decision]:
        """Rebuilds a snapshot and its decision from the words of a record. Raises FieldError.

        A record has only one next pair, so both next pairs of the snapshot are this one.
        """
        following = Pair.parse(words.next_pair)
        grid = Grid.parse(words.field.replace("/", "\n"))
        snapshot = Snapshot(grid, Pair.parse(words.pair), (following, following))
        placement = Placement(words.x, words.y, Orientation(words.orientation), words.needle)
        return snapshot, Decision(placement, words.value, place(grid, snapshot.pair, placement, rules), 0)


FAMILY = NyaaFamily()
