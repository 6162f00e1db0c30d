"""Lets the engine learn a family stranger end to end: the way to play, the files, an exam by nothing but the files."""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

from ochibot.errors import CalibrationError, OchibotError
from ochibot.experiments.again import hold
from ochibot.experiments.effects import MOST_GROUP
from ochibot.experiments.exam import Exam, examine, why_not
from ochibot.experiments.learn import NoFieldError, begin, learn_pair
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.rig import Rig
from ochibot.experiments.rulesfile import rules_of
from ochibot.experiments.write import write_files
from ochibot.puyo import Rules
from ochibot.puyo.rules.file import load_rules
from ochibot.wording import counted

from tests.strangers.beside import open_rom
from tests.strangers.cartridge import Cartridge
from tests.strangers.maker import Spec
from tests.strangers.maker.console import StrangerConsole, opener
from tests.strangers.maker.formula import Formula
from tests.strangers.maker.profile import family_rules

EXPLORE_FRAMES = 200_000
PIECES = 300
GAME = "stranger"
MOST_STEP = 5
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
    if spec.formula != Formula():
        return _worth_otherwise(spec, made[0], true)
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


def _worth_otherwise(spec: Spec, made: dict[str, Any], true: dict[str, Any]) -> dict[str, list[Any]]:
    """The first step that is worth something else by the learnt rules: two formulas may say the same in other words."""
    mine, theirs = (_loaded(data) for data in (made, true))
    least = spec.clear_size
    scale = theirs.step_score(1, [least], 1) / mine.step_score(1, [least], 1)
    if scale not in (0.1, 1, 10):
        scale = 1
    single = [[size] for size in range(least, MOST_GROUP + 1)]
    several = [[least, least], [least + 1, least], [least + 2, least], [least] * 3]
    found: dict[str, list[Any]] = {}
    for step, groups in product(range(1, MOST_STEP + 1), single + several):
        for colors in range(1, len(groups) + 1):
            worth = [rules.step_score(step, groups, colors) for rules in (mine, theirs)]
            if worth[0] * scale != worth[1]:
                return {f"step {step} of {groups} in {counted(colors, 'colour')}": worth}
    for name in ("all_clear_bonus", "all_clear_when", "all_clear_per"):
        values = [getattr(rules, name) for rules in (mine, theirs)]
        if (values[0] * scale if name == "all_clear_bonus" else values[0]) != values[1]:
            found[f"score.{name}"] = values
    return found


def _loaded(data: dict[str, Any]) -> Rules:
    """The rules of a rules file's data."""
    with tempfile.TemporaryDirectory(prefix="stranger-") as folder:
        file = Path(folder) / "rules.yaml"
        file.write_text(json.dumps(data), encoding="utf-8")
        return load_rules(file)
