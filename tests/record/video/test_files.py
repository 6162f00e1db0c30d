"""Video files are decoded by the libraries' own readers and compared with the core's pictures and sound."""

from __future__ import annotations

import importlib.util
import itertools
import re
import resource
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from ochibot.errors import VideoError
from ochibot.overlay.layout import PANEL
from ochibot.record import Record
from ochibot.record.video import check_kind
from ochibot.record.video.animation import Animation
from ochibot.record.video.make import MadeVideo, VideoWish, make_video
from PIL import Image

from tests.record.movies.runs import done, refused

needs_av = pytest.mark.skipif(importlib.util.find_spec("av") is None, reason="PyAV is missing (extra ochibot[video])")


def plain(run: Record, first: int, last: int) -> tuple[dict[int, npt.NDArray[np.uint8]], npt.NDArray[np.float64]]:
    """The core's picture of each frame from ``first`` to ``last``, by frame; and how loud each of these frames is."""
    pictures, loud = {}, []
    with run.console() as console:
        console.keep_audio(True)
        for frame in run.replay(console, 1, last):
            sound = console.audio().astype(float)
            if frame >= first:
                pictures[frame] = console.frame()
                loud.append(float(np.abs(sound).mean()))
    return pictures, np.array(loud)


def decoded(path: Path) -> tuple[list[npt.NDArray[np.uint8]], npt.NDArray[np.float32], Any]:
    """The pictures of a video, its sound (one channel), and its pictures per second."""
    import av

    pictures: list[Any] = []
    sound: list[Any] = []
    with av.open(str(path)) as container:
        rate = container.streams.video[0].average_rate
        for frame in container.decode(video=0):
            pictures.append(frame.to_ndarray(format="rgb24"))
    with av.open(str(path)) as container:
        for part in container.decode(audio=0):
            assert part.sample_rate == 48_000
            sound.append(part.to_ndarray()[0])
    return pictures, np.concatenate(sound), rate


FIRST, LAST = 1380, 1580
"""The first and last of some frames in which the bot plays, so that they have sound."""


@pytest.mark.long
@needs_av
def test_an_mp4_shows_and_sounds_like_the_core(tmp_path: Path, run: Record) -> None:
    told = done("video", run.path, "-o", tmp_path / "x.mp4", "--from", FIRST, "--to", LAST, "--scale", 2)
    pictures, sound, rate = decoded(tmp_path / "x.mp4")
    expected, loud = plain(run, FIRST, LAST)
    count = LAST - FIRST + 1
    assert len(pictures) == told["pictures"] == count
    assert float(rate) == pytest.approx(run.manifest.fps, rel=1e-4)
    assert pictures[0].shape == (448, 480, 3)
    for index in range(0, count, 40):
        want = expected[FIRST + index].repeat(2, 0).repeat(2, 1).astype(int)
        # the codec changes pixels a little
        assert np.abs(pictures[index] - want).mean() < 6, index
    # the sound is as long as the pictures, within a frame (its last block of 1,024 samples may be filled up)
    assert abs(len(sound) / 48_000 - count / run.manifest.fps) < 1 / 60 + 1024 / 48_000
    assert abs(float(str(told["sound_seconds"])) - float(str(told["seconds"]))) < 1 / 60
    assert loud.any()
    assert in_step(sound, loud, run.manifest.fps) == 0


def in_step(sound: npt.NDArray[np.float32], loud: npt.NDArray[np.float64], fps: float) -> int:
    """By how many frames the sound must be moved to fit the core's loudness best."""
    edges = np.round(np.arange(len(loud) + 1) * 48_000 / fps).astype(int)
    padded = np.concatenate([sound, np.zeros(max(edges[-1] - len(sound), 0), np.float32)])
    ours = np.array([np.abs(padded[a:b]).mean() for a, b in itertools.pairwise(edges)])
    # changes of loudness show a shift better than the loudness itself
    theirs, ours = np.diff(loud), np.diff(ours)
    fits = {lag: float(np.dot(np.roll(ours, -lag)[5:-5], theirs[5:-5])) for lag in range(-5, 6)}
    return max(fits, key=lambda lag: fits[lag])


@needs_av
@pytest.mark.parametrize("speed", [Fraction(2), Fraction(1, 2)])
def test_speed_changes_the_length_of_both(tmp_path: Path, run: Record, speed: Fraction) -> None:
    made = make_video(run, tmp_path / "x.mp4", VideoWish(speed=speed, first=1400, last=1499, scale=1))
    pictures, sound, _ = decoded(tmp_path / "x.mp4")
    assert len(pictures) == made.pictures == 100 / speed
    assert made.sound_seconds == pytest.approx(made.seconds, abs=1 / 60)
    assert len(sound) / 48_000 == pytest.approx(made.seconds, abs=1 / 60 + 1024 / 48_000)


