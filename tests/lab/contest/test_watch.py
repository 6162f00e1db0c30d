"""``ochibot watch``: replays end as the games did, their scenes are valid, and the window and videos work."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from ochibot.errors import ConfigError
from ochibot.lab.contest.arena import Arena, play_pair
from ochibot.lab.contest.contestant import contestant, with_distinct_names
from ochibot.lab.contest.replay import AFTER, ArenaReplay, KeptArena
from ochibot.lab.contest.table import GAMES, GameRecord, NyaaTable, PuyoTable, table_of
from ochibot.lab.sharded.folder import ExperimentFolder
from ochibot.overlay.duel import NEEDLE, NUISANCE, DuelPicture
from PIL import Image

from tests.commands import ochibot


def arena_of(game: str, pieces: int | None = None) -> Arena:
    table = table_of(game, max_pieces=pieces)
    name = "nyaa" if game == "nyaa" else "article"
    return Arena(table, with_distinct_names([contestant(name, game, table.rules)] * 2), 2, 5)


@pytest.fixture(scope="module", params=GAMES)
def played(request: pytest.FixtureRequest) -> tuple[Arena, list[GameRecord]]:
    """An arena, and the records of both games of its first deal."""
    arena = arena_of(request.param)
    following = arena.take()
    assert following is not None
    return arena, play_pair(following[1])["games"]


def table_at(arena: Arena) -> PuyoTable | NyaaTable:
    assert isinstance(arena.table, PuyoTable | NyaaTable)
    return arena.table


def replay_of(played: tuple[Arena, list[GameRecord]], game: int = 0) -> ArenaReplay:
    return ArenaReplay(table_at(played[0]), ("a", "b"), played[1][game])


@pytest.mark.long
def test_replays_end_as_the_games_did(played: tuple[Arena, list[GameRecord]]) -> None:
    """``ArenaReplay`` would raise if a replay ended otherwise. Its last scenes agree with the game's record."""
    for number, game in enumerate(played[1]):
        replay = replay_of(played, number)
        ends = replay.scenes(replay.frames - 1)
        assert [scene.standing.score for scene in ends] == game["scores"]
        assert [scene.standing.pieces for scene in ends] == game["pieces"]
        assert [scene.standing.best for scene in ends] == game["best"]
        calls = [scene.standing.call for scene in ends]
        if game["loser"]:
            assert calls[game["loser"] - 1] == "lost"
            assert calls[2 - game["loser"]] == "won"
        assert replay.frames == game["frames"] + AFTER


def test_every_scene_is_a_field_with_a_pair_or_a_clear(played: tuple[Arena, list[GameRecord]]) -> None:
    replay = replay_of(played)
    rows, columns = replay.size
    pairs = clears = 0
    for frame in range(0, replay.frames, 7):
        for scene in replay.scenes(frame):
            assert len(scene.rows) == rows
            assert {len(row) for row in scene.rows} == {columns}
            assert len(scene.falling) in (0, 2)
            pairs += len(scene.falling) == 2
            for row, column, code in scene.falling:
                assert -2 <= row < rows
                assert 0 <= column < columns
                assert 1 <= code < NUISANCE or NEEDLE < code <= NEEDLE + 4
            if scene.clearing:
                clears += 1
                assert scene.standing.call
                assert all(scene.rows[row][column] for row, column in scene.clearing if row >= 0)
    assert pairs > 100
    assert clears > 5


def test_another_deal_or_damaged_locks_are_reported(played: tuple[Arena, list[GameRecord]]) -> None:
    table, game = table_at(played[0]), played[1][0]
    changes: list[dict[str, Any]] = [
        {"deal": game["deal"] ^ 1},
        {"moves": [game["moves"][0][:-1], game["moves"][1]]},
        {"loser": 3 - game["loser"]},
    ]
    for change in changes:
        with pytest.raises(ConfigError, match=r"replay"):
            ArenaReplay(table, ("a", "b"), {**game, **change})  # type: ignore[typeddict-item]


def test_pictures_differ_where_the_scenes_do(played: tuple[Arena, list[GameRecord]]) -> None:
    replay = replay_of(played)
    drawing = DuelPicture(*replay.size)
    first, later = (drawing.draw(replay.scenes(frame), frame) for frame in (0, 600))
    assert first.shape == later.shape == (drawing.size[1], drawing.size[0], 3)
    assert (first != later).any()
    assert (drawing.draw(replay.scenes(600), 600) == later).all()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    arena, path = arena_of("puyo", 8), tmp_path_factory.mktemp("arena") / "run"
    with ExperimentFolder(path, arena.identity()) as kept:
        while (following := arena.take()) is not None:
            number, task = following
            result = play_pair(task)
            kept.add(number, result)
            arena.done(number, result)
        kept.finish(arena.summary())
    return path


def watch(*words: object, **env: str) -> subprocess.CompletedProcess[str]:
    return ochibot("watch", *words, env={**os.environ, **env})


def test_a_gif_and_a_report(folder: Path, tmp_path: Path) -> None:
    done = watch(folder, 2, "-o", tmp_path / "game.gif", "--to", 120, "--json", "-")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["players"] == ["article (2)", "article"]
    assert report["pieces"] == [8, 8]
    with Image.open(tmp_path / "game.gif") as image:
        assert getattr(image, "n_frames", 1) > 10
        assert image.size[1] == DuelPicture(13, 6).size[1]
    assert report["pictures"] == 40


def test_an_mp4(folder: Path, tmp_path: Path) -> None:
    av: Any = pytest.importorskip("av", reason="needs PyAV: pip install 'ochibot[video]'")
    done = watch(folder, "-o", tmp_path / "game.mp4", "--to", 90, "--scale", 1)
    assert done.returncode == 0, done.stderr
    with av.open(str(tmp_path / "game.mp4")) as video:
        assert sum(1 for _ in video.decode(video=0)) == 90


def test_the_window_plays_to_the_end(folder: Path) -> None:
    pytest.importorskip("pygame", reason="needs pygame-ce: pip install 'ochibot[window]'")
    done = watch(folder, 1, "--tempo", 100, SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy")
    assert done.returncode == 0, done.stderr
    assert "article against article (2), a draw after 8 pieces" in done.stdout


@pytest.mark.long
def test_bad_input(folder: Path, tmp_path: Path) -> None:
    for words, told in (
        ((tmp_path / "nothing",), "holds no arena"),
        ((folder, 99), "has no game 99"),
        ((folder, 1, "-o", tmp_path / "game.txt"), "no video by its ending"),
        ((folder, 1, "--from", 100_000), "choose --from and --to"),
    ):
        done = watch(*words, SDL_VIDEODRIVER="dummy")
        assert done.returncode == 2
        (line,) = done.stderr.strip().splitlines()
        assert told in line
    other = tmp_path / "other"
    other.mkdir()
    (other / "experiment.json").write_text('{"experiment": "selfplay"}')
    with pytest.raises(ConfigError, match="holds no arena"):
        KeptArena(other)
    (other / "experiment.json").write_text(
        '{"experiment": "arena", "players": [{"name": "x"}], "table": {"game": "puyo"}}'
    )
    with pytest.raises(ConfigError, match="is damaged"):
        KeptArena(other)
