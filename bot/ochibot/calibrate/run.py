"""A whole calibration: experiments, files, exam, report. A killed one resumes from its notebook."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from ochibot.calibrate.basis import ground_of
from ochibot.calibrate.documented import NO_HINTS, hints_of
from ochibot.calibrate.effects import Poker
from ochibot.calibrate.exam import Exam, examine, examine_landings, examine_versus, why_not
from ochibot.calibrate.explore import Explorer, ModeByte, Route, find_modes
from ochibot.calibrate.facts import Basis, Look
from ochibot.calibrate.known import Ground
from ochibot.calibrate.lab import Lab, tap
from ochibot.calibrate.learn import begin, learn_pair
from ochibot.calibrate.learnt import Learnt
from ochibot.calibrate.notebook import Notebook
from ochibot.calibrate.pictures import drawn, find_look
from ochibot.calibrate.report import compared_rows, write_report, write_sketch_report
from ochibot.calibrate.rulesfile import route_of
from ochibot.calibrate.sketch import Sketch, sketched
from ochibot.calibrate.stance import OPPOSITE
from ochibot.calibrate.versus import Seats, learn_seats
from ochibot.calibrate.write import Files, dump, map_of, rules_of, write, write_files, write_sketch
from ochibot.console import Console, Rom, find_core, find_system, system_names
from ochibot.errors import CalibrationError, GameError, OchibotError, RomError, UsageError
from ochibot.leftovers import make_folder
from ochibot.ram import RamMap
from ochibot.wording import counted
from ochibot.yamlfile import read_yaml

EXPLORE_SECONDS = 100.0
"""How long the menus are searched. A ROM in which nothing falls is to be reported within two minutes."""

SKETCH_SECONDS = 120.0
"""How long the experiments without rules may take."""

Progress = Callable[[str, float], None]

ROW_FRAMES = 90
"""A piece sinks by another row within this many frames."""

EXPERIMENTS = 23
"""About how many experiments there are, for the progress bar."""


@dataclass(frozen=True)
class Outcome:
    """The result of a calibration."""

    game: str
    files: Files
    exam: Exam
    learnt: Learnt | Sketch
    resumed: int
    failed: dict[str, str]
    compared: list[tuple[str, str, str, str]]
    """The learnt map beside the documented one: (entry, learnt, documented, verdict); empty without a documented map.
    """
    seats: Seats | None = None
    """What was learnt of a game of two; None if this wasn't asked for, or no such game was found."""
    of_two: Exam | None = None
    """The exam of the game of two."""

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
            "compared": [list(row) for row in self.compared],
        }


def load_any(path: Path, system: Path | None = None) -> Rom:
    """Loads a ROM of any system; the file's ending and contents decide which. Raises RomError if no system takes it."""
    ending = path.suffix.lower()
    rows = [find_system(name) for name in system_names()]
    fitting = [row for row in rows if ending in row.endings]
    problem: OchibotError | None = None
    for row in fitting or rows:
        try:
            return row.load_rom(path, system, {})
        except OchibotError as error:
            problem = problem or error
    raise problem if problem is not None else RomError(f"{path}: no system takes {ending or 'such'} files")


def open_lab(rom: Rom, core: str | None, system: Path | None) -> Lab:
    """Opens a console with a ROM, for experiments. The caller closes the console."""
    row = find_system(rom.system)
    return Lab(Console.open(find_core(rom.system, core), rom, options=row.options, bios=system))


def explore_rom(lab: Lab, folder: Path, progress: Progress) -> Route:
    """Searches the menus for play, and writes route.yaml, play.state and the pictures on the way into ``folder``.

    Raises CalibrationError when play isn't reached.
    """
    make_folder(folder)
    lab.limit(EXPLORE_SECONDS)
    explorer = Explorer(lab, lambda screens, waiting: progress(f"{screens} screens tried, {waiting} to try", 0.0))
    route = explorer.find()
    save_route(folder, route, lab)
    return route


