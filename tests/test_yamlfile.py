"""Whatever a YAML file contains, reading it is quick and gives a mapping, or an error of one short line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from ochibot.data import data_path
from ochibot.errors import ConfigError, OchibotError
from ochibot.games import find_game
from ochibot.games.filed.title import load_game_file
from ochibot.nyaa.rules.file import load_rules as load_nyaa_rules
from ochibot.players import find_file
from ochibot.puyo.rules.file import load_rules
from ochibot.ui.keys import load_keys
from ochibot.yamlfile import read_yaml


def bomb(levels: int = 9, each: int = 10) -> str:
    """YAML in which each level is a list of ``each`` aliases of the level before, so its size explodes."""
    lines = ["a0: &a0 [" + ", ".join(["lol"] * each) + "]"]
    for level in range(1, levels):
        lines.append(f"a{level}: &a{level} [" + ", ".join([f"*a{level - 1}"] * each) + "]")
    return "\n".join(lines) + "\n"


def read(text: str, folder: Path) -> dict[str, Any]:
    path = folder / "some.yaml"
    path.write_text(text, encoding="utf-8")
    return read_yaml(path, "a file", ConfigError)


@pytest.mark.parametrize(
    "text",
    [
        bomb(),
        bomb(5),
        "- " * 400_000,
        "? " * 1_000,
        "a: &a [*a]",
        "a: &a {b: &b [*a, *b]}",
        "\n".join(["a0: &a0 [x]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 60))]),
        "x: [" + "1," * 30_000 + "]",
    ],
    ids=["bomb", "small bomb", "block sequences", "keys", "itself", "each other", "aliases of aliases", "many"],
)
def test_too_many_nodes_and_too_deep_ones(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError, match="too large or too deep"):
        read(text, tmp_path)


def test_aliases_that_stand_for_little_are_taken(tmp_path: Path) -> None:
    content = read(f"a: &a [1, 2]\nb: [*a, *a]\nc: '{'[' * 100}'\n", tmp_path)
    assert content == {"a": [1, 2], "b": [[1, 2], [1, 2]], "c": "[" * 100}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x: 0x" + "f" * 6_000, "a number of 6002 digits is too long"),
        ("x: " + "9" * 5_000, "a number of 5000 digits is too long"),
        ("x: 1" + ":1" * 100_000, "digits is too long"),
        ("x: 1" + ":1" * 490 + ":1.", "not valid YAML"),
        ("x: 0001-01-01T00:00:00.0+99:59", "not valid YAML"),
        ("x: !!int ''", "the tag 'tag:yaml.org,2002:int' isn't known here"),
        ("x: !!timestamp soon", "isn't known here"),
        ("x: !!bool perhaps", "isn't known here"),
        ("x: !!set {a}", "isn't known here"),
        ("x: !" + "a" * 5_000 + " 1", "isn't known here"),
        ("x: *" + "a" * 5_000, "not valid YAML"),
        ("a" * 900 + ": 1\n" + "a" * 900 + ": 2", "is given twice"),
        ("1: red\n'1': blue", "the key '1' is given twice, also as 1"),
        ("1: red\n1.0: blue", "is given twice"),
        ("1: red\n0x1: blue", "is given twice"),
    ],
)
def test_what_is_no_valid_file_is_reported_in_a_short_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(text, tmp_path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value).replace(str(tmp_path), "")) < 300


LOADERS: dict[str, Callable[[Path], object]] = {
    "player": lambda path: (file := find_file(path, find_game("puyo"))).kind.load(file.path),
    "nyaa player": lambda path: (file := find_file(path, find_game("nyaa"))).kind.load(file.path),
    "map": lambda path: find_game("puyo").load_map(path),
    "nyaa map": lambda path: find_game("nyaa").load_map(path),
    "rules": load_rules,
    "nyaa rules": load_nyaa_rules,
    "keys": load_keys,
    "game": load_game_file,
}

SHIPPED = {
    "player": "configs/players/article.yaml",
    "nyaa player": "configs/players/nyaa.yaml",
    "map": "ram_maps/famicom_puyo/player1.yaml",
    "nyaa map": "ram_maps/nyaa_homebrew/player1.yaml",
    "rules": "configs/rules/famicom.yaml",
    "nyaa rules": "configs/rules/nyaa_mvs.yaml",
    "keys": "configs/keys.yaml",
    "game": "configs/games/puyo.yaml",
}


def taken_or_refused(what: str, text: str) -> str:
    """Loads a text as a file of the kind ``what``. Returns the error's message without its path; empty if accepted."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "f.yaml"
        path.write_text(text, encoding="utf-8")
        try:
            LOADERS[what](path)
        except OchibotError as error:
            message = str(error).replace(folder, "")
            assert "\n" not in message
            assert len(message) < 300, message[:2_000]
            return message
    return ""


@pytest.mark.parametrize("what", LOADERS)
def test_shipped_files_are_taken_and_a_bomb_anywhere_in_them_is_not(what: str) -> None:
    text = data_path(SHIPPED[what]).read_text(encoding="utf-8")
    assert not taken_or_refused(what, text)
    assert "too large or too deep" in taken_or_refused(what, bomb() + text)


