"""Which frames a video shows, and what is drawn on them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.console import HostedConsole
from ochibot.errors import VideoError
from ochibot.overlay.layout import PANEL
from ochibot.puyo import Field, Orientation, Pair, Placement, place
from ochibot.record import Decided, Record
from ochibot.record.video.make import Overlay, VideoWish, _check
from ochibot.record.video.story import Span, shots, span_of, stories

from tests.puyo import FAMICOM
from tests.record.movies.runs import done

FIELD_LEFT, FIELD_TOP, CELL = 8, 8, 16
"""The left top pixel of the field's first visible row in fceumm's cropped picture, and the size of a cell in pixels."""


class Still:
    """A stand-in for both a record and its console, for a test that only counts frames."""

    fps, sample_rate, frames_shown = 60.0, 48_000.0, 1

    def replay(self, _: object, first: int, last: int) -> list[int]:
        return list(range(first, last + 1))

    def audio(self) -> npt.NDArray[np.int16]:
        return np.zeros((800, 2), np.int16)

    def keep_audio(self, _: bool) -> None:
        pass

    def frame(self) -> npt.NDArray[np.uint8]:
        return np.zeros((1, 1, 3), np.uint8)


@given(st.integers(1, 50), st.integers(1, 200), st.fractions(Fraction(1, 10), Fraction(100), max_denominator=50))
def test_picture_n_is_of_frame_n_times_the_ratio(first: int, count: int, ratio: Fraction) -> None:
    span = Span(first, first + count - 1, ratio)
    still = Still()
    shown = [shot.frame for shot in shots(still, still, span, sound=False) for _ in range(shot.times)]  # type: ignore[arg-type]
    expected, n = [], 0
    while int(n * ratio) < count:
        expected.append(first + int(n * ratio))
        n += 1
    assert shown == expected
    assert span.pictures == len(expected)


def test_spans_outside_the_record_are_refused(run: Record) -> None:
    assert (span_of(run, None, None, Fraction(1)).first, span_of(run, None, None, Fraction(1)).last) == (1, run.frames)
    for first, last, told in ((9, 8, "--from 9 comes after --to 8"), (0, 3, "choose"), (1, run.frames + 1, "choose")):
        with pytest.raises(VideoError, match=told):
            span_of(run, first, last, Fraction(1))


def test_a_shot_has_the_sound_of_its_frame(run: Record) -> None:
    """The sound is also right when the replay starts from a savestate in the middle of the record."""

    def heard(first: int) -> npt.NDArray[np.int16]:
        with run.console() as console:
            span = Span(first, run.frames, Fraction(1))
            return np.concatenate([shot.sound for shot in shots(run, console, span, sound=True)])

    whole, late = heard(1), heard(run.frames - 20)
    assert abs(len(whole) / run.frames - 533.25) < 0.1
    assert whole.any()
    assert len(late) == pytest.approx(21 * 533.25, abs=2)
    # savestates don't hold the phase of the core's resampler, so the two sounds are shifted by a part of a sample
    size = len(late) - 80
    apart = {
        lag: float(np.abs(whole[len(whole) - size - 40 + lag :][:size].astype(int) - late[-size - 40 : -40]).mean())
        for lag in range(-40, 41)
    }
    assert min(apart, key=lambda lag: apart[lag]) in (-1, 0, 1)


def cell(picture: npt.NDArray[np.uint8], x: int, y: int) -> npt.NDArray[np.uint8]:
    """The pixels of a cell of the field. x counts from 1, and y is 1 in the first visible row."""
    top, left = FIELD_TOP + CELL * (y - 1), FIELD_LEFT + CELL * (x - 1)
    return picture[top : top + CELL, left : left + CELL]


def expected_cells(decided: Decided) -> set[tuple[int, int]]:
    """The cells in which a pair comes to rest: those that ``place`` fills. The pair must set off no chain."""
    before = Field.parse(decided.field.replace("/", "\n"))
    where = Placement(decided.x, decided.y, Orientation(decided.orientation))
    after = place(before, Pair.parse(decided.pair), where, FAMICOM)
    assert after.chain == 0
    return {(int(x) + 1, int(y)) for y, x in zip(*(after.field.cells != before.cells).nonzero(), strict=True)}


def drawn_on(console: HostedConsole, run: Record, decided: Decided) -> dict[int, set[tuple[int, int]]]:
    """For each frame from the decision to the last before the lock: the field's cells that the overlay changes."""
    (locked,) = (lock for lock in run.locks() if lock.piece == decided.piece)
    overlay = Overlay(stories(run, console.ram), 1, ghosts=True)
    changed = {}
    for shot in shots(run, console, Span(decided.frame, locked.frame - 1, Fraction(1)), sound=False):
        assert shot.picture is not None
        plain = shot.picture.copy()
        drawn = overlay.draw(shot.frame, shot.picture)
        assert drawn.shape == (224, PANEL + 240, 3)
        game = drawn[:, PANEL:]
        cells = {(x, y) for x in range(1, 7) for y in range(1, 14) if (cell(game, x, y) != cell(plain, x, y)).any()}
        changed[shot.frame] = cells
    return changed


