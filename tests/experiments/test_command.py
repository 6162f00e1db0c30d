"""What calibrate promises whatever the game: its budget in frames, its files, its notebook."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import ochibot.experiments
import pytest
import yaml
from ochibot.errors import CalibrationError, ConfigError, ConsoleError, UsageError
from ochibot.experiments import run
from ochibot.experiments.effort import EFFORTS, frames_of, more_than
from ochibot.experiments.exam import Exam
from ochibot.experiments.grid import Grid
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.rig import Rig
from ochibot.experiments.run import Outcome, calibrate
from ochibot.experiments.write import consistent
from ochibot.leftovers import only_writer
from ochibot.ram import RamMap

from tests.strangers.maker import draw
from tests.strangers.maker.console import StrangerConsole

FAMILY = draw(1, "family", only="no_pause")
OTHER = draw(1, "other", only="bag")
"""A game whose rules are unknown."""


class KilledError(Exception):
    """Ends a calibration as a signal would."""


@pytest.fixture
def strangers(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Outcome, Rig]]:
    """Calibrates a stranger; the exam, which opens ROMs by their files, is left out."""

    def learnt(spec: Any, folder: Path, **said: Any) -> tuple[Outcome, Rig]:
        rig = Rig(StrangerConsole(spec))
        monkeypatch.setattr(run, "open_rom", lambda *_, **__: rig.console.rom)
        monkeypatch.setattr(run, "open_rig", lambda *_: rig)
        monkeypatch.setattr(run, "examine", lambda *_, **__: Exam("play", 300, 300))
        return calibrate(Path("game.nes"), folder, game="mine", **said), rig

    return learnt


@pytest.fixture(scope="module")
def wholes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for what ``whole`` keeps."""
    return tmp_path_factory.mktemp("wholes")


@pytest.fixture
def whole(strangers: Callable[..., tuple[Outcome, Rig]], wholes: Path) -> Callable[[Any], Path]:
    """The folder of a calibration that nothing interrupted, which is made once for all tests."""

    def made(spec: Any) -> Path:
        folder = wholes / ("family" if spec is FAMILY else "other")
        if not folder.exists():
            strangers(spec, folder)
        return folder

    return made