@needs_av
@pytest.mark.parametrize(("width", "height"), [(33, 17), (32, 17), (33, 16), (34, 20)])
def test_odd_sizes_are_filled_up(tmp_path: Path, width: int, height: int) -> None:
    """H.264 stores colours for blocks of 2 x 2 pixels, so width and height are made even."""
    from ochibot.record.video.mp4 import Mp4
    from ochibot.record.video.story import Shot

    writer = Mp4(tmp_path / "x.mp4", (width, height), Fraction(60), Fraction(1), 60.0)
    for frame in range(3):
        picture = np.full((height, width, 3), 200, np.uint8)
        writer.add(Shot(frame, 1, picture, np.zeros((0, 2), np.int16)), picture)
    writer.close()
    pictures, sound, _ = decoded(tmp_path / "x.mp4")
    assert [picture.shape for picture in pictures] == [(height + height % 2, width + width % 2, 3)] * 3
    # a core without sound gives a silent track, not an unfinished file
    assert not sound.any()


@pytest.mark.parametrize("kind", ["gif", "png"])
def test_an_animation_shows_exactly_the_core(tmp_path: Path, run: Record, kind: str) -> None:
    path = tmp_path / f"x.{kind}"
    made = make_video(run, path, VideoWish(first=FIRST, last=LAST, fps=25, scale=2))
    expected, _ = plain(run, FIRST, LAST)
    assert made.pictures == -(-(LAST - FIRST + 1) * 25 // Fraction(run.manifest.fps).limit_denominator(10_000))
    when = shown = 0
    with Image.open(path) as image:
        assert image.size == (480, 448)
        for index in range(getattr(image, "n_frames", 1)):
            image.seek(index)
            frame = FIRST + int(Fraction(when, 1000) * Fraction(run.manifest.fps).limit_denominator(10_000))
            want = expected[frame].repeat(2, 0).repeat(2, 1)
            assert np.array_equal(np.asarray(image.convert("RGB")), want), (index, frame)
            when += int(image.info["duration"])
            shown += 1
    assert shown > 20
    assert when == made.pictures * 40


def test_too_many_colours_leave_the_common_ones_exact(tmp_path: Path) -> None:
    """Yellow once became grey, because the colours of earlier letters' edges had filled the palette."""
    first = np.zeros((40, 40, 3), np.uint8)
    first[..., 0] = np.arange(1600).reshape(40, 40) % 251
    first[..., 1] = np.arange(1600).reshape(40, 40) // 7
    second = np.full((40, 40, 3), (245, 190, 60), np.uint8)
    animation = Animation(20)
    animation.add(first)
    animation.add(second)
    animation.save(tmp_path / "x.gif", ".gif")
    with Image.open(tmp_path / "x.gif") as image:
        image.seek(1)
        assert (np.asarray(image.convert("RGB")) == second).all()


def test_with_overlay(tmp_path: Path, run: Record) -> None:
    made: MadeVideo = make_video(run, tmp_path / "x.png", VideoWish(overlay=True, first=FIRST, last=FIRST + 30))
    assert made.size == (240 + PANEL, 224)


def test_commands_refuse_by_name(tmp_path: Path, run: Record) -> None:
    out = tmp_path / "x.gif"
    assert "is not a record" in refused("video", tmp_path, "-o", out)
    assert "x.avi is no video" in refused("video", run.path, "-o", tmp_path / "x.avi")
    assert "--from 9 comes after --to 8" in refused("video", run.path, "-o", out, "--from", 9, "--to", 8)
    assert "holds the frames 1 to" in refused("video", run.path, "-o", out, "--to", 99_999)
    assert "'--tempo'" in refused("video", run.path, "-o", out, "--tempo", 0)
    assert "--tempo" in refused("video", run.path, "-o", out, "--tempo", "nan")
    assert "'--scale'" in refused("video", run.path, "-o", out, "--scale", 0)
    assert "'--fps'" in refused("video", run.path, "-o", out, "--fps", 60)
    assert "--fps is one of" in refused("video", run.path, "-o", out, "--fps", 30)
    assert list(tmp_path.iterdir()) == []


@needs_av
def test_an_mp4_takes_no_fps(tmp_path: Path, run: Record) -> None:
    assert "--fps is for .gif and .png only" in refused("video", run.path, "-o", tmp_path / "x.mp4", "--fps", 20)
    assert list(tmp_path.iterdir()) == []


def test_without_pyav_an_mp4_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(VideoError, match=r'pip install "ochibot\[video\]"'):
        check_kind(Path("x.mp4"))
    assert check_kind(Path("x.GIF")) == ".gif"


@pytest.mark.parametrize("kind", ["gif", pytest.param("mp4", marks=needs_av)])
def test_a_full_disk_leaves_no_half_file(tmp_path: Path, run: Record, kind: str) -> None:
    """A limit on the file size simulates the full disk: the same write fails, only with another error number."""
    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            "ochibot",
            "video",
            str(run.path),
            "-o",
            str(tmp_path / f"x.{kind}"),
            "--from",
            str(FIRST),
        ],
        capture_output=True,
        text=True,
        timeout=600,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )
    assert ran.returncode == 2, (ran.stdout, ran.stderr)
    # the ROM, which is copied for the core, may be the first file that doesn't fit
    assert re.search(f"can't (write the video {tmp_path}/x.{kind}|copy the ROM)", ran.stderr.splitlines()[-1])
    assert "Traceback" not in ran.stderr
    assert list(tmp_path.iterdir()) == []
