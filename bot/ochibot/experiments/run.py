"""A whole calibration: experiments, files, exam, report. A killed one resumes from its notebook."""

from __future__ import annotations

import contextlib
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path, PurePath
from typing import Any

from ochibot.console import is_core_name
from ochibot.errors import CalibrationError, ConfigError, GameError, OchibotError
from ochibot.experiments.again import hold
from ochibot.experiments.bare import write_bare
from ochibot.experiments.basis import ground_of
from ochibot.experiments.documented import NO_HINTS, hints_of
from ochibot.experiments.draft import Draft, draft
from ochibot.experiments.effort import EFFORTS, REST, Budget, more_than
from ochibot.experiments.exam import Exam, examine, examine_landings, examine_versus, why_not
from ochibot.experiments.explore import Route
from ochibot.experiments.facts import Basis
from ochibot.experiments.known import Ground
from ochibot.experiments.learn import NoFieldError, begin, learn_pair
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.pad import Tap
from ochibot.experiments.pictures import find_look
from ochibot.experiments.report import Content, bare_report_of, compared_rows, draft_report_of, report_of, write_report
from ochibot.experiments.rig import Rig
from ochibot.experiments.routes import Progress, explore_modes, explore_rom, open_rig, save_route
from ochibot.experiments.rulesfile import route_of
from ochibot.experiments.shots import pictures_of
from ochibot.experiments.versus import Seats, learn_seats
from ochibot.experiments.write import Files, dump, map_of, map_path, rules_of, write, write_draft, write_files
from ochibot.leftovers import make_folder, only_writer
from ochibot.ram import RamMap
from ochibot.ramtools.opening import open_rom
from ochibot.wording import counted
from ochibot.yamlfile import read_yaml

EXPERIMENTS = 26
"""About how many experiments there are, for the progress bar."""

NOT_OVER = "the calibration isn't over"
LANDINGS = "rules unknown; only where the halves come to rest was examined"


