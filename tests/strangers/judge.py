"""Lets the learning engine learn strangers, and judges what it learnt by each game's own truth, over unseen play."""

from __future__ import annotations

import contextlib
import tempfile
from collections import Counter, defaultdict
from collections.abc import Hashable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ochibot.console.protocols import HostedConsole
from ochibot.errors import CalibrationError
from ochibot.experiments.draft import Draft, draft
from ochibot.experiments.effort import EFFORTS, REST, Budget
from ochibot.experiments.learn import begin
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.rig import Rig

from tests.strangers.beside import Beside, open_rom
from tests.strangers.maker import Spec, Truth
from tests.strangers.maker.console import StrangerConsole
from tests.strangers.maker.player import Player

FRAMES = 2000
ENOUGH = 0.98
"""The share of the frames in which an entry must be as the truth, under one meaning of its values."""

MOST_ROWS = 4
"""A piece may be this many rows above the field."""

UNTURNED = ("triplets", "bars", "tiles")
"""Rules whose pieces don't turn: a press moves their colours round."""

NEEDED = ("field", "codes", "x", "y", "piece", "next")


@dataclass
class Verdict:
    """What was learnt of one stranger. entries: right, false or missing by name; known: the entries graded known."""

    seed: int
    kind: str
    mechanisms: list[str]
    entries: dict[str, str] = field(default_factory=dict)
    known: list[str] = field(default_factory=list)
    frames: int = 0
    why: str = ""
    landings: float = 0.0

    @property
    def drafted(self) -> bool:
        """Whether field, piece, codes and NEXT are right."""
        if "unseen" in self.mechanisms:
            return bool(self.why)
        return not self.why and all(self.entries.get(name) in ("right", "none") for name in NEEDED)

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self) | {"drafted": self.drafted}


class Meaning:
    """Whether a byte's values stand for true values: counts pairs, and how many the best meaning explains."""

    def __init__(self) -> None:
        self.pairs: Counter[tuple[Hashable, Hashable]] = Counter()

    def see(self, value: Hashable, truth: Hashable) -> None:
        self.pairs[value, truth] += 1

    def share(self, *, both: bool = True) -> float:
        """The share that is explained. ``both``: also that a true value has one value, not several."""
        total = sum(self.pairs.values())
        if not total:
            return 0.0
        ways = []
        for side in (0, 1) if both else (0,):
            best: dict[Hashable, int] = defaultdict(int)
            for pair, count in self.pairs.items():
                best[pair[side]] = max(best[pair[side]], count)
            ways.append(sum(best.values()) / total)
        return min(ways)

    @property
    def told(self) -> int:
        """How many true values were seen."""
        return len({truth for _, truth in self.pairs})


def learn(spec: Spec, rig: Rig, effort: float = 1.0) -> tuple[Verdict, Draft | None]:
    """Lets the engine learn a stranger as a draft. ``effort``: how many times the usual frames it may take."""
    budget = Budget(rig, round(effort * EFFORTS["normal"]))
    verdict = Verdict(spec.seed, spec.kind, sorted(spec.mechanisms))
    made = None
    with tempfile.TemporaryDirectory(prefix="stranger-") as folder:
        try:
            rig.step()
            route, bases = begin(rig, Notebook(Path(folder), f"{spec.kind} {spec.seed}"), budget=budget)
            with budget.step(REST):
                made, exam = draft(rig, route, bases.first(), "")
            verdict.landings = exam.agreement
        except CalibrationError as error:
            verdict.why = str(error)
    verdict.frames = rig.frames
    return verdict, made


def judge(spec: Spec, *, effort: float = 1.0, rom: bool = False) -> Verdict:
    """Learns a stranger, and compares each learnt entry with the truth over unseen play. ``effort``: how many times the
    usual frames it may take. ``rom``: as a ROM in the real core, with the machine beside it for the truth; raises
    ValueError for a game that can't be one.
    """
    with contextlib.ExitStack() as ends:
        both = ends.enter_context(Beside(spec)) if rom else None
        first: HostedConsole = open_rom(both.cartridge) if both is not None else StrangerConsole(spec)
        ends.callback(first.close)
        verdict, made = learn(spec, Rig(first), effort)
        if made is None:
            return verdict
        if both is not None:
            other, game = Rig(both.console), both.game
        else:
            console = StrangerConsole(spec)
            other, game = Rig(console), console.game
        other.look(made.basis.view)
        seen = _Seen(made, other)
        player = Player(game, seen=seen.frame)
        try:
            while seen.frames < FRAMES and player.played.frames < 20 * FRAMES:
                player.start()
                player.play(player.played.pieces + 10)
        except RuntimeError as error:
            verdict.why = verdict.why or f"the judge's player: {error}"
    verdict.entries = seen.verdicts(spec)
    place = ["field", "x", "y"] if made.seen.grade == "known" else []
    verdict.known = [*place, *(one.name for one in made.told if one.evidence.grade == "known")]
    return verdict