@pytest.mark.parametrize(
    ("what", "place", "wrong"),
    [
        *(("nyaa player", ("weights", "attack"), wrong) for wrong in (True, "1e3", "7")),
        *(("player", ("weights", "links"), wrong) for wrong in (True, "1e3", "7")),
        *((what, ("plies",), wrong) for what in ("player", "nyaa player") for wrong in (True, 1.0, "1")),
        *(("rules", (name,), wrong) for name in ("kicks", "quick_turn", "hidden_clear") for wrong in ("off", 1, "yes")),
        ("rules", ("nuisance", "offset"), "off"),
        ("rules", ("items", "allowed"), 0.0),
        ("nyaa rules", ("attack", "offset", "value"), "off"),
        ("map", ("seat",), 1.0),
        ("map", ("mode",), False),
        ("map", ("entries", "score", "scale"), True),
        ("map", ("entries", "score", "offset"), "off"),
        ("keys", ("pad", "up"), True),
    ],
)
def test_values_of_another_kind_are_refused(what: str, place: tuple[str, ...], wrong: object) -> None:
    content: Any = yaml.safe_load(data_path(SHIPPED[what]).read_text(encoding="utf-8"))
    inside = content
    for name in place[:-1]:
        inside = inside[name]
    inside[place[-1]] = wrong
    assert ".".join(place) in taken_or_refused(what, yaml.safe_dump(content))


@pytest.mark.parametrize(
    ("what", "place"),
    [
        ("map", ("entries", "score")),
        ("map", ("codes", "puyo")),
        ("player", ("weights",)),
        ("rules", ("nuisance",)),
        ("nyaa rules", ("attack", "offset")),
        ("keys", ("pad",)),
    ],
)
def test_what_stands_where_a_mapping_belongs_is_reported_without_the_names_of_our_classes(
    what: str, place: tuple[str, ...]
) -> None:
    content: Any = yaml.safe_load(data_path(SHIPPED[what]).read_text(encoding="utf-8"))
    inside = content
    for name in place[:-1]:
        inside = inside[name]
    inside[place[-1]] = 7
    line = taken_or_refused(what, yaml.safe_dump(content))
    assert f"{'.'.join(place)}: is a mapping of names to values, not 7" in line
    assert "instance" not in line


MINE = "extends: famicom_puyo/player1\n"

NASTY = st.sampled_from(
    [
        *("on", "off", "true", "null", "~", "1", "-1", "1.0", "1e3", "'1'", "0x1F", ".nan", ".inf", "-.inf", "1_0"),
        *("1:30", "2020-01-01", "2020-13-45", "[]", "{}", "[1, 2]", "{a: b}", "*a", "&a", "&a [*a]", "!!int x", "<<"),
        *("0x" + "f" * 6_000, "9" * 900, "9" * 9_000, "a" * 5_000, "'" + "é\\n" * 2_000 + "'", "[" * 60, "- " * 60),
        *('"\\0\\u2028"', "? ", "|", ">", "%", "@", "`", "---", "...", "#", "\t", "\ufeff", "\x07", "💎", "lol: *a1"),
        *("article", "two_ply", "nyaa_two_ply", "famicom", "puyo", "nes", "neogeo", "extends: famicom_puyo/player1"),
    ]
)


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, str]:
    """(kind, text) of a shipped file in which one to four of the words between spaces are replaced."""
    what = draw(st.sampled_from(sorted(SHIPPED)))
    parts = data_path(SHIPPED[what]).read_text(encoding="utf-8").replace(":", ": ").split(" ")
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(parts) - 1))
        parts[place] = draw(NASTY | st.text(max_size=20)) + draw(st.sampled_from(["", ":", ",", "\n"]))
    return what, " ".join(parts)


@st.composite
def changed(draw: st.DrawFn) -> tuple[str, str]:
    """(kind, text) of a shipped file in which one value is replaced, or one is added. The text is always valid YAML."""
    what = draw(st.sampled_from(sorted(SHIPPED)))
    content: Any = yaml.safe_load(data_path(SHIPPED[what]).read_text(encoding="utf-8"))
    scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just("x" * 2_000)
    values = st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
        max_leaves=6,
    )
    inside = content
    while True:
        key = draw(st.sampled_from(list(inside)) | st.text(max_size=2_000))
        if not isinstance(inside.get(key), dict) or not inside[key] or draw(st.booleans()):
            break
        inside = inside[key]
    inside[key] = draw(values)
    return what, yaml.safe_dump(content, allow_unicode=True)


@given(mutated() | changed() | st.tuples(st.sampled_from(sorted(SHIPPED)), st.text(max_size=300)))
@example(("map", "extends: " + "x" * 5_000))
@example(("map", "extends: '\\0'"))
@example(("map", "extends: [a"))
@example(("player", "kind: " + "x" * 5_000))
@example(("keys", "pad: {up: [" + "x" * 5_000 + "]}"))
@example(("keys", "gamepad: {up: [" + "x" * 5_000 + "]}"))
@example(("map", "extends: famicom_puyo/player1\nname: " + "x" * 999 + "\nentries: {" + "x" * 999 + ": {}}"))
@example(("map", MINE + "entries: {x: {address: 1, source: documented, codes: " + "x" * 999 + "}}"))
@example(("map", MINE + "entries: {" + "x" * 999 + ": {address: 0xFFFFF, source: documented, note: true}}"))
@example(("map", MINE + "entries: {" + "x" * 999 + ": {address: 0x66D, source: documented, note: true}}"))
@example(("map", MINE + "codes: {puyo: {source: calibrated, values: {1: " + "x" * 999 + "}}}"))
@example(("map", MINE + "extra: {" + "x" * 999 + ": {}}\nentries: {" + "x" * 999 + ": {}}"))
@example(("nyaa map", "extends: famicom_puyo/player1\ngame: " + "x" * 999))
def test_any_text_is_taken_or_refused_in_a_short_line(file: tuple[str, str]) -> None:
    taken_or_refused(*file)