@dataclass(frozen=True)
class Outcome:
    """The result of a calibration."""

    game: str
    files: Files
    exam: Exam
    learnt: Learnt | Draft | None
    """None: no field was found."""
    resumed: int
    failed: dict[str, str]
    compared: list[tuple[str, str, str, str]]
    """The learnt map beside the documented one: (entry, learnt, documented, verdict); empty without a documented map.
    """
    seats: Seats | None = None
    """What was learnt of a game of two; None if this wasn't asked for, or no such game was found."""
    of_two: Exam | None = None
    """The exam of the game of two."""
    used_up: str = ""
    """In words: that the frames were used up, in which step, and how to go on; empty when they weren't."""

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for a report in JSON."""
        return {
            "game": self.game,
            "files": {name: None if path is None else str(path) for name, path in asdict(self.files).items()},
            "exam": {**asdict(self.exam), "agreement": self.exam.agreement, "passed": self.exam.passed},
            "versus": None
            if self.of_two is None
            else {**asdict(self.of_two), "agreement": self.of_two.agreement, "passed": self.of_two.passed},
            "draft": not self.exam.passed,
            "resumed": self.resumed,
            "not_learnt": self.failed,
            "used_up": self.used_up,
            "compared": [list(row) for row in self.compared],
        }


def calibrate(
    rom_path: Path,
    folder: Path,
    *,
    game: str,
    core: str | None = None,
    system: Path | None = None,
    machine: str | None = None,
    state: bytes | None = None,
    pieces: int = 300,
    documented: RamMap | None = None,
    profile: str | None = None,
    versus: bool = False,
    effort: int = EFFORTS["normal"],
    progress: Progress = lambda *_: None,
) -> Outcome:
    """Learns a ROM and writes the files into ``folder``. Raises CalibrationError when nothing falls there, and
    ConfigError when another process is calibrating into the folder.

    ``documented``: a map by others. Experiments try its addresses first, and the report lists which they contradict.
    Without one, everything is learnt blind. profile: rules whose values the files get where nothing was measured: a
    shipped profile's name or a file; None: the published rules that fit best. ``versus``: learns the second seat and a
    game of two as well. effort: how many frames the experiments may take; the exam, pictures and the second seat aren't
    counted.
    """
    rom = open_rom(rom_path, machine=machine, system=system)
    make_folder(folder)
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(only_writer(folder))
        except BlockingIOError:
            raise ConfigError(
                f"another process is calibrating into {folder}: wait for it, or give another folder"
            ) from None
        rig = open_rig(rom, core, system)
        stack.callback(rig.console.close)
        run = _Run(rig, rom_path, folder, game, core, system, pieces, documented, profile, effort, progress)
        return run.learn(state, versus=versus)


@dataclass
class _Run:
    """One calibration. core: for the exam, which may be a file; the game file has only its name."""

    rig: Rig
    rom_path: Path
    folder: Path
    game: str
    core: str | None
    system: Path | None
    pieces: int
    documented: RamMap | None
    profile: str | None
    effort: int
    progress: Progress

    def __post_init__(self) -> None:
        self.core = self.core or core_name(self.rig)
        self.budget = Budget(self.rig, self.effort)
        self.hints = NO_HINTS if self.documented is None else hints_of(self.documented, self.rig)

    def learn(self, state: bytes | None, *, versus: bool) -> Outcome:
        """Does everything. ``state``: a savestate of play; None: the menus are searched."""
        rig, folder, game, progress = self.rig, self.folder, self.game, self.progress
        about = f"{rig.console.rom.sha1} {rig.console.core_name} {'' if state is None else hash_of(state)}"
        if self.documented is not None:
            about += f" {hash_of(self.documented.model_dump_json().encode())}"
        self.book = book = Notebook(folder, about, lambda what, number: progress(what, min(1.0, number / EXPERIMENTS)))
        rig.step()
        boot = rig.save()
        try:
            route, bases = begin(rig, book, state, self.hints, self.budget, self._searched)
            basis = bases.first()
        except NoFieldError as error:
            return self._bare(error, state)
        except CalibrationError as error:
            hint = self._used_up()
            raise CalibrationError(f"{error}; {hint}" if hint else str(error)) from None
        shown = save_route(folder, route, rig, state)
        if not map_path(folder, game).exists():
            # so that there is something should all that follows fail, or be killed
            self._kept(route, basis, NOT_OVER, Exam("landing", 0, 0, NOT_OVER), shown)

        def learn() -> Learnt:
            with self.budget.step(REST):
                found = learn_pair(rig, book, route, bases, self.documented)
            found.profile = self.profile
            return found

        try:
            learnt, exam = hold(rig, book, learn, self._examined)
        except CalibrationError as error:
            return self._draft(route, basis, str(error), shown)
        ground = self._ground(learnt)
        with self.budget.step(REST):
            look = book.page("where the picture shows the field", lambda: find_look(ground))
        try:
            shown |= pictures_of(folder, ground, learnt, look)
        except CalibrationError as error:
            book.fail("pictures", str(error))
        seats = None
        if versus:
            try:
                seats = learn_seats(rig, boot, learnt, folder, about, game, progress)
                for name in sorted(seats.failed.keys() - book.failed.keys()):
                    book.fail(name, seats.failed[name])
            except CalibrationError as error:
                book.fail("seat 2", str(error))
        files = self._files(learnt, exam, seats)
        of_two, seats = self._examined_two(files, seats)
        compared = []
        if self.documented is not None:
            compared = [*compared_rows(map_of(learnt, rig, game), self.documented), *learnt.judged]
        said = report_of(learnt, rig, book, exam, compared, seats, of_two)
        used_up = self._reported(files, said, shown)
        return Outcome(
            game, files, exam, learnt, book.resumed, dict(book.failed), compared, seats, of_two, used_up=used_up
        )

    def _reported(self, files: Files, said: Content, shown: dict[str, str]) -> str:
        """Writes the report. Returns, in words, that the frames were used up; empty when they weren't."""
        used_up = self._used_up()
        write_report(self.folder, self.rig, self.book, files, said, shown, used_up)
        return used_up

    def _searched(self, screens: int, waiting: int) -> None:
        self.progress(f"the way to play: {screens} screens tried, {waiting} to try", 0.0)

    def _used_up(self) -> str:
        """In words: that the frames were used up, and how to go on; empty when they weren't."""
        if not self.book.untried:
            return ""
        first, *others = self.book.untried
        rest = f"; not tried: {', '.join(others)}" if others else ""
        total = self.budget.total
        return (
            f'the {counted(total, "emulated frame")} of this effort were used up in "{first}"{rest}; '
            f"the same command with {more_than(total)} resumes it"
        )

    def _bare(self, error: NoFieldError, state: bytes | None) -> Outcome:
        """Writes what is known where no field was found: the way to play, and candidates for x and y."""
        rig, why = self.rig, str(error)
        shown = save_route(self.folder, error.route, rig, state)
        files = write_bare(self.folder, error.route, rig, self.game, why)
        used_up = self._reported(files, bare_report_of(error.route, self.book, files, why), shown)
        failed = {**self.book.failed, "the field": why}
        exam = Exam("landing", 0, 0, why)
        return Outcome(self.game, files, exam, None, self.book.resumed, failed, [], used_up=used_up)

    def _draft(self, route: Route, basis: Basis, why: str, shown: dict[str, str]) -> Outcome:
        """Learns a game without rules and writes a draft: its pieces aren't pairs, or no byte holds their colours."""
        self.progress("what falls there, without rules", 0.5)
        name = "what can be learnt without rules"
        seen: list[tuple[Draft, Exam]] = []

        def told() -> tuple[dict[str, Any], Exam]:
            seen.append(draft(self.rig, route, basis, why))
            made, exam = seen[0]
            # the notebook has the way to play already; a copy may have become the field
            kept = {one.name: getattr(made, one.name) for one in fields(made)}
            return {word: value for word, value in kept.items() if word not in ("route", "why")}, exam

        with self.budget.step(REST):
            page = self.book.page(name, told)
        if page is not None:
            parts, exam = page
            listed: dict[str, Any] = {
                word: list(value) if isinstance(value, tuple) else value for word, value in parts.items()
            }
            return self._drafted(Draft(route, why=why, **listed), exam, shown)
        if seen:
            return self._drafted(*seen[0], shown)
        return self._kept(route, basis, why, Exam("landing", 0, 0, self.book.failed[name]), shown)

    def _kept(self, route: Route, basis: Basis, why: str, exam: Exam, shown: dict[str, str]) -> Outcome:
        """Writes what the first landings showed alone: x, y, the field and its codes."""
        return self._drafted(Draft(route, basis, why, None, codes=dict(basis.place.codes)), exam, shown)

    def _drafted(self, made: Draft, exam: Exam, shown: dict[str, str]) -> Outcome:
        rig, book, why = self.rig, self.book, made.why
        head = why if why == NOT_OVER else f"rules unknown ({why}); only where pieces come to rest was examined"
        files = write_draft(self.folder, made, rig, self.game, head)
        used_up = self._reported(files, draft_report_of(made, book, files, exam), shown)
        failed = {**book.failed, "the rules": why}
        return Outcome(self.game, files, exam, made, book.resumed, failed, [], used_up=used_up)

    def _ground(self, learnt: Learnt) -> Ground:
        return ground_of(self.rig, learnt.stance.state, learnt.basis, learnt.stance, learnt.shape)

    def _files(self, learnt: Learnt, exam: Exam, seats: Seats | None, draft: str | None = None) -> Files:
        """Writes the files. Those that don't pass the exam are marked as drafts, with a reason; ``draft``: another."""
        if draft is None:
            draft = exam.shortfall if exam.kind == "play" else LANDINGS if exam.pieces else NOT_OVER
        use_state, core = not exam.from_menu, core_name(self.rig)
        return write_files(
            self.folder, learnt, self.rig, self.game, core=core, use_state=use_state, draft=draft, seats=seats
        )

    def _examined(self, learnt: Learnt, most_faults: int | None) -> Exam:
        """Writes the files and plays the exam with them, or examines only landings if the rules are unknown."""
        pieces, exam = self.pieces, Exam("play", 0, 0)
        if rules_of(learnt, self.game) is None or not learnt.stance.readable:
            exam = Exam("landing", 0, 0, from_menu=False)
            self._files(learnt, exam, None)
            try:
                return replace(examine_landings(self._ground(learnt), learnt), from_menu=False)
            except CalibrationError as error:
                return replace(exam, broke=why_not(error))
        for from_menu in (True, False):
            if from_menu and not learnt.route.buttons:
                continue
            written = self._files(learnt, Exam("play", 0, 0, from_menu=from_menu), None, "the exam isn't over")
            try:
                exam = examine(
                    written.game if written.game is not None else self.folder / f"{self.game}.yaml",
                    self.rom_path,
                    pieces,
                    system=self.system,
                    core=self.core,
                    progress=lambda done: self.progress(f"the exam, piece {done} of {pieces}", done / pieces),
                    absent=self._absent(learnt),
                    most_faults=most_faults,
                )
            except (GameError, OchibotError) as error:
                exam = Exam("play", 0, 0, why_not(error), against=(("spawn", 1),))
            exam = replace(exam, from_menu=from_menu)
            if exam.pieces:
                break
        return exam

    def _absent(self, learnt: Learnt) -> tuple[str, ...]:
        """What the game doesn't have: NEXT, if nothing in RAM tells the next pair's colours before it appears."""
        looked = not any(name.startswith("NEXT 1") for name in self.book.untried)
        return ("NEXT",) if looked and not learnt.following else ()

    def _examined_two(self, files: Files, seats: Seats | None) -> tuple[Exam | None, Seats | None]:
        """Examines a game of two, if there is one. The menu is tried in both ways."""
        of_two = None
        for at_once in (True, False) if seats is not None and files.game is not None else ():
            assert seats is not None
            assert files.game is not None
            self.progress("the exam of two seats", 0.0)
            seats = replace(seats, at_once=at_once)
            _rewritten(files.game, seats, seats.learnt[0].tap)
            try:
                of_two = examine_versus(
                    files.game,
                    self.rom_path,
                    self.pieces,
                    system=self.system,
                    core=self.core,
                    absent=self._absent(seats.learnt[0]),
                )
            except OchibotError as error:
                of_two = Exam("play", 0, 0, why_not(error))
            if of_two.passed:
                break
        return of_two, seats


def _rewritten(game: Path, seats: Seats, tap: Tap | None) -> None:
    """Rewrites the game file with the menu steps of ``seats`` for a game of two, whose taps are ``tap``."""
    text = game.read_text(encoding="utf-8")
    head = "".join(line for line in text.splitlines(keepends=True) if line.startswith("#"))
    data = read_yaml(game, "a game file", CalibrationError)
    data["modes"]["versus"]["menu"] = route_of(seats.route, tap, at_once=seats.at_once)
    write(game, head + dump(data))


def hash_of(state: bytes) -> str:
    """A short digest that identifies a savestate or a map."""
    import hashlib

    return hashlib.sha256(state).hexdigest()[:12]


def core_name(rig: Rig) -> str | None:
    """The short name of the rig's core, such as ``nestopia``; None for a file whose name can't be a core's."""
    name = PurePath(rig.console.core_file).stem.removesuffix("_libretro")
    return name if is_core_name(name) else None


__all__ = ["CalibrationError", "Outcome", "calibrate", "explore_modes", "explore_rom", "open_rig"]
