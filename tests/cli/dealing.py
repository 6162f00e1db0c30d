"""Runs ``ochibot deal`` for tests."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from ochibot.cli import main


class Command:
    """Runs ``ochibot deal`` in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.patch, self.capsys = monkeypatch, capsys

    def run(self, words: tuple[object, ...]) -> tuple[int, str, str]:
        self.patch.setattr(sys, "argv", ["ochibot", "deal", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main.main()
        out, err = self.capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, out, err

    def __call__(self, *words: object) -> str:
        """Runs the command, which must succeed. Returns its stdout."""
        code, out, err = self.run(words)
        assert code == 0, err
        return out

    def report(self, *words: object) -> dict[str, Any]:
        """Runs the command with ``--json -``. Returns its report."""
        report: dict[str, Any] = json.loads(self(*words, "--json", "-"))
        return report

    def refused(self, *words: object) -> str:
        """Runs the command, which must refuse its input. Returns its one line on stderr."""
        code, out, err = self.run(words)
        assert (code, out) == (2, ""), err
        lines = err.strip().split("\n")
        assert len(lines) == 1
        assert lines[0].startswith("ochibot: ")
        assert len(lines[0]) < 300
        return lines[0]


def letters(text: str) -> list[str]:
    """The pairs of the printed lines, without the number before each line."""
    return [pair for line in text.splitlines() for pair in line.split()[1:]]
