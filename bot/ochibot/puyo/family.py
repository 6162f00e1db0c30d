"""Puyo Puyo as a family of games (``ochibot.falling.family``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ochibot.errors import FieldError
from ochibot.falling.family import Words
from ochibot.falling.orientation import Orientation
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import Pair, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.engine import prepare_placements
from ochibot.puyo.search.placements import placements, with_path
from ochibot.puyo.search.twoply import Decision

if TYPE_CHECKING:
    from ochibot.puyo.advising import PuyoAdviser
    from ochibot.puyo.reviewing import PuyoReviewer


class PuyoFamily:
    """The games with fields of 6 columns, pairs of puyos, and chains."""

    name = "puyo"

    def load_rules(self, wanted: str | Path) -> Rules:
        """A rules profile by its shipped name or its file. Raises ConfigError."""
        return load_rules(wanted)

    def rules_names(self) -> tuple[str, ...]:
        """The names of the shipped profiles."""
        return ("famicom", "puyo1", "tsu")

    def placements(self, snapshot: Snapshot, rules: Rules) -> Sequence[Placement]:
        """Every place where the falling piece can lock, in the order of ``ochibot.puyo.search.locks``."""
        return placements(snapshot.field, snapshot.pair, rules, snapshot.state)

    def decide(self, snapshot: Snapshot, placement: Placement, rules: Rules) -> Decision:
        """A bare placement as a decision of value 0. Raises FieldError when the piece can't get there."""
        lock = with_path(snapshot.field, snapshot.pair, placement, snapshot.state, rules)
        return Decision(lock, 0.0, place(snapshot.field, snapshot.pair, lock, rules), 0)

    def named(self, snapshot: Snapshot, words: Sequence[object], rules: Rules) -> Placement:
        """The placement that (column, "up") names; in a column with several, the highest. Raises FieldError."""
        pair = snapshot.pair if snapshot.pair.is_item else Pair(1, 2)  # a pair of one colour lists each place once
        for lock in sorted(placements(snapshot.field, pair, rules, snapshot.state), key=lambda lock: lock.y):
            if (lock.x, pair.is_item or lock.orientation.word) == (words[0], pair.is_item or words[1]):
                return lock
        raise FieldError("the piece can't get there")

    def recall(self, words: Words, rules: Rules) -> tuple[Snapshot, Decision]:
        """Rebuilds a snapshot and its decision from the words of a record. Raises FieldError."""
        field = Field.parse(words.field.replace("/", "\n"))
        snapshot = Snapshot(field, Pair.parse(words.pair), Pair.parse(words.next_pair), 0, rules.spawn)
        placement = Placement(words.x, words.y, Orientation(words.orientation))
        outcome = place(field, snapshot.pair, placement, rules)
        return snapshot, Decision(placement, words.value, outcome, 0)

    def adviser(self, rules: Rules) -> PuyoAdviser:
        """What a coach says about this family's placements and dangers. Raises ConfigError."""
        from ochibot.puyo.advising import PuyoAdviser

        return PuyoAdviser(rules)

    def reviewer(self, rules: Rules, boards: int) -> PuyoReviewer:
        """Judges this family's placements for a review; ``boards``: about how many it examines each. Raises
        ConfigError.
        """
        from ochibot.puyo.reviewing import PuyoReviewer

        return PuyoReviewer(rules, boards)

    def noted(self, snapshot: Snapshot, placement: Placement) -> dict[str, Any]:
        """A position and a placement as plain values."""
        from ochibot.puyo.notes import as_dict

        return as_dict(snapshot, placement)

    def from_notes(self, said: Mapping[str, Any]) -> tuple[Snapshot, Placement]:
        """The reverse of ``noted``. Raises FieldError."""
        from ochibot.puyo.notes import from_dict

        return from_dict(said)

    def prepare(self, rules: Rules) -> None:
        """Loads (or compiles) all kernels but the players': for placements and paths, the lab, and pairs."""
        from ochibot.puyo.kernels.engine import RESOLVE_KERNELS
        from ochibot.puyo.pairs.engine import PAIRS_KERNELS
        from ochibot.puyo.sim.engine import EXCURSION_KERNELS, SELF_PLAY_KERNELS

        prepare_placements(rules)
        for kernels in (RESOLVE_KERNELS, SELF_PLAY_KERNELS, EXCURSION_KERNELS):
            for name in kernels.library.kernels:
                kernels.kernel(name, rules)
        for name in PAIRS_KERNELS.kernels:
            PAIRS_KERNELS.load(name)


FAMILY = PuyoFamily()
