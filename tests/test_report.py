"""JSON reports are written completely or not at all: to a file, to stdout or nowhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ochibot.errors import OutputError
from ochibot.report import check_target, write_json


def test_the_three_targets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "report.json"
    for known in (None, "-", str(target), target):
        check_target(known)
        write_json({"wins": [2, 1]}, known)
    assert json.loads(target.read_text(encoding="utf-8")) == {"wins": [2, 1]}
    assert json.loads(capsys.readouterr().out) == {"wins": [2, 1]}
    assert list(target.parent.iterdir()) == [target]


def test_checking_leaves_nothing_behind(tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    check_target(target)
    assert not target.exists()
    target.write_text("before", encoding="utf-8")
    check_target(target)
    assert target.read_text(encoding="utf-8") == "before"


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="it is a folder; give another path"):
        check_target(tmp_path)
    with pytest.raises(OutputError, match="give another path"):
        write_json({}, tmp_path / "missing" / "report.json")


def test_a_missing_folder_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="its folder is missing; make it, or give another path"):
        check_target(tmp_path / "missing" / "deep" / "report.json")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="Not a directory"):
        check_target(tmp_path / "file" / "deep" / "report.json")


def test_a_report_that_cannot_be_made_leaves_the_old_one(tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    target.write_text("before", encoding="utf-8")
    with pytest.raises(TypeError):
        write_json({"player": object()}, target)
    assert target.read_text(encoding="utf-8") == "before"
    assert list(tmp_path.iterdir()) == [target]
