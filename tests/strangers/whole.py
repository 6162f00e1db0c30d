"""Lets the engine learn a family stranger end to end: the way to play, the files, an exam by nothing but the files."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ochibot.errors import CalibrationError, OchibotError
from ochibot.experiments.again import hold
from ochibot.experiments.exam import Exam, examine, why_not
from ochibot.experiments.learn import NoFieldError, begin, learn_pair
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.rig import Rig
from ochibot.experiments.rulesfile import rules_of
from ochibot.experiments.write import write_files

from tests.strangers.beside import open_rom
from tests.strangers.cartridge import Cartridge
from tests.strangers.maker import Spec
from tests.strangers.maker.console import StrangerConsole, opener
from tests.strangers.maker.profile import family_rules

EXPLORE_FRAMES = 200_000
PIECES = 300
GAME = "stranger"
TOLD = 6
"""How many entries of the tables of bonuses are compared."""

POINTS = ("score.unit", "score.cap", "score.drop_bonus", "score.all_clear_bonus")


@dataclass
class Whole:
    """What came of learning a stranger whole.

    stage: the last stage that was begun. why: what ended the learning, or what the exam found; empty for a whole game.
    A game whose field is in RAM that nobody sees is right if the engine says that it found no field.
    failed: why single experiments failed, by their names. frames: those of the experiments, without the exam's. rules:
    what the written rules say otherwise than the true ones, each as [learnt, true]. (An exam sees few of these: most
    pieces don't get to the ceiling.)
    """

    seed: int
    kind: str
    mechanisms: list[str]
    stage: str = ""
    why: str = ""
    failed: dict[str, str] = field(default_factory=dict)
    frames: int = 0
    from_menu: bool = True
    agreement: float = 0.0
    missing: list[str] = field(default_factory=list)
    rules: dict[str, list[Any]] = field(default_factory=dict)
    whole: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def judge_whole(
    spec: Spec, folder: Path | None = None, pieces: int = PIECES, effort: float = 1.0, *, rom: bool = False
) -> Whole:
    """Learns a family stranger and examines the written files. ``folder``: keeps the files there. ``effort``: how many
    times the usual frames the first experiments may take. ``rom``: as a ROM in the real core; raises ValueError for a
    game that can't be one.
    """
    with contextlib.ExitStack() as ends:
        if folder is None:
            folder = Path(ends.enter_context(tempfile.TemporaryDirectory(prefix="stranger-")))
        folder.mkdir(parents=True, exist_ok=True)
        console = open_rom(Cartridge(spec)) if rom else StrangerConsole(spec)
        with console:
            return _judged(spec, Rig(console), folder, pieces, effort, None if rom else opener(spec))


def _judged(
    spec: Spec, rig: Rig, folder: Path, pieces: int, effort: float, opening: Callable[..., Any] | None
) -> Whole:
    verdict = Whole(spec.seed, spec.kind, sorted(spec.mechanisms))

    def begun(stage: str, _number: int) -> None:
        verdict.stage = stage

    book = Notebook(folder, f"{spec.kind} {spec.seed}", begun)
    try:
        rig.limit(round(effort * EXPLORE_FRAMES))
        rig.step()
        way = begin(rig, book)
        learnt, exam = hold(
            rig,
            book,
            lambda: learn_pair(rig, book, *way),
            lambda learnt, most: examined(spec, rig, learnt, folder, pieces, opening, most),
        )
        verdict.stage = "the exam"
        verdict.rules = otherwise(spec, learnt)
        verdict.agreement, verdict.missing = exam.agreement, list(exam.missing)
        verdict.from_menu = exam.from_menu
        verdict.whole = exam.passed and exam.from_menu
        if not verdict.whole:
            verdict.why = exam.broke or f"{exam.agreed} of {exam.pieces} pieces without a fault"
    except NoFieldError as error:
        verdict.why = why_not(error)
        verdict.whole = spec.area == "hidden" and "RAM that this core doesn't show" in verdict.why
    except CalibrationError as error:
        verdict.why = why_not(error)
    verdict.failed = dict(book.failed)
    verdict.frames = rig.frames
    return verdict


def examined(
    spec: Spec,
    rig: Rig,
    learnt: Learnt,
    folder: Path,
    pieces: int,
    opening: Callable[..., Any] | None,
    most_faults: int | None = None,
) -> Exam:
    """Writes the files and plays the exam, from the menu if that works. Raises CalibrationError without rules."""
    if rules_of(learnt, GAME) is None:
        raise CalibrationError("no family's rules fit this field")
    if not learnt.stance.readable:
        raise CalibrationError("the map can't say how the piece lies")
    rom = folder / rig.console.rom.name
    rom.write_bytes(rig.console.rom.data)
    first = None
    for use_state in (False, True):
        if not use_state and not learnt.route.buttons:
            continue
        written = write_files(folder, learnt, rig, GAME, core="fceumm", use_state=use_state, draft="")
        if written.game is None:
            raise CalibrationError("no game file was written")
        absent = {"NEXT"} if spec.next == 0 else set()
        try:
            exam = examine(written.game, rom, pieces, opener=opening, absent=absent, most_faults=most_faults)
        except OchibotError as error:
            exam = Exam("play", 0, 0, why_not(error), not use_state, against=(("spawn", 1),))
        if use_state:
            exam = replace(exam, from_menu=False)
        if exam.pieces and first is None:
            return exam
        if exam.pieces and first is not None:
            return replace(
                exam, broke=f"only from a savestate: {first.broke}; then: {exam.broke or 'all as predicted'}"
            )
        first = first or exam
    assert first is not None
    return first


def otherwise(spec: Spec, learnt: Learnt) -> dict[str, list[Any]]:
    """What the learnt rules say otherwise than the true ones: [learnt, true] by name."""
    made, true = rules_of(learnt, GAME), family_rules(spec)
    if made is None:
        return {}
    said = {**made[0], **{f"score.{name}": value for name, value in made[0]["score"].items()}}
    told = {**true, **{f"score.{name}": value for name, value in true["score"].items()}}
    said.setdefault("score.group_bonus_per", "group")
    unit, mine = told["score.unit"], said["score.unit"]
    if max(unit, mine) == 10 * min(unit, mine):
        # nobody sees whether the picture adds a zero to the number in RAM
        said |= {name: said[name] * unit // mine for name in POINTS}
    for one in (said, told):
        # the lowest digit may be a 0 that stands there for good
        one["score.cap"] -= one["score.cap"] % unit
    if not any(true["score"]["group_bonus"]):
        # where no group pays a bonus, nothing tells how bonuses add up
        del told["score.group_bonus_per"]
    found = {}
    for name, value in told.items():
        if name in ("name", "score", "nuisance", "items"):
            continue
        mine = said.get(name)
        if isinstance(value, list) and isinstance(mine, list):
            # tables go on beyond what a field of this size can show
            long = min(len(value), len(mine), TOLD)
            mine, value = mine[:long], value[:long]
        if mine != value:
            found[name] = [mine, value]
    return found