def test_the_ghost_is_where_the_pair_will_rest_until_it_locks(run: Record) -> None:
    decided = next(event for event in run.decisions() if event.piece == 1)
    with run.console() as console:
        changed = drawn_on(console, run, decided)
    frames = sorted(changed)
    shown = [frame for frame in frames if changed[frame]]
    assert shown, "the ghost was never seen"
    assert all(changed[frame] == expected_cells(decided) for frame in shown)
    # the ghost is shown without a break from the decision until the pair has locked
    assert shown == list(range(decided.frame, shown[-1] + 1))
    assert shown[-1] < frames[-1]


def test_the_panel_changes_with_the_plan(run: Record) -> None:
    first, second = list(run.decisions())[:2]
    with run.console() as console:
        overlay = Overlay(stories(run, console.ram), 2, ghosts=False)
        panels = {
            shot.frame: overlay.draw(shot.frame, shot.picture)[:, : 2 * PANEL]
            for shot in shots(run, console, Span(first.frame - 9, second.frame, Fraction(1)), sound=False)
            if shot.picture is not None
        }
    before, thinking, next_one = panels[first.frame - 9], panels[first.frame], panels[second.frame]
    assert (before != thinking).any()
    assert (thinking != next_one).any()
    assert (panels[first.frame + 1] == thinking).all()


def test_a_battles_panels_change_sides_with_the_players(tmp_path: Path) -> None:
    """In the second game, the players have swapped sides, and the counts start from 0 again."""
    settings = ("--games", 2, "--seed", 0, "--speed1", 10, "--speed2", 9, "--max-pieces", 2)
    done("battle", *settings, "--record", tmp_path / "record")
    battle = Record.open(tmp_path / "record")
    second = battle.jumps()[1].frame
    with battle.console() as console:
        told = stories(battle, console.ram)
        before, after = ([story.at(frame).standing for story in told] for frame in (second, battle.frames))
    assert [standing.title for standing in before] == [("article", "speed 10"), ("article", "speed 9")]
    assert [standing.title for standing in after] == [("article", "speed 9"), ("article", "speed 10")]
    assert all(standing.pieces is not None and standing.pieces <= 4 for standing in after)


def test_records_without_plans_are_refused(run: Record) -> None:
    bare = run.manifest.model_copy(update={"about": run.manifest.about.model_copy(update={"game": "", "players": ()})})
    other = Record.open(run.path)
    other.manifest = bare
    with run.console() as console, pytest.raises(VideoError, match="no plans to show"):
        stories(other, console.ram)


def test_a_video_is_of_the_whole_record_at_its_own_speed_unless_asked_otherwise() -> None:
    wish = VideoWish()
    assert (float(wish.speed), wish.overlay) == (1.0, False)
    assert {wish.first, wish.last, wish.scale, wish.fps} == {None}


@pytest.mark.parametrize(
    ("wish", "kind", "told"),
    [
        (VideoWish(speed=Fraction(99, 1000)), ".gif", "--tempo goes from 0.1 to 100"),
        (VideoWish(speed=Fraction(1001, 10)), ".gif", "--tempo goes from 0.1 to 100"),
        (VideoWish(scale=0), ".gif", "--scale goes from 1 to 12"),
        (VideoWish(scale=13), ".mp4", "--scale goes from 1 to 12"),
        (VideoWish(fps=20), ".mp4", "--fps is for .gif and .png only"),
        (VideoWish(fps=30), ".gif", "--fps is one of 50, 25, 20, 10"),
        (VideoWish(speed=Fraction(1, 10), scale=12, fps=50), ".png", None),
        (VideoWish(speed=Fraction(100), scale=1, fps=10), ".gif", None),
        (VideoWish(scale=12), ".mp4", None),
    ],
)
def test_options_of_a_video_have_limits(wish: VideoWish, kind: str, told: str | None) -> None:
    if told is None:
        _check(wish, kind)
    else:
        with pytest.raises(VideoError, match=told):
            _check(wish, kind)
