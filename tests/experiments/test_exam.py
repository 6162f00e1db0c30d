"""An exam passes files that tell all of a game, and no others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from ochibot.console import find_cores
from ochibot.data import data_path
from ochibot.errors import MapError
from ochibot.experiments.exam import OVER, Exam, examine, examine_versus

from tests.strangers.filed import map_by_truth, write_by_truth
from tests.strangers.maker import draw
from tests.strangers.maker.console import opener

DULL = draw(1, "family", "no_pause")
Change = Callable[[dict[str, Any]], None]


def examined(folder: Path, change: Change = lambda _: None, **options: Any) -> Exam:
    """Examines the files of a dull stranger, with a changed map, on the machine of plain Python."""
    made = map_by_truth(DULL)
    change(made)
    game, rom = write_by_truth(DULL, folder, made)
    return examine(game, rom, options.pop("pieces", 300), opener=opener(DULL), **options)


def swapped(made: dict[str, Any]) -> None:
    entries = made["entries"]
    one, other = (entries[name]["address"] for name in ("next_axis", "next_partner"))
    entries["next_axis"]["address"], entries["next_partner"]["address"] = other, one


def without_score(made: dict[str, Any]) -> None:
    del made["entries"]["score"]


def without_over(made: dict[str, Any]) -> None:
    del made["signs"]["over"]


def test_files_that_tell_all_pass(tmp_path: Path) -> None:
    exam = examined(tmp_path, pieces=120)
    assert (exam.pieces, exam.agreed, exam.missing, exam.broke) == (120, 120, (), "")
    assert exam.passed


def test_next_swapped_is_a_contradiction_at_each_piece_of_two_colours(tmp_path: Path) -> None:
    exam = examined(tmp_path, swapped, pieces=60)
    # a pair of one colour is the same in both orders: a quarter of all with four colours
    assert exam.agreed < 0.6 * exam.pieces
    assert exam.against[0][0] == "NEXT"
    assert not exam.passed
    assert "after NEXT had shown" in exam.broke


def test_an_exam_says_where_pieces_appear_if_that_is_elsewhere(tmp_path: Path) -> None:
    assert examined(tmp_path, pieces=20).appeared is None
    game, rom = write_by_truth(DULL, tmp_path, map_by_truth(DULL))
    told = yaml.safe_load(game.read_text())
    right = dict(told["spawn"])
    told["spawn"]["x"] += 1
    game.write_text(yaml.safe_dump(told, sort_keys=False))
    exam = examine(game, rom, 20, opener=opener(DULL))
    assert exam.agreed < 2
    assert exam.against[0][0] == "spawn"
    assert exam.appeared == (right["x"], right["y"], right["orientation"])


def test_a_map_without_the_score_is_not_whole(tmp_path: Path) -> None:
    exam = examined(tmp_path, without_score, pieces=60)
    assert (exam.pieces, exam.agreed) == (60, 60)
    assert exam.missing == ("score",)
    assert exam.broke == "the map lacks score"
    assert not exam.passed
    assert examined(tmp_path, without_score, pieces=60, absent={"score"}).passed


def test_a_map_without_the_end_is_not_whole(tmp_path: Path) -> None:
    exam = examined(tmp_path, without_over, pieces=60)
    assert exam.missing == (OVER,)
    assert exam.against == ()
    assert not exam.passed


@pytest.mark.parametrize("value", ["none", "pop"])
def test_an_end_that_is_told_wrongly_or_never_is_missing(value: str, tmp_path: Path) -> None:
    """The value of no phase never comes; that of clearing comes, but the game goes on."""
    phases = {"none": 0xEE, "pop": 4}

    def change(made: dict[str, Any]) -> None:
        made["signs"]["over"]["is"] = [phases[value]]

    exam = examined(tmp_path, change, pieces=60)
    assert OVER in exam.missing
    assert ("end", 1) in exam.against
    assert not exam.passed


def test_an_end_that_is_told_before_the_first_piece_is_wrong(tmp_path: Path) -> None:
    def change(made: dict[str, Any]) -> None:
        made["signs"]["over"]["is"] = made["signs"]["control"]["is"]

    exam = examined(tmp_path, change, pieces=60)
    assert exam.pieces == 0
    assert exam.against == (("end", 1),)
    assert exam.broke == "the map tells the end before the first piece"


def test_a_score_read_from_elsewhere_is_a_fault(tmp_path: Path) -> None:
    def change(made: dict[str, Any]) -> None:
        made["entries"]["score"]["address"] += 1

    exam = examined(tmp_path, change, pieces=60)
    assert exam.agreement < 0.99
    assert exam.against[0][0] == "score"
    assert not exam.passed


def test_an_exam_ends_early_where_another_had_fewer_faults(tmp_path: Path) -> None:
    exam = examined(tmp_path, swapped, pieces=300, most_faults=4)
    assert exam.pieces < 30
    assert exam.pieces - exam.agreed > 4


def test_too_few_pieces_do_not_pass() -> None:
    assert Exam("play", 300, 300, asked=300).passed
    assert not Exam("play", 20, 20, asked=300).passed
    assert not Exam("play", 0, 0).passed
    assert not Exam("landing", 300, 300).passed


def test_a_map_without_next_is_refused(tmp_path: Path) -> None:
    def change(made: dict[str, Any]) -> None:
        del made["entries"]["next_partner"]

    with pytest.raises(MapError, match="next_partner"):
        examined(tmp_path, change)


def own_game(folder: Path, change: Change) -> Exam:
    """Examines our own cartridge in a core, by a changed copy of its shipped map."""
    made = yaml.safe_load(data_path("ram_maps/famicom_puyo/player1.yaml").read_text(encoding="utf-8"))
    change(made)
    path = folder / "map.yaml"
    path.write_text(yaml.safe_dump(made, sort_keys=False), encoding="utf-8")
    return examine(Path("puyo"), data_path("roms/homebrew/famicom/ochidama.nes"), 60, ram_map=path)


def test_an_exam_of_two_seats_goes_on_after_a_contradiction(tmp_path: Path) -> None:
    """Seat 2's map has the halves of NEXT swapped. Once, the exam ended there, with 0 of 0 pieces."""
    made = yaml.safe_load(data_path("ram_maps/famicom_puyo/player2.yaml").read_text(encoding="utf-8"))
    swapped(made)
    path = tmp_path / "map.yaml"
    path.write_text(yaml.safe_dump(made, sort_keys=False), encoding="utf-8")
    rom = data_path("roms/homebrew/famicom/ochidama.nes")
    exam = examine_versus(Path("puyo"), rom, 8, maps={2: path})
    assert exam.pieces >= 16
    # seat 1's pieces are without a fault
    assert 0.4 < exam.agreement < 0.9
    assert exam.against[0][0] == "NEXT"
    assert "after NEXT had shown" in exam.broke
    assert not exam.passed