def explore_modes(lab: Lab, folder: Path, address: int, names: dict[int, str], progress: Progress) -> dict[str, Route]:
    """Searches the menus for play in each mode that a documented byte tells apart; writes each route into FOLDER/MODE.

    Raises CalibrationError when no mode is reached, UsageError for an address where there is no RAM.
    """
    try:
        place = lab.offset(address)
    except CalibrationError as error:
        raise UsageError(str(error)) from None
    make_folder(folder)
    lab.limit(EXPLORE_SECONDS)
    explorer = Explorer(lab, lambda screens, waiting: progress(f"{screens} screens tried, {waiting} to try", 0.0))
    found = find_modes(explorer, ModeByte(place, names))
    if not found:
        raise CalibrationError(
            f"none of the modes was reached on {counted(explorer.screens, 'screen')}: see whether the byte at "
            f"{address:#06x} holds the mode, or give other values"
        )
    for name, route in found.items():
        make_folder(folder / name)
        save_route(folder / name, route, lab)
    return found


def save_route(folder: Path, route: Route, lab: Lab) -> None:
    """Writes route.yaml, play.state and a picture of each screen."""
    for number, step in enumerate(route.steps):
        Image.fromarray(step.picture).save(folder / f"screen{number}-{step.button}.png")
    (folder / "play.state").write_bytes(route.state)
    data = {
        "rom": lab.console.rom.sha1,
        "core": lab.console.core_name,
        "taps": list(route.buttons),
        "pads": [[pad, frames] for pad, frames in route.presses],
        "frames": route.frames,
        "moves_across": {f"0x{lab.address(place):04X}": step for place, step in route.motion.across.items()},
        "falls": {f"0x{lab.address(place):04X}": step for place, step in route.motion.fall.items()},
    }
    head = "# The way to play: pads are [button mask, frames] from power-on; play.state is a savestate there.\n"
    write(folder / "route.yaml", head + dump(data))


def calibrate(
    rom_path: Path,
    folder: Path,
    *,
    game: str,
    core: str | None = None,
    system: Path | None = None,
    state: bytes | None = None,
    pieces: int = 300,
    documented: RamMap | None = None,
    versus: bool = False,
    progress: Progress = lambda *_: None,
) -> Outcome:
    """Learns a ROM and writes the files into ``folder``. Raises CalibrationError when nothing falls on a grid.

    ``documented``: a map by others. Experiments try its addresses first, and the report lists which they contradict.
    Without one, everything is learnt blind. ``versus``: learns the second seat and a game of two as well.
    """
    rom = load_any(rom_path, system)
    make_folder(folder)
    lab = open_lab(rom, core, system)
    try:
        return _calibrate(lab, rom_path, folder, game, core, system, state, pieces, documented, versus, progress)
    finally:
        lab.console.close()


def _calibrate(
    lab: Lab,
    rom_path: Path,
    folder: Path,
    game: str,
    core: str | None,
    system: Path | None,
    state: bytes | None,
    pieces: int,
    documented: RamMap | None,
    versus: bool,
    progress: Progress,
) -> Outcome:
    about = f"{lab.console.rom.sha1} {lab.console.core_name} {'' if state is None else hash_of(state)}"
    if documented is not None:
        about += f" {hash_of(documented.model_dump_json().encode())}"
    book = Notebook(folder, about, lambda what, number: progress(what, min(1.0, number / EXPERIMENTS)))
    lab.limit(EXPLORE_SECONDS)
    lab.step()
    boot = lab.save()
    hints = NO_HINTS if documented is None else hints_of(documented, lab)
    route, basis = begin(lab, book, state, hints)
    try:
        learnt = learn_pair(lab, book, route, basis, documented)
    except CalibrationError as error:
        return _sketch(lab, folder, game, book, route, basis, str(error), progress)
    ground = ground_of(lab, learnt.stance.state, learnt.basis, learnt.stance, learnt.shape)
    look = book.page("where the picture shows the field", lambda: find_look(ground))
    pictures = _pictures(folder, ground, learnt, look)
    own_core = core or _core_name(lab)
    seats = None
    if versus:
        try:
            seats = learn_seats(lab, boot, learnt, folder, about, game, progress)
        except CalibrationError as error:
            book.failed["seat 2"] = str(error)
    exam, files = _examined(lab, ground, learnt, rom_path, folder, game, own_core, system, pieces, progress, seats)
    of_two = None
    for at_once in (True, False) if seats is not None and files.game is not None else ():
        assert seats is not None
        assert files.game is not None
        progress("the exam of two seats", 0.0)
        seats = replace(seats, at_once=at_once)
        _rewritten(files.game, seats)
        try:
            of_two = examine_versus(files.game, rom_path, pieces, system=system, core=own_core)
        except OchibotError as error:
            of_two = Exam("play", 0, 0, why_not(error))
        if of_two.passed:
            break
    compared = [] if documented is None else [*compared_rows(map_of(learnt, lab, game), documented), *learnt.judged]
    write_report(folder, learnt, lab, book, files, exam, pictures, compared, seats, of_two)
    return Outcome(game, files, exam, learnt, book.resumed, dict(book.failed), compared, seats, of_two)


