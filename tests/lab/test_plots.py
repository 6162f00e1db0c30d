"""``ochibot plot``: the fit of a known Gaussian, the pictures and their numbers, clear errors for bad folders."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ochibot.cli import main
from ochibot.errors import ConfigError
from ochibot.lab.plots.found import find
from ochibot.lab.plots.panels import fitted
from PIL import Image

GAUSSIAN = [round(50e6 * 0.109 * math.exp(-0.5 * ((n - 10) / 3.65) ** 2)) for n in range(85)]


def selfplay(heights: bool = True) -> dict[str, Any]:
    pieces = sum(GAUSSIAN)
    chains = [pieces - 1_111, 1_000, 100, 10, 1, *[0] * 15]
    summary = {"pieces": pieces, "histogram": GAUSSIAN, "field_clears": 3_300, "chains": chains, "most": 34, "mode": 10}
    columns = [[pieces // 2, pieces - pieces // 2, *[0] * 13]] * 6
    return {**summary, "games_ended": 0, **({"heights": columns} if heights else {})}


def tail() -> dict[str, Any]:
    rows = [[10.0 ** -(n / 3), 10.0 ** -(n / 3 + 0.1), 10.0 ** -(n / 3 - 0.1) if n else 1.0, 1.0] for n in range(85)]
    return {"replicas": 7, "pieces": 7_000_000, "frequencies": rows, "game_over": [1e-21, 1e-22, 1e-20, 0.4]}


def arena() -> dict[str, Any]:
    return {"players": [{"name": "a", "elo": 12.5, "low": 1.0, "high": 24.0, "games": 100}]}


LOG = [
    {"generation": n, "evaluations": 10 * n, "best": 0.6, "mean": 0.5, "weights": {"edge": 0.2, "linked": 0.8}}
    for n in range(3)
]


def folder(path: Path, summary: Any = None, log: list[dict[str, Any]] | None = None) -> Path:
    path.mkdir()
    if summary is not None:
        (path / "summary.json").write_text(json.dumps(summary))
    if log is not None:
        (path / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in log))
    return path


def run(monkeypatch: pytest.MonkeyPatch, *words: str | Path) -> int:
    monkeypatch.setattr("sys.argv", ["ochibot", "plot", *map(str, words)])
    return main._run()


def test_the_fit_finds_a_gaussian_and_the_article_s_odds() -> None:
    """The histogram follows the article's curve, by which 42 puyos have the probability 10^-17, and 84 have 10^-89."""
    fit = fitted(GAUSSIAN)
    assert (fit.mean, fit.sigma, fit.height) == pytest.approx((10, 3.65, GAUSSIAN[10] / sum(GAUSSIAN)), rel=1e-4)
    assert -fit.exponent(42) == pytest.approx(17, abs=1)
    assert -fit.exponent(84) == pytest.approx(89, abs=2)
    assert fit.exponent(42) == pytest.approx(math.log10(fit.at(42)))


def test_one_number_is_no_curve() -> None:
    with pytest.raises(ConfigError, match="play more"):
        fitted([0] * 10 + [5] + [0] * 74)


