"""A family of games from a package outside ochibot: its titles are files. ochibot has no code for Kakera."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ochibot.cli import main
from ochibot.console import find_cores
from ochibot.errors import ConfigError
from ochibot.games.filed.families import family_names, find_kind

TESTS = Path(__file__).resolve().parents[1]
GAME = TESTS / "toy/kakera.yaml"
PLAYERS = TESTS / "outside/kakera/player.py"

needs_core = pytest.mark.skipif(not find_cores("fceumm"), reason="no fceumm core here (it comes with stable-retro)")


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of the entry points of a package that looks as if pip had installed it."""
    metadata = tmp_path / "site/kakera-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: kakera\nVersion: 1.0\n")
    points = metadata / "entry_points.txt"
    points.write_text("[ochibot.families]\nkakera = kakera.filed:KIND\npuyo = kakera.filed:KIND\n")
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.chdir(tmp_path)
    return points


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., dict[str, Any]]:
    """Runs a command and returns its report. code: the exit code that it must have."""

    def call(*words: object, code: int = 0) -> dict[str, Any]:
        monkeypatch.setattr("sys.argv", ["ochibot", *map(str, words), "--json", "report.json"])
        ended = main._run()
        assert ended == code, capsys.readouterr().err
        return json.loads(Path("report.json").read_text()) if ended < 2 else {"said": capsys.readouterr().err}

    return call


def test_it_is_listed_and_cannot_replace_ours() -> None:
    assert family_names() == ("puyo", "nyaa", "kakera")
    assert find_kind("kakera").family.name == "kakera"
    assert find_kind("puyo").family.name == "puyo"


@pytest.mark.parametrize(
    ("leads_to", "words"),
    [
        ("kakera.filed:NO_KIND", "is no row for the family kakera; it must be a Kind whose family has that name"),
        ("kakera.filed:NOTHING", "can't be loaded: .*; mend or uninstall that package"),
        ("kakera.nowhere:KIND", "can't be loaded: .*; mend or uninstall that package"),
    ],
)
def test_a_broken_one_is_named(installed: Path, leads_to: str, words: str) -> None:
    installed.write_text(f"[ochibot.families]\nkakera = {leads_to}\n")
    with pytest.raises(ConfigError, match=words):
        find_kind("kakera")


@needs_core
def test_its_game_file_is_played(run: Callable[..., dict[str, Any]]) -> None:
    played = run("play", GAME, "--seed", 3)
    assert (played["game"], played["player"], played["rules"]) == ("kakera_filed", "greedy stones", "kakera")
    assert played["pieces"] == played["compared"] > 15
    assert (played["agreement"], played["stopped_by"]) == (1.0, "game over")


def test_its_matches_are_played_in_an_arena(run: Callable[..., dict[str, Any]]) -> None:
    greedy, anywhere = f"{PLAYERS}:Greedy", f"{PLAYERS}:Anywhere"
    made = run("arena", greedy, anywhere, "--game", GAME, "--games", 8, "-o", "arena", "--workers", 1)
    assert [player["games"] for player in made["players"]] == [8, 8]
    # a player that looks for runs beats one that doesn't look
    assert made["pairings"][0]["score"] > 0.5
    assert "can't be shown, only those of puyo, tsu, nyaa" in run("watch", "arena", "-o", "a.gif", code=2)["said"]
    refused = run("arena", greedy, anywhere, "--game", GAME, "--level", 2, "-o", "other", code=2)
    assert "--level and --colors are of puyo and tsu" in refused["said"]
    assert (
        "matches of 'gb' can't be simulated" in run("arena", greedy, greedy, "--game", "gb", "-o", "x", code=2)["said"]
    )


@needs_core
@pytest.mark.long
def test_its_battles_agree_and_its_record_verifies(run: Callable[..., dict[str, Any]]) -> None:
    fought = run("battle", GAME, "--player2", f"{PLAYERS}:Anywhere", "--games", 4, "--seed", 5, "--max-pieces", 60)
    assert (fought["games"], fought["agreement"]) == (4, 1.0)
    assert sum(fought["nuisance_sent"]) > 0
    run("play", GAME, "--seed", 4, "--pieces", 12, "--record", "run")
    assert run("verify", "run")["same"]


RIGHT = {"field", "x", "y", "lower", "upper", "next_lower", "next_upper", "score"}
WRONG = {
    "x: {address: 0x0602": "x: {address: 0x0610",
    "y: {address: 0x0603": "y: {address: 0x0603, offset: 2",
    "upper: {address: 0x0604": "upper: {address: 0x0605",
    "lower: {address: 0x0605": "lower: {address: 0x0604",
    "next_lower: {address: 0x0607": "next_lower: {address: 0x0609",
    "score: {address: 0x0608": "score: {address: 0x0628",
    "field: {address: 0x0300": "field: {address: 0x0308",
}


@needs_core
@pytest.mark.long
def test_ram_check_confirms_a_right_map_and_mends_a_wrong_one(
    tmp_path: Path, run: Callable[..., dict[str, Any]]
) -> None:
    right = run("ram", "check", GAME, "--pieces", 20)
    assert (right["contradictions"], set(right["holds"])) == ([], RIGHT)
    assert right["exam"]["agreement"] == 1.0
    shutil.copytree(TESTS / "toy/maps", tmp_path / "maps")
    for name in ("kakera.yaml", "toy.nes"):
        shutil.copy(TESTS / "toy" / name, tmp_path)
    solo = tmp_path / "maps/solo.yaml"
    text = solo.read_text()
    for entry, other in WRONG.items():
        name, address = entry.split(": ", 1)
        begin = text.index(f"\n  {name}:")
        end = text.index("\n", begin + 1)
        text = text[:begin] + text[begin:end].replace(address, other.split(": ", 1)[1]) + text[end:]
    solo.write_text(text)
    found = run("ram", "check", tmp_path / "kakera.yaml", "-o", tmp_path / "mended.yaml", code=1)
    mended = {one["about"]: one["addresses"][-1] for one in found["contradictions"]}
    assert mended == {
        **{"field": "0x0300", "x": "0x0602", "y": "0x0603", "lower": "0x0605", "upper": "0x0604"},
        **{"next_lower": "0x0607", "score": "0x0618"},
    }
    assert found["exam"]["agreement"] == 1.0
    played = run("play", tmp_path / "kakera.yaml", "--map", tmp_path / "mended.yaml", "--pieces", 10, "--seed", 2)
    assert played["agreement"] == 1.0