def _rewritten(game: Path, seats: Seats) -> None:
    """Rewrites the game file with the menu steps of ``seats`` for a game of two."""
    text = game.read_text(encoding="utf-8")
    head = "".join(line for line in text.splitlines(keepends=True) if line.startswith("#"))
    data = read_yaml(game, "a game file", CalibrationError)
    data["modes"]["versus"]["menu"] = route_of(seats.route, at_once=seats.at_once)
    write(game, head + dump(data))


def _sketch(
    lab: Lab, folder: Path, game: str, book: Notebook, route: Route, basis: Basis, why: str, progress: Progress
) -> Outcome:
    """Learns a game without rules and writes a draft: its pieces aren't pairs, or no byte holds their colours."""
    progress("what falls there, without rules", 0.5)
    lab.limit(SKETCH_SECONDS)
    made, exam = sketched(lab, route, basis, why)
    files = write_sketch(folder, made, lab, game, f"rules unknown ({why}); only where pieces come to rest was examined")
    pictures = _route_pictures(folder, route)
    write_sketch_report(folder, made, lab, book, files, exam, pictures)
    failed = {**book.failed, "the rules": why}
    return Outcome(game, files, exam, made, book.resumed, failed, [])


def _route_pictures(folder: Path, route: Route) -> dict[str, str]:
    shown = {}
    for number, step in enumerate(route.steps):
        name = f"screen{number}-{step.button}.png"
        Image.fromarray(step.picture).save(folder / name)
        shown[name] = f"the way to play: {step.button}"
    return shown


def hash_of(state: bytes) -> str:
    """A short digest that identifies a savestate or a map."""
    import hashlib

    return hashlib.sha256(state).hexdigest()[:12]


def _core_name(lab: Lab) -> str:
    return lab.console.core_file.removesuffix(".so").removesuffix("_libretro")


def _examined(
    lab: Lab,
    ground: Ground,
    learnt: Learnt,
    rom_path: Path,
    folder: Path,
    game: str,
    core: str,
    system: Path | None,
    pieces: int,
    progress: Progress,
    seats: Seats | None,
) -> tuple[Exam, Files]:
    """Writes the files and plays the exam with them, or examines only landings if the rules are unknown.

    Files that don't pass are marked as drafts.
    """

    def files(use_state: bool, draft: str) -> Files:
        return write_files(folder, learnt, lab, game, core=core, use_state=use_state, draft=draft, seats=seats)

    if rules_of(learnt, game) is None or not learnt.stance.readable:
        exam = examine_landings(ground, learnt)
        return exam, files(True, "rules unknown; only where the halves come to rest was examined")
    exam = Exam("play", 0, 0)
    for use_state in (False, True):
        if not use_state and not learnt.route.buttons:
            continue
        written = files(use_state, "the exam isn't over")
        try:
            exam = examine(
                written.game if written.game is not None else folder / f"{game}.yaml",
                rom_path,
                pieces,
                system=system,
                core=core,
                progress=lambda done: progress(f"the exam, piece {done} of {pieces}", done / pieces),
            )
        except (GameError, OchibotError) as error:
            exam = Exam("play", 0, 0, why_not(error), not use_state)
            continue
        if exam.pieces:
            break
    draft = "" if exam.passed else f"agreement {exam.agreement:.4f} of {counted(exam.pieces, 'piece')} in the exam"
    return exam, files(use_state, draft)


