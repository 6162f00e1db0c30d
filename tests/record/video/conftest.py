"""One record of the bot's play for all tests of videos."""

from __future__ import annotations

from pathlib import Path

import pytest
from ochibot.record import Record

from tests.record.movies.runs import done


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Record:
    """A record from power-on, through the menus, into a few pieces of Endless Mode."""
    folder = tmp_path_factory.mktemp("video") / "record"
    done("play", "--seed", 4, "--level", 4, "--frames", 330, "--record", folder)
    return Record.open(Path(folder))
