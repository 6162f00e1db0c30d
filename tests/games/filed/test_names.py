"""A game file is data: what it names never runs code, and never means a file of the folder that somebody is in."""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path
from typing import Any

import ochibot
import pytest
from ochibot.console import cores
from ochibot.data import data_root
from ochibot.errors import ConfigError, ConsoleError, MapError, OchibotError
from ochibot.games import find_game
from ochibot.games.choosing import find_rules
from ochibot.games.filed.title import FiledTitle, load_game_file
from ochibot.players import find_file, open_player
from ochibot.ramtools.mapping import read_map
from ochibot.record.machine import own_title
from ochibot.record.manifest import Manifest

from tests.cli.test_record import Run
from tests.games.filed import making

MARKER = "import pathlib\npathlib.Path(__file__).with_name('ran').touch()\nclass Mine:\n    pass\n"
PLAYER = (data_root() / "configs/players/article.yaml").read_text(encoding="utf-8")

CODE = [
    "os:abort",
    "mine:Mine",
    "mine.py:Mine",
    "./mine.py:Mine",
    "bots/mine.py:Mine",
    "ochibot.players:open_player",
    "mine.py",
    "mine.yaml:Mine",
]


def trap(folder: Path) -> Path:
    """Writes mine.py, in ``folder`` and below, and returns the file that it makes when it runs."""
    (folder / "bots").mkdir(parents=True)
    for place in (folder, folder / "bots"):
        (place / "mine.py").write_text(MARKER, encoding="utf-8")
    return folder / "ran"