def blind_to_the_end(made: dict[str, Any]) -> None:
    for name in ("phase", "state"):
        del made["entries"][name]


@pytest.mark.long
@pytest.mark.skipif(not find_cores("fceumm"), reason="no fceumm core here")
@pytest.mark.parametrize(
    ("change", "missing", "most"),
    [(lambda _: None, (), 1.0), (swapped, (), 0.6), (without_score, ("score",), 1.0), (blind_to_the_end, (OVER,), 1.0)],
    ids=["untouched", "next swapped", "no score", "no end"],
)
def test_our_own_game_s_shipped_map(change: Change, missing: tuple[str, ...], most: float, tmp_path: Path) -> None:
    exam = own_game(tmp_path, change)
    assert exam.missing == missing
    assert exam.agreement <= most
    assert exam.passed == (most == 1.0 and not missing), exam.broke


def test_files_that_fall_short_say_in_what() -> None:
    whole = Exam("play", 300, 300, asked=300)
    assert whole.shortfall == ""
    assert replace(whole, missing=("score",)).shortfall == "the map lacks score"
    assert replace(whole, pieces=200, agreed=200).shortfall == "only 200 of 300 pieces were played in the exam"
    assert replace(whole, agreed=200).shortfall == "agreement 0.6667 of 300 pieces in the exam"
    both = replace(whole, agreed=200, missing=("NEXT", "score")).shortfall
    assert both == "the map lacks NEXT, score; agreement 0.6667 of 300 pieces in the exam"