class _Seen:
    """Compares frame by frame."""

    def __init__(self, made: Draft, rig: Rig) -> None:
        self.made, self.rig = made, rig
        self.frames = 0
        self.meanings: dict[str, Meaning] = defaultdict(Meaning)
        self.cells = Meaning()
        self.heights: Counter[tuple[int, Hashable, int]] = Counter()
        self.rows_missing = 0

    def frame(self, truth: Truth) -> None:
        """One frame of play."""
        if not truth.playing:
            return
        made, meanings = self.made, self.meanings
        ram = self.rig.snap()
        if made.phase is not None:
            meanings["control"].see(int(ram[made.phase.offset]) in made.phase.values, truth.control)
        if made.score is not None:
            value = int(made.score.form.read(ram[made.score.offset : made.score.offset + made.score.form.width])[0])
            # a score that is shown as it rolls up is kept twice
            meanings["score"].see(value, truth.score_shown)
            meanings["points"].see(value, truth.score)
        if not truth.control:
            return
        self.frames += 1
        place = truth.place()
        assert place is not None
        basis = made.basis
        x, y = int(ram[basis.x[0]]), int(ram[basis.y[0]])
        column, _ = basis.place.spot(x, y)
        side = place[2]
        # x may be that of either half
        meanings["x"].see(column - place[0], side)
        self.heights[y, side, place[1]] += 1
        if made.turning is not None and made.turning.place is not None:
            meanings["orientation"].see(int(ram[made.turning.place]), side)
        kind = truth.kind()
        names = None if kind is None else truth.names(kind)
        coming = [names, *truth.coming()]
        for ahead in range(3):
            told = [one for one in made.told if one.ahead == ahead]
            name = ("piece", "next", "after")[ahead]
            if told and ahead < len(coming) and coming[ahead] is not None:
                values = tuple(int(ram[one.byte.place(ram)]) & one.byte.mask for one in told)
                meanings[name].see(values, tuple(coming[ahead] or ()))
        if self.frames % 8 == 0:
            self._field(truth, ram)

    def _field(self, truth: Truth, ram: Any) -> None:
        field, spec = self.made.basis.place, truth.spec
        cells = truth.field()
        # a game may keep the falling piece in the field, too
        inside = {(c, r) for c, r, _ in truth.piece_cells() or ()} if spec.inside else set()
        for number, words in enumerate(cells):
            if number < spec.hidden:
                continue
            row = spec.height - 1 - number
            if row >= field.rows or field.grid.columns != spec.width:
                # a row that nothing ever reaches can't be learnt
                self.rows_missing += field.grid.columns != spec.width or any(word != "empty" for word in words)
                continue
            for column, word in enumerate(words):
                if (column, number) in inside:
                    continue
                self.cells.see(int(ram[field.grid.cell(column, row)]), word)

    def _steady(self, name: str) -> float:
        """The share of the frames with the usual difference to the truth, for each orientation."""
        offsets: dict[Hashable, Counter[Hashable]] = defaultdict(Counter)
        for (value, side), times in self.meanings[name].pairs.items():
            offsets[side][value] += times
        total = sum(self.meanings[name].pairs.values())
        return sum(max(counts.values()) for counts in offsets.values()) / total if total else 0.0

    def _rows(self) -> float:
        """The share of the frames with the usual difference between the row that y says and the true one, for each
        orientation. Where y is in pixels, a row may begin at any of them.
        """
        place = self.made.basis.place
        total = sum(self.heights.values())
        best = 0
        for begins in range(place.unit):
            offsets: dict[Hashable, Counter[int]] = defaultdict(Counter)
            for (y, side, row), times in self.heights.items():
                depth = (y - place.floor_y) * place.down + (place.rows + MOST_ROWS) * place.unit - begins & 255
                # a byte goes round where the field is higher than it can hold
                offsets[side][(depth // place.unit - row) % (256 // place.unit)] += times
            best = max(best, sum(max(counts.values()) for counts in offsets.values()))
        return best / total if total else 0.0

    def verdicts(self, spec: Spec) -> dict[str, str]:
        """right, false, missing, or none (nothing to be learnt) by entry."""
        found = {}
        good = self.cells.share(both=False)
        found["field"] = "right" if good >= ENOUGH and not self.rows_missing else "false"
        found["codes"] = "right" if good >= ENOUGH else "false"
        for name in ("orientation", "piece", "next", "after", "control", "score"):
            one = self.meanings.get(name)
            # a piece's codes may turn with it: then several values stand for one piece
            both = name not in ("piece", "next", "after")
            found[name] = "missing" if one is None else "right" if one.share(both=both) >= ENOUGH else "false"
        if "points" in self.meanings and self.meanings["points"].share() >= ENOUGH:
            found["score"] = "right"
        found["x"] = "right" if self._steady("x") >= ENOUGH else "false"
        found["y"] = "right" if self._rows() >= ENOUGH else "false"
        if spec.rules in UNTURNED or spec.place == "halves" or spec.orientation == "codes":
            # no byte says how the piece lies
            found["orientation"] = "none" if found["orientation"] == "missing" else found["orientation"]
        if spec.next < 2 and found["after"] == "missing":
            found["after"] = "none"
        if spec.next == 0 and found["next"] == "missing":
            found["next"] = "none"
        return found
