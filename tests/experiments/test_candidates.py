"""Where one candidate for a fact fails its test, the next one is tried, and the report says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.errors import CalibrationError
from ochibot.experiments import again, learn, rules
from ochibot.experiments.bases import Bases
from ochibot.experiments.digits import Form
from ochibot.experiments.documented import NO_HINTS
from ochibot.experiments.drawn import find_drawn
from ochibot.experiments.effects import Poker
from ochibot.experiments.effort import FIELD
from ochibot.experiments.exam import Exam
from ochibot.experiments.explore import Route
from ochibot.experiments.facts import Above, Basis, Moments, Rows, driver_of
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.rig import Rig
from ochibot.experiments.score import Score
from ochibot.experiments.signs import OverByte, SignByte
from ochibot.experiments.views import View

from tests.experiments.test_fields import learnt
from tests.strangers.maker import Truth, draw
from tests.strangers.maker.console import StrangerConsole
from tests.strangers.whole import judge_whole


@pytest.fixture(scope="module")
def one() -> Basis:
    return learnt(draw(900, "family", "appears_inside"))[0]


def _bases(rig: Rig, found: list[Basis], monkeypatch: pytest.MonkeyPatch) -> Bases:
    monkeypatch.setattr("ochibot.experiments.bases.find_bases", lambda *_: iter(found))
    return Bases(rig, Route((), (), None, b"", (), 1), NO_HINTS)  # type: ignore[arg-type]


def test_the_next_candidate_for_the_field_is_tried_where_a_stance_fails(
    one: Basis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig, book = Rig(StrangerConsole(draw(900, "family"))), Notebook(tmp_path, "test")
    other = replace(one, floor_y=one.floor_y + 1, place=replace(one.place, rows=9))
    tried: list[Basis] = []

    def stance(_rig: Rig, book: Notebook, _route: Route, basis: Basis, _hints: object) -> Any:
        tried.append(basis)
        book.page("how the piece turns", lambda: 1)
        if basis is one:
            raise CalibrationError("it lies nowhere")
        return basis

    monkeypatch.setattr(learn, "_learn_piece", stance)
    bases = _bases(rig, [one, one, other], monkeypatch)
    book.page(FIELD, lambda: one)
    carried: Any = learn.learn_piece(rig, book, None, bases)  # type: ignore[arg-type]
    assert carried is other
    assert tried == [one, other]
    again = Notebook(tmp_path, "test")
    assert again.page(FIELD, lambda: None) == other
    assert again.turned_down == [(FIELD, bases.told(one), "it lies nowhere", ())]
    against = one.place.of - one.place.seen
    assert f"(likely: seen {one.place.seen} times, {against} observations against it)" in bases.told(one)


def test_where_all_candidates_fail_the_first_one_is_the_drafts(
    one: Basis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig, book = Rig(StrangerConsole(draw(900, "family"))), Notebook(tmp_path, "test")
    other = replace(one, place=replace(one.place, rows=9))

    def stance(_rig: Rig, _book: Notebook, _route: Route, basis: Basis, _hints: object) -> Any:
        raise CalibrationError(f"{basis.place.rows} rows")

    monkeypatch.setattr(learn, "_learn_piece", stance)
    for _ in range(2):
        # resumed, too
        with pytest.raises(CalibrationError, match=f"{one.place.rows} rows"):
            learn.learn_piece(rig, book, None, _bases(rig, [one, other], monkeypatch))  # type: ignore[arg-type]
        book = Notebook(tmp_path, "test")
        assert [why for *_, why, _ in book.turned_down] == [f"{one.place.rows} rows", "9 rows"]
        assert book.page(FIELD, lambda: None) == one


def test_pieces_of_four_cells_need_no_other_field(one: Basis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rig, book = Rig(StrangerConsole(draw(900, "family"))), Notebook(tmp_path, "test")
    four = replace(one, cells=((0, 0), (1, 0), (2, 0), (3, 0)))
    monkeypatch.setattr(learn, "_learn_piece", lambda *_: (_ for _ in ()).throw(CalibrationError("no pair")))
    with pytest.raises(CalibrationError, match="no pair"):
        learn.learn_piece(rig, book, None, _bases(rig, [four, one], monkeypatch))  # type: ignore[arg-type]
    assert book.turned_down == []


def test_a_piece_is_drawn_into_the_field_below_rows_that_always_look_filled() -> None:
    found, rig, _ = learnt(draw(900, "family", "piece_inside"))
    state = rig.save()
    driver, before = driver_of(rig, found), rig.snap
    above = found.grid.cell(0, found.place.rows)
    code = found.place.codes[0][0]

    def snap() -> Any:
        ram = before()
        ram[[above + found.grid.across * column for column in range(found.grid.columns)]] = code
        return ram

    rig.snap = snap  # type: ignore[method-assign]
    assert find_drawn(driver, found.place, state) == found.drawn is not None


def test_a_piece_that_appears_above_the_known_rows_is_drawn_into_them_further_down() -> None:
    found, rig, _ = learnt(draw(900, "family", "piece_inside"))
    state, whole = rig.save(), found.drawn
    assert whole is not None
    made = find_drawn(driver_of(rig, found), replace(found.place, rows=whole.cells[0][1] - 1), state)
    assert made is not None
    assert (made.cells, made.y) == (whole.cells, whole.y)
    # what lies above those rows stays
    ram = np.full_like(rig.snap(), found.place.codes[0][0])
    assert [(made.taken_out(ram.copy(), made.y + rows * made.unit) != ram).sum() for rows in (0, 2)] == [0, 2]


@pytest.mark.proof
def test_the_lowest_row_is_one_in_which_pieces_are_seen() -> None:
    # its sprite is a row lower as a piece lands
    verdict = judge_whole(draw(615, "family"), pieces=40)
    assert verdict.whole, verdict.why


@pytest.mark.long
def test_a_ring_has_the_rows_that_no_piece_reached() -> None:
    # all of its rows but the lowest are a grid of their own
    console = StrangerConsole(draw(624, "family"))
    rig, truth = Rig(console), Truth(console.game)
    rig.step()
    found = learn.begin(rig, Notebook(None, "test"))[1].first()
    first = truth.describe()["field"]["places"][0]["address"]
    assert found.view is not None
    rig.look(found.view)
    rows = [rig.address(found.grid.cell(0, row)) - first for row in range(found.place.rows)]
    assert rows == [0, *range(72, 0, -6)]


def _learnt(one: Basis, **facts: Any) -> Learnt:
    return Learnt(None, one, None, None, None, None, tap=one.tap, **facts)  # type: ignore[arg-type]


def _exam(agreed: int, *against: str) -> Exam:
    return Exam("play", 100, agreed, asked=100, against=tuple((what, 1) for what in against))


def test_an_exam_is_held_again_with_another_candidate_for_what_it_contradicts(one: Basis, tmp_path: Path) -> None:
    rig, book = Rig(StrangerConsole(draw(900, "family"))), Notebook(tmp_path, "test")
    held: list[Above | None] = []

    def learnt() -> Learnt:
        return _learnt(one, above=book.page("hidden rows", lambda: Above(0, "vanish")))

    def examine(learnt: Learnt, _most: int | None) -> Exam:
        held.append(learnt.above)
        assert learnt.above is not None
        return _exam(100) if learnt.above.ceiling == "solid" else _exam(90, "steering")

    found, exam = again.hold(rig, book, learnt, examine)
    assert exam.passed
    assert held == [Above(0, "vanish"), Above(1, "solid")]
    assert found.above == Above(1, "solid")
    kept = Notebook(tmp_path, "test")
    assert kept.page("hidden rows", lambda: None) == Above(1, "solid")
    assert [row[:3] for row in kept.turned_down] == [
        (
            "hidden rows",
            "0, what is above them: vanish (likely: seen 90 times, 10 observations against it)",
            "the exam: agreement 0.9000 of 100 pieces in the exam",
        )
    ]


def test_the_best_exam_counts_and_its_files_are_written_last(one: Basis, tmp_path: Path) -> None:
    rig, book = Rig(StrangerConsole(draw(900, "family"))), Notebook(tmp_path, "test")
    held: list[tuple[int, int | None]] = []

    def learnt() -> Learnt:
        place = book.page("the score", lambda: min({5, 6, 7} - book.refused("the score")))
        assert place is not None
        return _learnt(one, score=Score(place, Form(1, little=True), 1, kept=True))

    def examine(learnt: Learnt, most: int | None) -> Exam:
        assert learnt.score is not None
        held.append((learnt.score.offset, most))
        return _exam({5: 80, 6: 90, 7: 70}[learnt.score.offset], "score")

    found, exam = again.hold(rig, book, learnt, examine)
    assert held == [(5, None), (6, 20), (7, 10), (6, None)]
    assert found.score is not None
    assert (found.score.offset, exam.agreed) == (6, 90)
    assert Notebook(tmp_path, "test").page("the score", lambda: 0) == 6


def test_a_fact_that_can_not_be_learnt_otherwise_is_left_as_it_was(one: Basis, tmp_path: Path) -> None:
    rig, book = Rig(StrangerConsole(draw(900, "family"))), Notebook(tmp_path, "test")

    def learnt() -> Learnt:
        def end() -> int:
            if book.refused("the end"):
                raise CalibrationError("nothing else")
            return 9

        place = book.page("signs", end, needed=True)
        assert place is not None
        return _learnt(one, moments=Moments(None, (), OverByte(place, 1, 0), 1))

    found, exam = again.hold(rig, book, learnt, lambda _learnt, _most: _exam(90, "end"))
    assert (exam.agreed, found.moments and found.moments.over) == (90, OverByte(9, 1, 0))
    assert Notebook(tmp_path, "test").page("signs", lambda: 0) == 9


@pytest.mark.parametrize(("then", "place"), [(100, (3, 2, "left")), (60, (3, 2, "left")), (100, None)])
def test_where_all_pieces_appear_is_taken_from_the_exam_if_it_is_better_so(
    then: int, place: tuple[int, int, str] | None, one: Basis, tmp_path: Path
) -> None:
    rig, book = Rig(StrangerConsole(draw(900, "family"))), Notebook(tmp_path, "test")
    held: list[tuple[int, int, str] | None] = []

    def examine(learnt: Learnt, _most: int | None) -> Exam:
        held.append(learnt.appears)
        return replace(_exam(60 if learnt.appears is None else then, "spawn"), appeared=place)

    found, exam = again.hold(rig, book, lambda: _learnt(one), examine)
    taken = place if then > 60 else None
    assert (found.appears, exam.agreed) == (taken, then if taken else 60)
    # the files of the last exam are those that count
    assert held == ([None] if place is None else [None, place] if taken else [None, place, None])
    assert [row[0] for row in book.turned_down] == (["where pieces appear"] if taken else [])


@pytest.mark.proof
def test_what_is_above_the_field_is_learnt_from_the_exam() -> None:
    # a piece is led where it can't go, until the hidden row is known
    verdict = judge_whole(draw(520, "family"))
    assert verdict.whole, verdict.why
    assert "hidden_rows" not in verdict.rules


@pytest.mark.long
def test_slow_pieces_are_watched_for_longer_where_a_stance_fails() -> None:
    # seven of the rows, which pointers have in any order, happen to lie as a grid; the hidden row is none of those
    verdict = judge_whole(draw(622, "family"), pieces=100)
    assert verdict.whole, verdict.why


@pytest.mark.long
@pytest.mark.parametrize(
    "seed",
    [
        # each row takes 20 frames: by whole rows, bit 1 of the clock, which cells have, is set whenever a piece lands
        342,
        # while a piece stands, x of its other half looks like a copy of x
        350,
        # the falling piece is drawn into the field, and what lies above the highest row is none of its rows
        353,
    ],
)
def test_strangers_that_were_lost_once_are_learnt_whole(seed: int) -> None:
    verdict = judge_whole(draw(seed, "family"), pieces=100)
    assert verdict.whole, verdict.why


def test_a_hidden_row_is_guessed_only_where_there_are_bytes_for_it(one: Basis, tmp_path: Path) -> None:
    book, above = Notebook(tmp_path, "test"), Above(0, "solid")
    for rows, guessed in ((11, [1, 1, 0]), (10, [0])):
        view = View(6, tuple((at,) for at in range(6 * rows)), (0,) * 6 * rows)
        found = _learnt(replace(one, view=view, visible=10), above=above)
        assert [guess.hidden_rows for guess in again.guesses(book, found, "hidden rows")] == guessed


def test_each_suspect_has_its_turn(one: Basis, tmp_path: Path) -> None:
    rig, book = Rig(StrangerConsole(draw(900, "family"))), Notebook(tmp_path, "test")
    tap = replace(one.tap, on=one.tap.on + 1)
    found = _learnt(one, above=Above(1, "solid"), moments=Moments(SignByte(7, (1,), (), 0, 0), (), None, 1))
    found.tap = tap
    order: list[str] = []
    exam = _exam(90, "field", "steering")
    while (fact := again.suspect(rig, book, found, exam)) and len(order) < 9:
        order.append(fact)
        again.turn_down(rig, book, fact, found, exam)
        for guess in again.guesses(book, found, fact)[:1]:
            made = replace(found, tap=guess) if fact == "the fastest taps" else replace(found, above=guess)
            again.turn_down(rig, book, fact, made, exam)
    assert order[:4] == ["signs", "hidden rows", "the fastest taps", "signs"]
    assert again.guesses(book, found, "the fastest taps") == []


@pytest.mark.parametrize(("kept", "appears", "visible"), [(13, 12, 12), (13, 11, 13), (14, 12, 12)])
def test_where_all_rows_count_the_hidden_ones_are_above_the_piece_as_it_appears(
    one: Basis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: int, appears: int, visible: int
) -> None:
    # a rules file has no room for 14 visible rows
    monkeypatch.setattr(rules, "_size", lambda _poker: 4)
    monkeypatch.setattr(rules, "measure_rows", lambda *_: Rows(kept, kept))
    monkeypatch.setattr(rules, "ground_of", lambda *_: None)
    found = _learnt(replace(one, appears=appears))
    ground, poker = SimpleNamespace(rig=None, state=b""), Poker(None, None, None, near_below=True)  # type: ignore[arg-type]
    rules.learn_rows(Notebook(tmp_path, "test"), found, ground, poker)  # type: ignore[arg-type]
    assert (found.basis.visible, found.basis.place.rows) == (visible, kept)


@pytest.mark.long
@pytest.mark.parametrize("seed", [525, 538])
def test_a_field_is_found_where_the_heap_is_high_or_its_rows_lie_in_any_order(seed: int) -> None:
    verdict = judge_whole(draw(seed, "family"), pieces=60)
    assert verdict.whole, verdict.why


@pytest.mark.long
def test_the_score_is_found_where_a_late_copy_of_the_field_is_empty_before_a_group_vanishes() -> None:
    verdict = judge_whole(draw(614, "family"), pieces=60)
    assert verdict.whole, verdict.why
    assert verdict.rules == {}
