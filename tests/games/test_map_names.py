"""Names in maps that nothing reads are refused, with the nearest known name, unless marked by ``note`` or ``extra``."""

from __future__ import annotations

import shutil
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from ochibot.errors import MapError
from ochibot.games import Game, find_game
from ochibot.games.title import Title

PUYO, NYAA = find_game("puyo"), find_game("nyaa")
TSU, ARCADE = find_game("tsu"), find_game("tsu_c2")
KAKERA: Game = import_module("kakera.game").GAME

EXTENDS = "extends: famicom_puyo/player1\n"


def written(folder: Path, text: str, name: str = "mine.yaml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("entries: {scroe: {address: 0x10, source: calibrated}}", r"entries\.scroe: .*did you mean score\?"),
        ("entries: {feild: {address: 0x10, source: calibrated}}", r"entries\.feild: .*did you mean field\?"),
        ("entries: {phaze: null}", r"entries\.phaze: .*did you mean phase\?"),
        ("entries: {scroe: {address: 0x10, source: calibrated, note: the score}}", "one of your own says note: true"),
        ("entries: {zyx: {address: 0x10, source: calibrated}}", r"entries\.zyx: the game knows no such entry; one of"),
        ("codes: {puyoo: {source: calibrated, values: {1: red}}}", r"codes\.puyoo: .*did you mean puyo\?"),
        ("extra: {score: {address: 0x10, source: calibrated}}", r"extra\.score: the game knows this entry"),
        ("extra: [score]", "extra: is a mapping"),
        (
            "entries: {mine: {address: 0x10, source: calibrated}}\nextra: {mine: {address: 0x10, source: calibrated}}",
            r"extra\.mine: is given in entries too",
        ),
    ],
)
def test_a_name_that_nothing_reads_is_refused(tmp_path: Path, text: str, words: str) -> None:
    path = written(tmp_path, EXTENDS + text)
    with pytest.raises(MapError, match=words) as caught:
        PUYO.load_map(path)
    assert str(path) in str(caught.value)


def test_it_is_refused_where_nothing_is_extended_and_below_too(tmp_path: Path) -> None:
    whole = "game: famicom_puyo\nname: mine\nsystem: nes\nseat: 1\nmode: 0\nentries: {"
    with pytest.raises(MapError, match=r"did you mean level\?"):
        PUYO.load_map(written(tmp_path, whole + "levle: {address: 0x70, source: documented}}"))
    below = written(tmp_path, EXTENDS + "entries: {scroe: {address: 0x10, source: calibrated}}", "below.yaml")
    with pytest.raises(MapError, match=f"{below}: entries.scroe"):
        PUYO.load_map(written(tmp_path, "extends: below.yaml\n"))


def test_what_the_map_says_is_the_users_own_is_taken(tmp_path: Path) -> None:
    own = "{address: 0x10, source: calibrated, note: true}"
    loaded = PUYO.load_map(written(tmp_path, EXTENDS + f"entries: {{dice: {own}}}"))
    assert loaded.entries["dice"].byte_addresses() == [0x10]
    below = written(tmp_path, EXTENDS + "extra: {dice: {address: 0x10, source: calibrated}}", "below.yaml")
    assert PUYO.load_map(below).entries["dice"].byte_addresses() == [0x10]
    # maps that extend a map with an entry of its own may change or drop that entry
    child = written(tmp_path, "extends: below.yaml\nentries: {dice: {address: 0x11, source: calibrated}}")
    assert PUYO.load_map(child).entries["dice"].byte_addresses() == [0x11]
    dropped = written(tmp_path, "extends: below.yaml\nentries: {dice: null}")
    assert "dice" not in PUYO.load_map(dropped).entries


def test_a_code_table_of_a_new_name_is_taken_when_an_entry_uses_it(tmp_path: Path) -> None:
    table = "codes: {other: {source: calibrated, values: {1: red}}}\n"
    entry = "entries: {axis: {address: 0x679, codes: other, source: calibrated}}"
    assert PUYO.load_map(written(tmp_path, EXTENDS + table + entry)).codes["other"].values == {1: "red"}


@pytest.mark.parametrize("game", [PUYO, NYAA, TSU, ARCADE, KAKERA], ids=lambda game: game.name)
def test_shipped_maps_are_taken_as_a_users_own(game: Game) -> None:
    assert isinstance(game, Title)
    found = [path for folder in game.map_folders for path in _maps(folder)]
    assert found
    for path in found:
        assert game.load_map(path).entries


def _maps(folder: str) -> list[Path]:
    from ochibot.data import data_path

    return sorted((Path(folder) if Path(folder).is_absolute() else data_path(f"ram_maps/{folder}")).glob("*.yaml"))


def test_a_title_from_outside_says_its_own_names(tmp_path: Path) -> None:
    # a map reaches none outside its folder
    shutil.copy(Path(KAKERA.map_folders[0]) / "solo.yaml", tmp_path)
    known = written(tmp_path, "extends: solo.yaml\nentries: {grey_column: {address: 0x10, source: calibrated}}")
    assert KAKERA.load_map(known).entries["grey_column"].byte_addresses() == [0x10]
    new = written(tmp_path, "extends: solo.yaml\nentries: {stones: {address: 0x10, source: calibrated}}")
    with pytest.raises(MapError, match=r"entries\.stones: the game knows no such entry"):
        KAKERA.load_map(new)
    assert isinstance(KAKERA, Title)
    says = Title(replace(KAKERA.table, entries=("stones",)), KAKERA.family)
    assert says.load_map(new).entries["stones"].byte_addresses() == [0x10]
    # a title may have no maps of its own at all
    bare = Title(replace(KAKERA.table, map_folder="nowhere", entries=("stones",)), KAKERA.family)
    whole = "game: kakera\nname: mine\nsystem: nes\nseat: 1\nmode: 0\nentries: {NAME: {address: 1, source: calibrated}}"
    assert bare.load_map(written(tmp_path, whole.replace("NAME", "stones"))).entries
    with pytest.raises(MapError, match=r"did you mean stones\?"):
        bare.load_map(written(tmp_path, whole.replace("NAME", "stonse")))


def test_a_choice_that_is_no_place_is_quoted_in_few_words() -> None:
    """A user's own player may return any object as its choice, even one whose repr is endless."""
    from ochibot.errors import GameError
    from ochibot.quoting import quoted

    from tests.fakegame import FakeGame
    from tests.titles import famicom_seat, load_seat_map

    game = FakeGame()
    seat = famicom_seat(load_seat_map("player1"), game.ram)
    endless: list[object] = []
    for _ in range(30):
        endless = [endless] * 10
    with pytest.raises(GameError) as caught:
        seat.decided(seat.snapshot(), endless)
    assert len(str(caught.value)) < 300
    for value in ("x" * 10**6, 16**6_000, {1: endless}, (endless, endless), b"x" * 10**6, {2**20_000}):
        assert len(quoted(value)) <= 60
