"""What a game file may contain, and how errors in it are reported: the file, the entry, the reason, what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from ochibot.console import Button
from ochibot.data import data_root
from ochibot.errors import ConfigError, MapError, OchibotError
from ochibot.falling.orientation import Orientation
from ochibot.games import find_game
from ochibot.games.choosing import find_rules
from ochibot.games.filed.title import FiledTitle, load_game_file
from ochibot.games.route import Route
from ochibot.puyo.rules.pair import Action, PairState

from tests.cli.test_record import Run
from tests.games.filed import making

ENDLESS = {"endless": {"maps": ["one.yaml"]}}

BAD: list[tuple[dict[str, Any], str]] = [
    ({"game": None}, "game: is missing"),
    ({"game": "ku mi"}, "game: give a name of letters, digits, _ and -, such as kumi, not 'ku mi'"),
    ({"game": "puyo"}, "the name 'puyo' is taken by a game of ours; give yours another"),
    ({"system": "saturn"}, "system: there is no system 'saturn'; known are nes, "),
    ({"family": "tetris"}, "family: there is no family 'tetris'; known are puyo, nyaa"),
    ({"rules": None}, "rules: is missing"),
    ({"modes": {}}, "modes: give at least one"),
    ({"modes": {"endless": {"maps": [1]}}}, "modes.endless.maps: give a list of map files"),
    (
        {"modes": {"endless": {"maps": ["a", "b", "c"]}}},
        "modes.endless.maps: give one map, or two for two seats, not 3",
    ),
    ({"modes": {"endless": {"value": 0}}}, "modes: none has maps"),
    ({"modes": {"end less": {"maps": ["one.yaml"]}}}, "modes: give a name of letters, digits, _ and -, not 'end less'"),
    ({"modes": {"endless": {"value": "one", "maps": ["one.yaml"]}}}, "modes.endless.value: input should be"),
    ({"modes": {"endless": {"map": "one.yaml"}}}, "modes.endless"),
    ({"modes": ENDLESS, "solo": "story"}, "solo: there is no mode 'story'; modes has endless"),
    ({"modes": ENDLESS, "versus": "endless"}, "modes.endless.maps: the mode that is versus needs two maps, of both"),
    ({"spawn": {"x": 9, "y": 1, "orientation": "up"}}, "spawn: both halves are in columns 1 to 6"),
    ({"spawn": {"x": 6, "y": 1, "orientation": "right"}}, "spawn: both halves are in columns 1 to 6"),
    ({"spawn": {"x": 3, "y": 1, "orientation": "north"}}, "spawn.orientation: there is no orientation 'north'; known"),
    ({"orientations": {0: "north"}}, "orientations.0: there is no orientation 'north'"),
    ({"phases": {"spawn": 1, "control": 2}}, "phases.over: is missing"),
    ({"buttons": {"left": "fire"}}, "buttons.left: there is no button 'fire'; known are b, y, select, start, "),
    ({"buttons": {"left": None}}, "buttons.left: only one of rotate_cw and rotate_ccw may be null; give a button"),
    (
        {"buttons": {"rotate_cw": None, "rotate_ccw": None}},
        "buttons: only one of rotate_cw and rotate_ccw may be null; give the other a button",
    ),
    ({"buttons": {"jump": "a"}}, "buttons.jump: there is no such action; known are left, right, rotate_cw, "),
    ({"options": {"level": {"from": 4, "to": 1}}}, "options.level: there are 0 values"),
    ({"options": {"level": {"from": 1}}}, "options.level: give from and to, or names"),
    ({"options": {"mode": {"from": 1, "to": 2}}}, "options: 'mode' can't be the name of an option"),
    ({"defaults": {"battle": {"colors": 5}}}, "defaults.battle.colors: there is no such option"),
    ({"sha1": ["123"]}, "sha1.0: string should match pattern"),
    ({"codes": ["pink"]}, "codes: there is no 'pink'; known are empty, red, "),
    ({"look": {"field_at": {1: [0, 0]}}}, "look.cell: is missing"),
    (
        {"look": {"field_at": {1: [0, 0]}, "cell": 8, "colors": {"pink": [0, 0, 0]}}},
        "look.colors.pink: there is no such",
    ),
    (
        {"look": {"field_at": {1: [0, 0]}, "cell": 8, "colors": {"red": ["1", 0, 0]}}},
        "look.colors.red.0: input should be a valid integer",
    ),
    ({"menus": ["start"]}, "menus"),
    ({"menu": "jump"}, "menu: the step 'jump': there is no button 'jump'; known are b, y, "),
    ({"menu": "start until"}, "menu: the step 'start until' makes no sense: give one such as start, down x 3"),
    ({"menu": "start until mode is 3"}, "'mode is 3' is no condition: give spawn, ENTRY changes, or ENTRY = N"),
    ({"menu": "start, , a"}, "menu: the step '' makes no sense"),
    ({"menu": "wait"}, "menu: the step 'wait': give wait until CONDITION, or wait N"),
    ({"menu": "down 3"}, "menu: the step 'down 3': several taps are said with x, such as down x 3"),
    ({"menu": "down x 900"}, "menu: the step 'down x 900': give 1 to 200 taps"),
    ({"menu": [1]}, "menu: a step is a text such as 'a until spawn', not 1"),
    ({"menu": {"start": 1}}, "menu: a menu route is a list of steps"),
    ({"extends": "sonic"}, "extends: there is no game 'sonic', shipped or beside this file"),
    ({"extends": "kumi.yaml"}, "extends: the files extend each other in a circle"),
]


@pytest.mark.parametrize(("changes", "message"), BAD, ids=[message[:40] for _, message in BAD])
def test_a_wrong_file_is_reported(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    file = making.game(tmp_path, **changes)
    with pytest.raises(ConfigError) as raised:
        find_game(str(file))
    assert str(raised.value).startswith(str(file))
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game: [", "not valid YAML"),
        ("", "a game file is a mapping of names to values, this is empty"),
        ("entries: {}", "is a RAM map; a game file names it under modes"),
        ("kind: two_ply", "is a player file; give it with --player"),
        ("visible_rows: 12", "is a rules file; give it with --rules, or name it in a game file"),
    ],
)
def test_a_file_of_another_kind_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    file = tmp_path / "mine.yml"
    file.write_text(text)
    for words in (("play", file), ("battle", file), ("versus", file), ("doctor", file), ("warm", file)):
        assert message in Run(capsys, monkeypatch, *words).refusal
    assert "no such file" in Run(capsys, monkeypatch, "play", tmp_path / "gone.yaml").refusal


def test_files_that_it_names_and_that_are_wrong_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refusal(*words: object) -> str:
        return Run(capsys, monkeypatch, *words).refusal

    file = making.game(tmp_path, modes={"endless": {"maps": ["gone.yaml"]}})
    assert "modes.endless.maps: there is no map gone.yaml, beside the file or shipped" in refusal("play", file)
    file = making.game(tmp_path, rom="gone.nes")
    assert "names the ROM" in refusal("play", file)
    file = making.game(tmp_path, rom=None)
    assert "names no ROM: give yours with --rom, or add rom: to it" in refusal("play", file)
    file = making.game(tmp_path, rules="gone.yaml")
    assert "no such rules file: gone.yaml" in refusal("play", file)
    file = making.game(tmp_path)
    assert "has no mode for two players: give one under modes with two maps" in refusal("battle", file)
    assert "has no option --level" in refusal("play", file, "--level", 2)
    one = making.one_player()
    one["entries"]["feild"] = one["entries"]["field"]
    making.write(tmp_path, "one.yaml", {**one, "seat": 2})
    assert "one.yaml: entries.feild: the game knows no such entry, did you mean field?" in refusal("play", file)


def test_a_map_in_the_file_is_reported_with_its_place(tmp_path: Path) -> None:
    one = making.one_player()
    del one["game"], one["name"], one["system"], one["seat"]
    one["entries"]["x"]["address"] = 0x9000
    title = find_game(str(making.game(tmp_path, modes={"endless": {"maps": [one]}})))
    with pytest.raises(
        MapError, match=r"kumi\.yaml: modes\.endless\.maps\[0\]: the file: entries\.x: address 0x9000 is outside"
    ):
        title.load_map(title.map_names("endless")[0])


def test_a_map_given_beside_its_own_must_be_of_the_game(tmp_path: Path) -> None:
    title = find_game(str(making.game(tmp_path)))
    assert title.load_map(making.write(tmp_path, "mine.yaml", {"extends": "one.yaml", "name": "mine"})).name == "mine"
    other = making.write(tmp_path, "other.yaml", {"extends": "one.yaml", "game": "other"})
    with pytest.raises(MapError, match="is for the game 'other', not for 'kumi'"):
        title.load_map(other)


def test_what_is_left_out_is_as_the_family_has_it(tmp_path: Path) -> None:
    title = load_game_file(making.game(tmp_path))
    table = title.table
    assert table.player == "article"
    assert table.spawn == PairState(3, 1, Orientation.UP) == find_rules(title).spawn
    assert table.buttons[Action.ROTATE_CCW] == Button.B
    assert (table.solo, table.versus, table.core, table.shown) == ("endless", "two players", None, None)
    twelve = load_game_file(making.game(tmp_path, rules="tsu"))
    assert twelve.table.spawn == PairState(3, 2, Orientation.UP)


def test_names_that_yaml_takes_for_yes_and_no(tmp_path: Path) -> None:
    file = making.game(tmp_path)
    file.write_text(file.read_text() + "options:\n  items: {names: [off, on, both]}\n")
    assert load_game_file(file).options["items"].names == ("off", "on", "both")


def test_a_file_extends_a_shipped_game_or_one_beside_it(tmp_path: Path) -> None:
    """A file with a ROM of its own ignores what the extended file says about its ROM."""
    making.game(tmp_path)
    file = making.write(
        tmp_path,
        "mine.yaml",
        {
            "extends": "puyo",
            "game": "mine",
            "modes": {"mission": None},
            "buttons": {"rotate_cw": "b"},
            "defaults": None,
        },
    )
    title = load_game_file(file)
    puyo = find_game("puyo")
    assert (title.system, title.rules, title.seed_frames) == (puyo.system, puyo.rules, puyo.seed_frames)
    assert title.options == puyo.options
    assert title.table.buttons[Action.ROTATE_CW] == Button.B
    assert title.table.buttons[Action.LEFT] == Button.LEFT
    assert set(title.table.modes) == {"endless", "versus"}
    assert title.table.defaults == {}
    assert title.shipped_rom() == puyo.shipped_rom()
    assert title.load_map("famicom_puyo/player1").name == "player1"

    child = making.write(tmp_path, "child.yaml", {"extends": "mine.yaml", "game": "child", "rom": "kumi.nes"})
    own = load_game_file(child)
    assert own.shipped_rom() == tmp_path / "kumi.nes"
    assert own.table.earlier_roms == ()
    assert "wasn't made for this ROM" in own.note


def test_the_shipped_games_are_such_files() -> None:
    """Each shipped game file is named after its game, and its maps pass the check."""
    files = sorted((data_root() / "configs/games").glob("*.yaml"))
    assert [file.stem for file in files] == ["gb", "gba", "gg", "nyaa", "pce", "puyo", "sms", "snes", "tsu", "tsu_c2"]
    for file in files:
        title = find_game(file.stem)
        assert yaml.safe_load(file.read_text())["game"] == title.name == file.stem
        for mode in (title.solo_mode, title.versus_mode):
            if " " in mode:  # there is no such mode
                continue
            for seat, name in enumerate(title.map_names(mode), 1):
                title.check_map(title.load_map(name), mode, seat)


def test_one_that_is_of_another_family_is_made_as_well(tmp_path: Path) -> None:
    file = making.write(tmp_path, "mine.yaml", {"extends": "nyaa", "game": "mine"})
    title = find_game(str(file))
    assert isinstance(title, FiledTitle)
    assert title.family.name == "nyaa"
    assert title.default_player == "nyaa"


def test_a_route_reads_as_it_is_written() -> None:
    route = Route.parse("START, p2 a+b x 2, wait 30, x x3, right until level = $level and 0x6F >= 0x10 within 99")
    start, both, wait, third, last = route.steps
    assert (start.press, start.times, start.pad) == (Button.START, 1, 1)
    assert (both.press, both.times, both.pad) == (Button.A | Button.B, 2, 2)
    assert (wait.press, wait.frames) == (Button.NONE, 30)
    assert (third.press, third.times) == (Button.X, 3)
    assert last.within == 99
    assert [(test.name, test.how, test.value) for test in last.until] == [("level", "=", "level"), ("0x6F", ">=", 16)]
    assert route.names == {"level"}
    assert route.choices == {"level"}
    assert not last.ends_in_play
    assert Route.parse(["wait until spawn"]).steps[0].ends_in_play


@pytest.mark.parametrize(
    "part", [{"rom": "\0"}, {"rules": "x" * 5000}, {"modes": {"endless": {"maps": ["\0"]}}}, {"rom": "/" * 3000}]
)
def test_names_that_no_file_has_end_in_a_line(tmp_path: Path, part: dict[str, Any]) -> None:
    file = making.game(tmp_path, **part)
    with pytest.raises(OchibotError) as raised:
        _use(file)
    assert "\n" not in str(raised.value)


def _use(file: Path) -> None:
    title = find_game(str(file))
    find_rules(title)
    title.open_rom(None)
    title.load_map(title.map_names(title.solo_mode)[0])
