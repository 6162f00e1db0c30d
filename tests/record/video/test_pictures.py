"""Videos made from given pictures; and what ends a record's video early, and which of its frames a video shows."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from ochibot.errors import OutputError, VideoError
from ochibot.record import About, Record, Recorder
from ochibot.record.video.animation import Animation
from ochibot.record.video.make import VideoWish, make_video, write_pictures
from ochibot.record.video.story import Span, shots, span_of
from PIL import Image

from tests.record.test_model import Counter, played

needs_av = pytest.mark.skipif(importlib.util.find_spec("av") is None, reason="PyAV is missing (extra ochibot[video])")
Picture = npt.NDArray[np.uint8]


def plain(*grey: int) -> Iterator[Picture]:
    """Pictures of one grey each, 12 pixels wide and 8 high."""
    return (np.full((8, 12, 3), level, np.uint8) for level in grey)


@pytest.mark.parametrize("ending", ["gif", "png"])
def test_an_animation_of_pictures(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"x.{ending}"
    assert write_pictures(path, plain(10, 10, 90, 200), 10) == (4, path.stat().st_size)
    with Image.open(path) as image:
        shown = []
        for index in range(getattr(image, "n_frames", 1)):
            image.seek(index)
            shown.append((image.convert("RGB").getpixel((0, 0)), image.info["duration"]))
    assert shown == [((10,) * 3, 200), ((90,) * 3, 100), ((200,) * 3, 100)]


@needs_av
def test_an_mp4_of_pictures(tmp_path: Path) -> None:
    import av

    path = tmp_path / "x.mp4"
    assert write_pictures(path, plain(10, 90, 200), 25) == (3, path.stat().st_size)
    with av.open(str(path)) as container:
        assert container.streams.video[0].average_rate == 25
        found = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    assert [one.shape for one in found] == [(8, 12, 3)] * 3
    assert [abs(int(one.mean()) - level) < 6 for one, level in zip(found, (10, 90, 200), strict=True)] == [True] * 3


@pytest.mark.parametrize("ending", ["gif", pytest.param("mp4", marks=needs_av)])
def test_pictures_that_end_with_an_error_leave_no_file(tmp_path: Path, ending: str) -> None:
    def broken() -> Iterator[Picture]:
        yield from plain(10, 90)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_pictures(tmp_path / f"x.{ending}", broken(), 25)
    with pytest.raises(OutputError, match=r"can't write the video .*; make room or give another path"):
        write_pictures(tmp_path / "nothing" / f"x.{ending}", plain(10), 25)
    with pytest.raises(VideoError, match="is no video by its ending"):
        write_pictures(tmp_path / "x.avi", plain(10), 25)
    assert list(tmp_path.iterdir()) == []


def test_equal_pictures_are_kept_once_and_counted_each() -> None:
    animation = Animation(20)
    assert animation.pictures == 0
    for picture in plain(1, 1, 2, 1):
        animation.add(picture)
    assert (animation.pictures, animation._times) == (4, [2, 1, 1])


class Sounding(Counter):
    """A machine with sound: in each frame, 800 samples with the frame's number as their value.

    From frame ``size`` on, its pictures have 4 rows instead of 2.
    """

    core_name, core_version = "counter", "1"

    def __init__(self, size: int = 2) -> None:
        super().__init__()
        self.size = size
        self.keeps = False

    def keep_audio(self, keep: bool) -> None:
        self.keeps = keep

    def audio(self) -> npt.NDArray[np.int16]:
        return np.full((800 if self.keeps else 0, 2), self.frames_shown, np.int16)

    def frame(self) -> Picture:
        height = 2 if self.frames_shown < self.size else 4
        return np.full((height, 4, 3), self.frames_shown, np.uint8)


def shown(monkeypatch: pytest.MonkeyPatch, machine: Any) -> None:
    monkeypatch.setattr(Record, "console", lambda *_, **__: machine)


def test_a_picture_of_another_size_ends_a_video(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record, _ = played(tmp_path / "record", 9, 3, 5, 10)
    shown(monkeypatch, Sounding(size=6))
    with pytest.raises(VideoError, match="size changes at frame 6: make two videos, with --to 5 and --from 6"):
        make_video(record, tmp_path / "x.gif", VideoWish(speed=Fraction(1, 4)))
    assert [path.name for path in tmp_path.iterdir()] == ["record"]


def test_a_video_reports_each_frame_and_ends_when_it_is_asked_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, _ = played(tmp_path / "record", 9, 3, 5, 10)
    told: list[tuple[int, int]] = []
    shown(monkeypatch, Sounding(size=99))

    def progress(done: int, of: int) -> bool:
        told.append((done, of))
        return False

    made = make_video(record, tmp_path / "x.gif", VideoWish(first=2, last=7, fps=10), progress=progress)
    assert told == [(1, 6), (2, 6), (3, 6), (4, 6), (5, 6), (6, 6), (6, 6)]
    assert (made.frames, made.pictures, made.size, made.fps, made.seconds) == (6, 1, (4, 2), 10.0, 0.1)
    assert made.bytes == (tmp_path / "x.gif").stat().st_size
    assert made.sound_seconds is None
    shown(monkeypatch, Sounding(size=99))
    with pytest.raises(KeyboardInterrupt):
        make_video(record, tmp_path / "y.gif", VideoWish(), progress=lambda done, _: done == 3)
    assert not (tmp_path / "y.gif").exists()


@needs_av
def test_an_mp4_that_is_ended_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record, _ = played(tmp_path / "record", 9, 3, 5, 10)
    shown(monkeypatch, Sounding(size=99))
    with pytest.raises(KeyboardInterrupt):
        make_video(record, tmp_path / "x.mp4", VideoWish(), progress=lambda done, _: done == 3)
    assert [path.name for path in tmp_path.iterdir()] == ["record"]
    shown(monkeypatch, Sounding(size=99))
    made = make_video(record, tmp_path / "x.mp4", VideoWish())
    assert (made.frames, made.pictures, made.size, made.fps) == (9, 9, (12, 6), 60.0)
    assert made.sound_seconds == pytest.approx(9 / 60)


def test_a_folder_that_is_missing_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record, _ = played(tmp_path / "record", 9, 3, 5, 10)
    shown(monkeypatch, Sounding(size=99))
    with pytest.raises(OutputError, match=r"can't write the video .*x\.gif: .*; make room or give another path"):
        make_video(record, tmp_path / "nothing" / "x.gif", VideoWish())


def test_a_shot_has_its_frames_sound_and_is_black_before_the_first_picture(tmp_path: Path) -> None:
    record, _ = played(tmp_path / "record", 9, 3, 5, 10)
    for first in (1, 4):
        machine: Any = Sounding(size=99)
        found = list(shots(record, machine, Span(first, 9, Fraction(2)), sound=True))
        assert [one.frame for one in found] == list(range(first, 10))
        assert [one.times for one in found] == [(at + 1) % 2 for at in range(10 - first)]
        assert [one.picture is None for one in found] == [at % 2 == 1 for at in range(10 - first)]
        assert [set(one.sound.ravel().tolist()) for one in found] == [{frame} for frame in range(first, 10)]
    silent: Any = Sounding(size=99)
    assert not any(len(one.sound) for one in shots(record, silent, Span(1, 9, Fraction(1)), sound=False))

    class Dark(Sounding):
        frames_shown = property(lambda _: 0, lambda *_: None)

    dark: Any = Dark()
    (one,) = shots(record, dark, Span(1, 1, Fraction(1)), sound=False)
    assert one.picture is not None
    assert (one.picture == np.zeros((2, 4, 3), np.uint8)).all()


def test_a_record_without_frames_makes_no_video(tmp_path: Path) -> None:
    console: Any = Counter()
    with Recorder.begin(tmp_path / "empty", console, About(command="test")):
        pass
    with pytest.raises(VideoError, match="holds no frames to make a video of"):
        span_of(Record.open(tmp_path / "empty"), None, None, Fraction(1))


@pytest.mark.parametrize(
    ("first", "last", "span"),
    [(None, None, (1, 50)), (1, 50, (1, 50)), (50, 50, (50, 50)), (3, None, (3, 50)), (None, 3, (1, 3))],
)
def test_a_span_lies_in_its_record(first: int | None, last: int | None, span: tuple[int, int]) -> None:
    record: Any = SimpleNamespace(frames=50, path="run")
    found = span_of(record, first, last, Fraction(3))
    assert (found.first, found.last) == span
    assert found.pictures == len(range(0, span[1] - span[0] + 1, 3))
    for wrong in ((0, 3), (1, 51), (51, 51), (-1, -1)):
        with pytest.raises(VideoError, match="holds the frames 1 to 50"):
            span_of(record, *wrong, Fraction(1))
    with pytest.raises(VideoError, match="--from 4 comes after --to 3"):
        span_of(record, 4, 3, Fraction(1))
