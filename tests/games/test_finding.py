"""Finding games by name, by file and by package, and loading users' Python files."""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from ochibot import games
from ochibot.errors import ConfigError, GameError, UsageError
from ochibot.games import find_game, game_names, is_game_file, load_game_module, load_python_file, register_game

OURS = ("puyo", "nyaa", "tsu", "tsu_c2", "gb", "gg", "sms", "snes", "pce", "gba")


@pytest.fixture(autouse=True)
def _apart(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """After each test, forgets the games that it registered and the modules that it imported."""
    before, path = set(sys.modules), list(sys.path)
    monkeypatch.setattr(games, "_from_outside", {})
    yield
    sys.path[:] = path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def game(name: str = "mine", **without: Any) -> Any:
    """An object that has all the attributes which a game must have."""
    made = SimpleNamespace(**dict.fromkeys(games._PARTS, ""), **without)
    made.name = name
    return made


def installed(monkeypatch: pytest.MonkeyPatch, **titles: Callable[[], object]) -> None:
    """Pretends that installed packages register these titles. titles: by name, a function that loads the title."""
    points = [SimpleNamespace(name=name, value=f"{name}.module:GAME", load=load) for name, load in titles.items()]
    groups = {"ochibot.games": points}
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda *, group: groups[group])


def test_ours_come_first_and_the_first_of_them_is_the_usual_one() -> None:
    assert game_names()[: len(OURS)] == OURS
    assert games.DEFAULT_GAME == "puyo"
    for name in OURS:
        assert find_game(name).name == name
        assert find_game(name) is find_game(name)


def test_a_game_is_known_once_it_is_registered() -> None:
    mine = game()
    assert register_game(mine, "mine.py") is mine
    assert find_game("mine") is mine
    assert game_names() == (*OURS, "mine", *(name for name in game_names() if name not in (*OURS, "mine")))
    with pytest.raises(UsageError, match=f"there is no game 'other'; give one of {', '.join(OURS)}, mine"):
        find_game("other")
    with pytest.raises(ConfigError, match="the name 'tsu' is taken by a game of ours"):
        register_game(game("tsu"), "mine.py")


@pytest.mark.parametrize("part", games._PARTS)
def test_what_lacks_a_part_is_no_game(part: str) -> None:
    mine = game()
    delattr(mine, part)
    with pytest.raises(ConfigError, match=f"mine.py is no game: it has no {part} "):
        register_game(mine, "mine.py")
    assert "mine" not in game_names()


def test_an_installed_game_is_loaded_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> object:
        raise ZeroDivisionError("no such luck")

    mine, loads = game(), list[int]()

    def load() -> object:
        loads.append(1)
        return mine

    installed(monkeypatch, mine=load, broken=refuse, puyo=refuse)
    assert game_names() == (*OURS, "mine", "broken")
    assert not loads
    assert find_game("mine") is find_game("mine") is mine
    assert len(loads) == 1
    assert find_game("puyo").name == "puyo"
    with pytest.raises(ConfigError, match=r"the game broken of broken\.module:GAME can't be loaded: no such luck"):
        find_game("broken")


def test_paths_that_end_like_yaml_are_game_files() -> None:
    for name in ("a.yaml", "A.YML", "folder/b.YAML"):
        assert is_game_file(name)
    for name in ("a.yaml.py", "yaml", "puyo", "a.yamls"):
        assert not is_game_file(name)


def test_a_python_file_is_loaded_once(tmp_path: Path) -> None:
    file = tmp_path / "own_of_a_test.py"
    file.write_text("made = []\n")
    first: Any = load_python_file(file, "a game")
    first.made.append(1)
    again: Any = load_python_file(file, "a game")
    assert again is first
    other = tmp_path / "elsewhere" / file.name
    other.parent.mkdir()
    other.write_text("made = [2]\n")
    second: Any = load_python_file(other, "a game")
    assert (first.made, second.made) == ([1], [2])
    # the file's folder is added only once, at the end of sys.path, so that it hides no library
    assert sys.path.count(str(tmp_path)) == 1
    assert sys.path[-2:] == [str(tmp_path), str(other.parent)]


def test_a_file_of_a_package_is_that_packages_module(tmp_path: Path) -> None:
    inner = tmp_path / "package_of_a_test" / "inner"
    inner.mkdir(parents=True)
    for folder in (inner, inner.parent):
        (folder / "__init__.py").write_text("")
    (inner / "beside.py").write_text("VALUE = 7\n")
    (inner / "file.py").write_text("from .beside import VALUE\n")
    found: Any = load_python_file(inner / "file.py", "a game")
    assert (found.__name__, found.VALUE) == ("package_of_a_test.inner.file", 7)
    assert sys.path[-1] == str(tmp_path)


def test_a_file_that_fails_is_reported_and_not_kept(tmp_path: Path) -> None:
    file = tmp_path / "failing_of_a_test.py"
    file.write_text("1 / 0\n")
    for _ in range(2):
        with pytest.raises(ConfigError, match=r"failing_of_a_test\.py can't be loaded: ZeroDivisionError: division by"):
            load_python_file(file, "a game")
    # an OchibotError is passed on unchanged, because it says what is wrong
    file.write_text("from ochibot.errors import GameError\nraise GameError('as it is')\n")
    with pytest.raises(GameError, match=r"^as it is$"):
        load_python_file(file, "a game")
    with pytest.raises(ConfigError, match=r"no such file: .*nothing\.py; give a Python file with a game"):
        load_python_file(tmp_path / "nothing.py", "a game")
    (tmp_path / "mine.txt").write_text("")
    with pytest.raises(ConfigError, match=r"is no Python file; give one such as mine\.py"):
        load_python_file(tmp_path / "mine.txt", "a game")


def test_a_module_holds_its_game_under_that_name(tmp_path: Path) -> None:
    file = tmp_path / "game_of_a_test.py"
    file.write_text("from types import SimpleNamespace\n")
    with pytest.raises(ConfigError, match="holds no GAME"):
        load_game_module(file)
    parts = dict.fromkeys(games._PARTS, "") | {"name": "mine"}
    other = tmp_path / "other_of_a_test.py"
    other.write_text(f"from types import SimpleNamespace\nGAME = SimpleNamespace(**{parts!r})\n")
    assert load_game_module(other).name == "mine"
    assert find_game("mine") is load_game_module(other)