@pytest.mark.parametrize("said", CODE)
def test_a_player_that_is_code_is_refused_before_it_runs(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = trap(tmp_path)
    monkeypatch.chdir(tmp_path)
    file = making.game(tmp_path, player=said)
    with pytest.raises(ConfigError, match=r"kumi.yaml: player: ") as error:
        ochibot.open(file)
    assert not ran.exists()
    assert not (tmp_path / "bots/ran").exists()
    assert "mine" not in sys.modules
    if ":" in said:
        typed = f"{tmp_path / said.removeprefix('./')}" if ".py:" in said else said
        assert f"leave player out, and if you trust that code, type --player {typed}" in str(error.value)


def test_no_command_runs_what_a_game_file_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = trap(tmp_path)
    monkeypatch.chdir(tmp_path)
    file = making.game(tmp_path, player="mine.py:Mine")
    for words in (("play", file), ("doctor", file), ("versus", file), ("battle", file), ("ram", "check", file)):
        assert "player: a game file runs no Python code" in Run(capsys, monkeypatch, *words).refusal
        assert not ran.exists()
    # the same class typed by the user is loaded
    assert (
        "it has no choose"
        in Run(capsys, monkeypatch, "play", making.game(tmp_path), "--player", "mine.py:Mine").refusal
    )
    assert ran.exists()


@pytest.mark.parametrize(
    "said", ["evil.so", "./evil.so", "evil.dylib", "EVIL.DLL", "evil/fceumm", "/tmp/evil.so", "../fceumm", "", "a b"]
)
def test_a_core_that_is_a_file_is_refused_before_it_is_loaded(said: str, tmp_path: Path) -> None:
    (tmp_path / "evil.so").write_bytes(b"\x7fELF")
    with pytest.raises(ConfigError, match=r"kumi.yaml: core: ") as error:
        load_game_file(making.game(tmp_path, core=said))
    if said:
        assert f"type --core {said}" in str(error.value)


def test_a_core_is_named_by_its_name(tmp_path: Path) -> None:
    for name in ("fceumm", "genesis_plus_gx", "mame2003-plus", "snes9x2005+", "81", "stranger"):
        assert load_game_file(making.game(tmp_path, core=name)).core == name


def test_a_players_file_is_found_beside_the_game_file_or_below(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "games/bots").mkdir(parents=True)
    mine = tmp_path / "games/bots/mine.yaml"
    mine.write_text(PLAYER.replace("name: article", "name: mine"), encoding="utf-8")
    # a file of the same name in the current folder isn't meant
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots/mine.yaml").write_text("nothing: 1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    making.game(tmp_path / "games", player="bots/mine.yaml", game="kumi")
    title = load_game_file(Path("games/kumi.yaml"))
    monkeypatch.chdir("/")
    assert find_file(title.default_player, title).path == mine
    assert open_player(None, title, find_rules(title)) is not None
    # a file that extends it, in another folder, means the same player
    making.write(tmp_path, "other.yaml", {"game": "other", "extends": "games/kumi.yaml"})
    assert load_game_file(tmp_path / "other.yaml").default_player == str(mine)


def test_a_players_file_elsewhere_is_not_read(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    outside = tmp_path / "outside.yaml"
    outside.write_text(PLAYER, encoding="utf-8")
    (home / "link.yaml").symlink_to(outside)
    for said in ("../outside.yaml", str(outside), "link.yaml"):
        with pytest.raises(ConfigError, match=r"player: the file isn't in the folder of this file") as error:
            load_game_file(making.game(home, player=said))
        assert "type --player" in str(error.value)
    with pytest.raises(ConfigError, match=r"player: there is no gone.yaml beside this file"):
        load_game_file(making.game(home, player="gone.yaml"))
    with pytest.raises(ConfigError, match=r"player: there is no player 'gone'"):
        load_game_file(making.game(home, player="gone"))


@pytest.mark.parametrize("entry", ["rom", "rules", "state", "extends", "modes.endless.maps", "modes.endless.state"])
def test_a_game_file_reaches_no_file_outside_its_folder(entry: str, tmp_path: Path) -> None:
    """Neither by .. nor by a whole path nor through a link: what is shared is data for its own folder."""
    home = tmp_path / "home"
    home.mkdir()
    for name in ("outside.yaml", "home/inside.yaml"):
        (tmp_path / name).write_text("nothing: 1\n", encoding="utf-8")
    (home / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    (home / "circle.yaml").symlink_to(home / "circle.yaml")

    def named(said: str) -> Path:
        if not entry.startswith("modes"):
            return making.game(home, **{entry: said})
        part = {entry.rpartition(".")[2]: said}
        return making.game(home, modes={"endless": {"maps": ["one.yaml"], **part}})

    for said in ("../outside.yaml", str(tmp_path / "outside.yaml"), "link.yaml"):
        with pytest.raises(ConfigError, match=rf"{entry}: the file isn't in the folder of this file: move it there"):
            load_game_file(named(said))
    # what lies in the folder is read, by a whole path as well; it may be no such file
    for said in ("inside.yaml", str(home / "inside.yaml"), "circle.yaml"):
        with contextlib.suppress(OchibotError):
            _loaded(named(said))


def test_a_map_extends_no_file_outside_its_folder(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "below").mkdir(parents=True)
    for folder in (tmp_path, home / "below"):
        making.write(folder, "one.yaml", making.one_player())
    (home / "link.yaml").symlink_to(tmp_path / "one.yaml")
    for said in ("../one.yaml", str(tmp_path / "one.yaml"), "link.yaml"):
        with pytest.raises(MapError, match="extends: the map isn't in the folder of this file: move it there"):
            read_map(making.write(home, "mine.yaml", {"extends": said, "name": "mine"}))
    assert read_map(making.write(home, "mine.yaml", {"extends": "below/one.yaml", "name": "mine"})).name == "mine"


def _loaded(file: Path) -> None:
    """Loads a game file and its maps."""
    title = load_game_file(file)
    for name in title.own_maps:
        title.load_map(name)


def test_names_never_mean_files_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder may hold files named like cores, players, rules or maps."""
    home, here = tmp_path / "home", tmp_path / "here"
    for folder in (home, here):
        folder.mkdir()
    for name in ("fceumm", "article", "famicom", "tsu", "gone", "puyo"):
        (here / name).write_text("nothing: 1\n", encoding="utf-8")
    (here / "famicom_puyo").mkdir()
    (here / "famicom_puyo/player1").write_text("nothing: 1\n", encoding="utf-8")
    monkeypatch.chdir(here)
    file = making.game(home)
    title = load_game_file(file)
    assert cores.find_core("nes", "fceumm").is_absolute()
    assert find_file("article", title).path == data_root() / "configs/players/article.yaml"
    assert find_rules(title, "tsu").name == "tsu"
    assert find_rules(title).name == "famicom"
    with pytest.raises(ConfigError, match="tsu is a rules profile of puyo, not of nyaa"):
        find_rules(find_game("nyaa"), "tsu")
    for changes, entry in (
        ({"rules": "gone"}, "rules: no such rules file: gone"),
        ({"modes": {"endless": {"maps": ["gone"]}}}, "modes.endless.maps: there is no map gone"),
        ({"extends": "gone"}, "extends: there is no game 'gone'"),
        ({"player": "gone"}, "player: there is no player 'gone'"),
    ):
        changed: dict[str, Any] = changes
        with pytest.raises(OchibotError) as error:
            _loaded(making.game(home, **changed))
        assert entry in str(error.value)


def test_a_file_given_by_a_relative_path_goes_on_working_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    making.game(tmp_path)
    monkeypatch.chdir(tmp_path)
    title = load_game_file(Path("kumi.yaml"))
    monkeypatch.chdir("/")
    assert title.open_rom(None).source == tmp_path / "kumi.nes"
    assert title.load_map("endless 1" if "endless 1" in title.own_maps else title.own_maps[0]).seat == 1


def test_a_sets_name_cant_lead_to_another_folder(tmp_path: Path) -> None:
    """The ROM that the core sees has the set's name: a path would be written to."""
    for name in ("../../evil", "/tmp/evil", "a/b", "..", ".", "", "a\\b"):
        sets = {name: [{"name": "a.bin", "size": 4, "crc": 1}]}
        with pytest.raises(ConfigError, match="sets"):
            load_game_file(making.game(tmp_path, sets=sets))
    assert load_game_file(making.game(tmp_path, sets={"pnyaa": [{"name": "a", "size": 4, "crc": 1}]}))


def test_a_record_keeps_no_player_and_an_older_one_that_does_is_still_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text(PLAYER, encoding="utf-8")
    record = tmp_path / "record"
    file = making.game(tmp_path, player="mine.yaml")
    assert Run(capsys, monkeypatch, "play", file, "--pieces", 2, "--seed", 0, "--record", record).code == 0
    manifest = json.loads((record / "run.json").read_text())
    assert str(tmp_path) not in (record / "run.json").read_text()
    assert "player:" not in manifest["about"]["filed"]["said"]
    manifest["about"]["filed"]["said"] += "player: os:abort\ncore: /tmp/evil.so\n"
    monkeypatch.setattr("ochibot.games._from_outside", {})
    kept = Manifest.model_validate_json(json.dumps(manifest))
    found = own_title(kept, record)
    assert found is not None
    assert isinstance(found[0], FiledTitle)
    assert found[0].core is None


@pytest.mark.parametrize("name", ["../evil", "/tmp/evil", "evil.so.so", "..", "", "a\0b"])
def test_a_records_core_is_looked_up_by_its_name_alone(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for file in ("evil.so", "fceumm", "evil"):
        (tmp_path / file).write_bytes(b"\x7fELF")
    with pytest.raises(ConsoleError, match="no core found for"):
        cores.named_core("nes", Path(name).stem)
    # on the command line a path has a slash or a library's ending
    assert cores.find_core("nes", "./fceumm") == Path("./fceumm")
    assert cores.find_core("nes", "evil.so") == Path("evil.so")
    with pytest.raises(ConsoleError, match=r"give a file: --core \./core\.so"):
        cores.find_core("nes", "evil")
