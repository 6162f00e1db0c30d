"""Plays our own cartridges with maps that use signs instead of the titles' tables: every lock still agrees."""

from __future__ import annotations

from pathlib import Path

import ochibot
import pytest

from tests.homebrew.neogeo.driver import needs_fbneo

BY_PHASE = """
signs:
  spawn:   {entry: phase, is: coming}
  control: {entry: phase, is: mine}
  over:    {entry: phase, is: lost}
codes:
  phases: {source: homebrew, values: {0: idle, 1: coming, 2: mine, 3: falls, 4: pops, 5: lost}}
"""
BY_EDGE = """
signs:
  spawn:   {entry: spawning, rises: true}
  control: {all: [{entry: spawning, is: 0}, {entry: phase, is_not: [0, 1, 3, 4, 5]}]}
  over:    {any: [{entry: phase, is: 5}, {entry: state, is: 5}]}
"""


def agrees(game: str, path: Path, pieces: int) -> None:
    with ochibot.open(game, ram_map=path, seed=1) as session:
        result = session.play(pieces=pieces)
    assert (result.pieces, result.compared, result.misplaced, result.agreement) == (pieces, pieces, 0, 1)


def test_the_famicom_cartridge_by_its_phase(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "extends: famicom_puyo/player1\n"
        f"entries: {{spawning: null, phase: {{address: 0x0705, symbols: phases, source: homebrew}}}}{BY_PHASE}"
    )
    agrees("puyo", path, 25)


def test_the_famicom_cartridge_by_an_edge_and_without_its_hidden_row(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    grid = "rows: 13, columns: 6, row_stride: 16, column_stride: 2, top: 1"
    field = f"{{address: 0x0313, {grid}, codes: puyo, source: homebrew}}"
    path.write_text(f"extends: famicom_puyo/player1\nentries: {{field: {field}, marks: null}}{BY_EDGE}")
    agrees("puyo", path, 25)


@needs_fbneo
@pytest.mark.parametrize("signs", ["phase", "edge"])
def test_the_neo_geo_game(tmp_path: Path, signs: str) -> None:
    path = tmp_path / "mine.yaml"
    entry = "entries: {spawning: null, phase: {address: 0x100200, symbols: phases, source: homebrew}}"
    more = f"{entry}{BY_PHASE}" if signs == "phase" else BY_EDGE
    path.write_text(f"extends: nyaa_homebrew/player1\n{more}")
    agrees("nyaa", path, 6)