@pytest.mark.long
@pytest.mark.parametrize("ending", ["png", pytest.param("svg", marks=pytest.mark.long)])
def test_everything_is_drawn(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = [
        folder(tmp_path / "s", selfplay()),
        folder(tmp_path / "t", tail()),
        folder(tmp_path / "a", arena()),
        folder(tmp_path / "l", None, LOG),
    ]
    picture, again = tmp_path / f"one.{ending}", tmp_path / f"two.{ending}"
    assert run(monkeypatch, *folders, "-o", picture) == 0
    assert "curve, chains, heights, training, weights, ratings" in capsys.readouterr().out
    assert run(monkeypatch, *folders, "-o", again) == 0
    assert picture.read_bytes() == again.read_bytes()
    if ending == "png":
        with Image.open(picture) as image:
            assert image.width > 1_000
            # most pixels are white, some are dark
            pixels = np.asarray(image.convert("L"))
            assert (pixels > 250).mean() > 0.6
            assert (pixels < 100).mean() > 0.001
    else:
        assert picture.read_text().startswith("<?xml")


def test_the_numbers_are_those_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = folder(tmp_path / "s", selfplay()), folder(tmp_path / "t", tail())
    assert run(monkeypatch, *folders, "--what", "curve", "--json", "-") == 0
    numbers = json.loads(capsys.readouterr().out)
    curve = numbers["curve"]
    assert sum(curve["probabilities"]) == pytest.approx(1)
    assert curve["fit"]["sigma"] == pytest.approx(3.65, rel=1e-4)
    assert curve["article"]["log10_at"] == {"42": -17, "84": -89}
    assert numbers["tail"]["frequencies"][42][0] == pytest.approx(1e-14)
    assert "chains" not in numbers
    assert run(monkeypatch, *folders, "--what", "tail", "--json", "-") == 0
    assert list(json.loads(capsys.readouterr().out)) == ["tail"]


def test_names_are_shown_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once, a name with dollars was read as a formula: exit code 70. A control character gave a warning."""
    names = [r"$\frac{x$", "\x1b[2Jgone", "名", "$5"]
    players = [{"name": name, "elo": 1, "low": 0, "high": 2, "games": 4} for name in names]
    log = [{"generation": 1, "best": 1, "mean": 1, "weights": dict.fromkeys(names, 1)}]
    for number, path in enumerate((folder(tmp_path / "a", {"players": players}), folder(tmp_path / "t", log=log))):
        assert run(monkeypatch, path, "-o", tmp_path / f"{number}.png") == 0
        assert capsys.readouterr().err == ""
    many = [{**players[0], "elo": 1e300}]
    assert run(monkeypatch, folder(tmp_path / "far", {"players": many}), "-o", tmp_path / "far.png") == 2
    assert "is damaged: players.0.elo" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("summary", "words", "told"),
    [
        (None, [], "has neither summary.json nor log.jsonl"),
        ([], [], "is no summary of an experiment"),
        ({"wins": 3}, [], "is no summary of selfplay, tail, arena or chance"),
        ({**selfplay(), "histogram": [1, 2]}, [], "is damaged: histogram"),
        ({**selfplay(), "pieces": 0}, [], "is damaged: pieces"),
        ({**tail(), "frequencies": [[2, 0, 1, 1]] * 85}, [], "is damaged: frequencies.0.0"),
        ({**selfplay(), "heights": [[1, 2], [1]]}, [], "is damaged: heights"),
        (selfplay(heights=False), ["--what", "heights"], "nothing for --what heights"),
        (selfplay(), ["--what", "tail"], "nothing for --what tail"),
        (selfplay(), ["-o", "curve.bmp"], "ends in .svg or .png"),
    ],
)
def test_bad_input_is_reported_in_one_line(
    summary: Any,
    words: list[str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    path = folder(tmp_path / "x", summary)
    assert run(monkeypatch, path, *(words if "-o" in words else ["-o", "one.png", *words])) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
    assert not list(tmp_path.glob("*.png"))


def test_damaged_lines_are_named_and_an_unfinished_one_is_left_out(tmp_path: Path) -> None:
    path = folder(tmp_path / "l", None, LOG)
    with (path / "log.jsonl").open("a") as file:
        file.write('{"generation": 3, "be')
    assert len(find([path]).training) == 3
    (path / "log.jsonl").write_text(json.dumps(LOG[0]) + '\n{"generation": 1}\n')
    with pytest.raises(ConfigError, match="damaged in line 2"):
        find([path])


def test_there_must_be_something_to_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, folder(tmp_path / "s", selfplay())) == 2
    assert "-o curve.svg" in capsys.readouterr().err


@pytest.mark.filterwarnings("error")
def test_a_curve_whose_errors_cannot_be_estimated_is_drawn_without_a_warning() -> None:
    assert fitted([1, 1, 1, 1]).sigma > 0
