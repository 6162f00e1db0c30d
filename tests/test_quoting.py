"""Messages shorten what they quote. A shortened path keeps the part that identifies the file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from ochibot.cli import main
from ochibot.quoting import MOST_OF_A_WORD, brief_path, concise


@pytest.mark.parametrize("length", [1, 40, 90, 106])
def test_a_long_path_keeps_its_file_name(length: int) -> None:
    """A file's name of 61 or more characters once lost its beginning, because paths are cut in the middle."""
    name = "n" * (length - 1) + "x"
    path = f"/home/{'somebody/' * 30}{name}"
    shown = concise(f"no such ROM: {path}; give another").removeprefix("no such ROM: ").removesuffix("; give another")
    assert len(shown) <= MOST_OF_A_WORD
    assert shown.startswith("/home/")
    assert "…" in shown
    assert shown.endswith(f"/{name}") or length == 106


def test_a_name_that_is_too_long_itself_keeps_its_end() -> None:
    shown = brief_path(f"/home/somebody/{'n' * 200}.yaml")
    assert len(shown) == MOST_OF_A_WORD
    assert shown.startswith("/home/somebo")
    assert shown.endswith("nnn.yaml")


def test_short_paths_and_other_words_are_as_they_were() -> None:
    path = "/home/somebody/a b.nes"
    assert brief_path(Path(path)) == path
    assert concise(f"no such ROM: {path}") == f"no such ROM: {path}"
    assert concise("x" * 60 + "y" * 200 + "z" * 60) == "x" * 60 + "…" + "z" * 59


def test_a_message_with_several_long_paths_is_shortened_to_300_characters() -> None:
    """Each path used to be cut to 120 characters, however many there were."""
    paths = [f"/home/{'somebody/' * 30}{name}.yaml" for name in ("one", "two", "three")]
    shown = concise(f"{paths[0]}: player: {paths[1]} isn't here: leave player out and type --player {paths[2]}")
    assert len(shown) <= 300
    assert all(f"/{name}.yaml" in shown for name in ("one", "two", "three"))
    # a list of what is wrong stays whole
    listed = "; ".join(f"file{number} is missing" for number in range(30))
    assert concise(listed) == listed


def test_a_long_path_with_spaces_is_shortened_as_one_path() -> None:
    """A game file may name one; ``python -m tests.fuzz --seed 6113 --only paths:239`` gave a line of 749 characters."""
    path = f"/home/{'a folder/' * 60}the state.sav"
    shown = concise(f"can't read the savestate {path}: File name too long; give the path of another, or b/c")
    assert len(shown) <= 300
    assert shown.startswith("can't read the savestate /home/a folder/")
    assert shown.endswith("/the state.sav: File name too long; give the path of another, or b/c")
    listed = "; ".join(f"the file sounds/{number} is missing" for number in range(30))
    assert concise(listed) == listed


def test_a_path_of_two_lines_makes_no_second_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["ochibot", "play", "--map", "a\nochibot: it is fine\x1b[2K"])
    assert main._run() == 2
    assert capsys.readouterr().err == (
        "ochibot: no such file: a\\nochibot: it is fine\\x1b[2K; give the path of a RAM map\n"
    )


@pytest.mark.parametrize("option", ["--player", "--rules", "--rom", "--map", "--core", "--from-state", "--game-module"])
@pytest.mark.parametrize("folder", ["deep/" * 45, "a folder/" * 25])
def test_messages_on_files_tell_their_names(
    option: str,
    folder: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["ochibot", "play", option, f"{folder}the_file_in_question.so"])
    assert main._run() == 2
    line = capsys.readouterr().err
    assert "the_file_in_question.so" in line.replace(" ", "")
    assert len(line) < 300