def _before_and_after(folder: Path, ground: Ground, learnt: Learnt) -> dict[str, str]:
    """Pictures of one experiment: the equal cells that were painted, and the field after a piece fell on them."""
    if learnt.size is None:
        return {}
    poker = Poker(ground, learnt.near, learnt.far, learnt.stance.near_row == 0)
    one, other = ground.colors[:2]
    cells = {(0, row): one for row in range(learnt.size - 1)}
    pokes = {**ground.painted(cells), **poker.pokes(one, other)}
    lab = ground.lab
    lab.load(ground.state)
    lab.poke(pokes)
    # games take several frames to draw all that has changed
    lab.run([0] * 8)
    Image.fromarray(lab.console.frame()).save(folder / "vanish-before.png")
    try:
        fallen = poker.lock(cells, 0, one, other)
    except CalibrationError:
        return {}
    Image.fromarray(lab.picture(fallen.state)).save(folder / "vanish-after.png")
    return {
        "vanish-before.png": f"what vanishes: {counted(learnt.size - 1, 'equal cell was', 'equal cells were')} "
        "painted into the first column",
        "vanish-after.png": "a cell like them fell on them: all are gone, and its other half is left",
    }


def _at_rest(lab: Lab, basis: Basis) -> tuple[npt.NDArray[np.uint8], int, int]:
    """(a picture in which the piece isn't between two rows, taken just before it sinks on; raw x; raw y then)."""
    x, y = basis.x[0], basis.y[0]
    for _ in range(ROW_FRAMES):
        picture, seen = lab.console.frame(), (lab.peek(x), lab.peek(y))
        lab.step()
        if lab.peek(y) != seen[1] and (basis.floor_y - seen[1]) % basis.cell_y == 0:
            return picture, *seen
    return picture, *seen


def _pictures(folder: Path, ground: Ground, learnt: Learnt, look: Look | None) -> dict[str, str]:
    """Pictures of the piece in all four orientations, with the field's grid and the piece's halves marked."""
    lab = ground.lab
    shown = _route_pictures(folder, learnt.route)
    basis, stance = learnt.basis, learnt.stance
    ways = {"up": (0, 1), "right": (1, 0), "down": (0, -1), "left": (-1, 0)}
    for taps, word in enumerate(stance.ways):
        lab.load(ground.state)
        lab.poke(ground.painted())
        lab.run([0] * 4)
        # ``basis.first`` stands the piece upright; ``stance.ways`` counts taps from there
        for button in (*basis.first, *[int(stance.turning.button)] * taps):
            lab.run(tap(button, on=3, off=9))
        picture, x, y = _at_rest(lab, basis)
        if x not in basis.columns:
            continue
        near = basis.columns.index(x), (basis.floor_y - y) // -basis.cell_y + stance.near_row
        across, up = ways[word if stance.denotes == "axis" else OPPOSITE[word]]
        far = near[0] + across, near[1] + up
        halves = [near, far] if stance.denotes == "axis" else [far, near]
        name = f"piece-{word}.png"
        drawn(picture, look, ground, halves).save(folder / name)
        shown[name] = f"partner {word}: the axis in red, the partner in blue, as the map reads them"
    return {**shown, **_before_and_after(folder, ground, learnt)}


__all__ = ["CalibrationError", "Outcome", "calibrate", "explore_modes", "explore_rom", "load_any", "open_lab"]