def written(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_one_folder_takes_one_calibration_at_a_time(
    strangers: Callable[..., tuple[Outcome, Rig]], tmp_path: Path
) -> None:
    """Once, two calibrations wrote one notebook and one map, each over the other's."""
    with only_writer(tmp_path), pytest.raises(ConfigError, match=r"another process is calibrating into .*: wait"):
        strangers(OTHER, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_effort_is_a_word_or_a_number_of_frames() -> None:
    assert frames_of("normal") == EFFORTS["normal"] <= 250_000
    assert frames_of("400_000") == frames_of("400000") == 400_000
    assert EFFORTS["quick"] < EFFORTS["normal"] < EFFORTS["high"]
    for wrong in ("", "fast", "-5", "0", "1e6", "1000000000000", "٣٠٠٠"):
        with pytest.raises(UsageError, match="--effort is quick, normal, high, or a number of frames"):
            frames_of(wrong)
    assert more_than(EFFORTS["quick"]) == "--effort normal"
    assert frames_of(more_than(EFFORTS["high"]).split()[1]) > EFFORTS["high"]


def test_no_experiment_reads_a_clock() -> None:
    for path in Path(ochibot.experiments.__path__[0]).glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names}
        names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not names & {"time", "datetime", "timeit"}, path


@pytest.mark.parametrize("spec", [FAMILY, OTHER], ids=["family", "other"])
def test_the_same_game_and_effort_write_the_same_bytes(
    spec: Any, strangers: Callable[..., tuple[Outcome, Rig]], whole: Callable[[Any], Path], tmp_path: Path
) -> None:
    strangers(spec, tmp_path / "again")
    assert written(tmp_path / "again") == written(whole(spec))
    assert {"route.yaml", "play.state", "mine-p1.yaml", "report.md", "notebook.json"} <= written(whole(spec)).keys()


@pytest.mark.parametrize(("spec", "page"), [(FAMILY, 3), (FAMILY, 6), (OTHER, 4)])
def test_what_is_known_is_there_when_it_is_killed_and_it_goes_on_to_the_same_files(
    spec: Any, page: int, strangers: Callable[..., tuple[Outcome, Rig]], whole: Callable[[Any], Path], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    uninterrupted = written(whole(spec))
    pages = Notebook.page

    def killed(self: Notebook, name: str, *words: Any, **said: Any) -> Any:
        if self._number == page - 1:
            raise KilledError
        return pages(self, name, *words, **said)

    monkeypatch.setattr(Notebook, "page", killed)
    with pytest.raises(KilledError):
        strangers(spec, tmp_path / "killed")
    monkeypatch.setattr(Notebook, "page", pages)
    made = RamMap.model_validate(yaml.safe_load((tmp_path / "killed/mine-p1.yaml").read_text(encoding="utf-8")))
    assert {"field", "x", "y"} <= made.entries.keys()
    assert "pieces leave 0x" in str(made.entries["field"].note)
    assert {"route.yaml", "play.state", "report.md"} <= written(tmp_path / "killed").keys()
    outcome, _ = strangers(spec, tmp_path / "killed")
    assert outcome.resumed >= 2
    assert written(tmp_path / "killed") == uninterrupted


@pytest.mark.long
@pytest.mark.parametrize(
    ("spec", "effort", "step"),
    [(FAMILY, 26_000, "signs"), (OTHER, 40_000, "what can be learnt without rules")],
)
def test_a_step_that_used_its_frames_up_is_named_and_more_effort_goes_on(
    spec: Any, effort: int, step: str, strangers: Callable[..., tuple[Outcome, Rig]], tmp_path: Path
) -> None:
    outcome, rig = strangers(spec, tmp_path / "out", effort=effort)
    made = RamMap.model_validate(yaml.safe_load(outcome.files.map.read_text(encoding="utf-8")))
    assert {"field", "x", "y"} <= made.entries.keys()
    book = json.loads((tmp_path / "out/notebook.json").read_text(encoding="utf-8"))
    assert sum(book["frames"].values()) <= effort
    # pictures and landings without rules aren't counted
    assert rig.frames <= effort + 8_000
    assert f'used up in "{step}"' in outcome.used_up
    assert "--effort quick resumes it" in outcome.used_up
    assert outcome.used_up[1:] in (tmp_path / "out/report.md").read_text(encoding="utf-8")
    again, _ = strangers(spec, tmp_path / "out", effort=EFFORTS["normal"])
    assert again.resumed >= 2
    assert not again.used_up
    strangers(spec, tmp_path / "straight")
    for name in ("mine-p1.yaml", "route.yaml"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "straight" / name).read_bytes()


def test_menus_that_use_their_frames_up_say_so(strangers: Callable[..., tuple[Outcome, Rig]], tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match=r'1 screen; .* used up in "the way to play".*--effort quick'):
        strangers(FAMILY, tmp_path / "out", effort=1_000)


def test_without_a_field_the_way_there_and_candidates_for_x_and_y_are_written(
    strangers: Callable[..., tuple[Outcome, Rig]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(*_: Any) -> Any:
        raise CalibrationError("no bytes were found that follow")

    monkeypatch.setattr("ochibot.experiments.bases.find_bases", found)
    outcome, _ = strangers(FAMILY, tmp_path / "out")
    assert outcome.learnt is None
    assert not outcome.exam.passed
    assert {"route.yaml", "play.state", "mine-p1.yaml", "report.md"} <= written(tmp_path / "out").keys()
    made = RamMap.model_validate(yaml.safe_load(outcome.files.map.read_text(encoding="utf-8")))
    assert set("xy") <= made.entries.keys()
    moves = yaml.safe_load((tmp_path / "out/route.yaml").read_text(encoding="utf-8"))
    for name, kind in (("x", "moves_across"), ("y", "falls")):
        assert f"0x{made.entries[name].address:04X}" in moves[kind]
        assert str(made.entries[name].note).startswith(("likely: ", "unknown: "))
    assert "no field was found" in (tmp_path / "out/report.md").read_text(encoding="utf-8")


def test_the_game_file_names_the_core_and_the_exam_gets_its_file(
    strangers: Callable[..., tuple[Outcome, Rig]], tmp_path: Path
) -> None:
    outcome, _ = strangers(FAMILY, tmp_path, core="/somewhere/stranger_libretro.so")
    assert outcome.files.game is not None
    assert yaml.safe_load(outcome.files.game.read_text(encoding="utf-8"))["core"] == "stranger"
    assert "/somewhere" not in outcome.files.game.read_text(encoding="utf-8")


def test_an_entry_that_overlaps_another_is_left_out_of_a_draft() -> None:
    byte = {"address": 0x40, "source": "calibrated"}
    score = {"address": 0x3E, "type": "u24le", "source": "calibrated"}
    signs = {"control": {"entry": "phase_byte", "is": [1]}, "over": {"entry": "over_byte", "is": [2]}}
    entries = {"x": {**byte, "address": 0x20}, "score": score, "phase_byte": byte, "over_byte": {**byte, "address": 9}}
    made = {"game": "mine", "name": "player1", "system": "nes", "seat": 1, "entries": entries, "signs": signs}
    with pytest.raises(ValueError, match="overlaps"):
        RamMap.model_validate(made)
    kept, left_out = consistent(made)
    assert left_out == ["phase_byte", "control"]
    assert list(RamMap.model_validate(kept).entries) == ["x", "score", "over_byte"]


def test_a_table_of_two_bytes_stays_with_the_entry_that_uses_it() -> None:
    """All entries of a map were left out, because its table held more than its first entry could."""
    tables = {
        "cells": {"source": "calibrated", "values": {0: "empty", 1: "red"}},
        "turns": {"source": "calibrated", "values": {0xFF00: "up", 1: "right"}},
        "spare": {"source": "calibrated", "values": {0xFFFF: "up"}},
    }
    byte = {"source": "calibrated", "address": 0x20}
    turn = {"addresses": [0x24, 0x25], "symbols": "turns", "source": "calibrated"}
    entries = {"x": byte, "axis": {**byte, "address": 0x26, "codes": "cells"}, "orientation": turn, "y": byte}
    made = {"game": "mine", "name": "player1", "system": "nes", "seat": 1, "entries": entries, "codes": tables}
    kept, left_out = consistent(made)
    assert left_out == ["y"]
    assert (list(kept["entries"]), list(kept["codes"])) == (["x", "axis", "orientation"], ["cells", "turns"])
    RamMap.model_validate(kept)


def _page(kind: str, **fields: Any) -> dict[str, Any]:
    return {"kind": kind, "fields": fields}


DAMAGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "not JSON": lambda _: "{nothing",
    "truncated": lambda data: json.dumps(data)[:-40],
    "a list": lambda data: [data],
    "a missing key": lambda data: {key: value for key, value in data.items() if key != "pages"},
    "an unknown kind": lambda data: {**data, "pages": {"the grid": _page("explore.Nothing", a=1)}},
    "wrong fields": lambda data: {**data, "pages": {"the grid": _page("grid.Grid", a=1)}},
    "wrong types": lambda data: {**data, "pages": {**data["pages"], "the grid": 5}},
    "no bytes": lambda _: b"\xff\x00",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_notebook_is_kept_aside_and_told_in_one_line(
    damage: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = Notebook(tmp_path, "this game")
    first.page("the grid", lambda: Grid(16, 1, -8, 6, 0), needed=True)
    assert Notebook(tmp_path, "this game").page("the grid", lambda: None) == Grid(16, 1, -8, 6, 0)
    path = tmp_path / "notebook.json"
    made = DAMAGES[damage](json.loads(path.read_text(encoding="utf-8")))
    damaged = made if isinstance(made, bytes) else (made if isinstance(made, str) else json.dumps(made)).encode()
    path.write_bytes(damaged)
    book = Notebook(tmp_path, "this game")
    (line,) = capsys.readouterr().err.splitlines()
    assert line == f"{path} is damaged: it is kept as notebook.json.damaged, and calibration starts again"
    assert (tmp_path / "notebook.json.damaged").read_bytes() == damaged
    assert book.page("the grid", lambda: 3) == 3
    assert book.resumed == 0


class _Refusing:
    """A rig whose console refuses every savestate."""

    frames, ran_out = 0, False

    @property
    def console(self) -> _Refusing:
        return self

    def try_state(self, *states: bytes) -> None:
        raise ConsoleError(f"the core crashes on {states[0]!r}")


def test_a_savestate_in_somebody_s_notebook_is_tried_before_it_is_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Notebook(tmp_path, "this game").page("the way to play", lambda: {"state": b"evil"})
    book = Notebook(tmp_path, "this game")
    book.watch(cast("Rig", _Refusing()))
    (line,) = capsys.readouterr().err.splitlines()
    why = "holds a savestate that can't be used (the core crashes on b'evil')"
    assert (
        line == f"{tmp_path / 'notebook.json'} {why}: it is kept as notebook.json.damaged, and calibration starts again"
    )
    assert book.page("the way to play", lambda: 3) == 3


@pytest.mark.long
def test_after_damage_the_same_files_are_written(strangers: Callable[..., tuple[Outcome, Rig]], tmp_path: Path) -> None:
    strangers(FAMILY, tmp_path)
    before = written(tmp_path)
    path = tmp_path / "notebook.json"
    path.write_bytes(before["notebook.json"][:-100])
    outcome, _ = strangers(FAMILY, tmp_path)
    assert outcome.resumed == 0
    assert written(tmp_path).items() > before.items()
