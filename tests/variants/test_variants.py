"""The variants: the sources build their ROMs and truth.yaml files, and each is played from its files alone."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import ochibot
import pytest
from ochibot.games.filed.title import load_game_file

from tests.homebrew.famicom.machine import ROM
from tests.variants import NAMES, PARTLY_SEEN, VERSUS, game_file, packed_size, rom_file, truth
from tests.variants.build import VARIANTS, build

MOST_BYTES = 600_000
SEED_OF_UNSEEN = 3
"""The seed of a battle of ``visible`` in which nuisance that comes to rest unseen in the hidden row stops a pair."""
LATER = {"stiff", "moved", "mirrored", "turned", "shifted", "digits", "scattered"}
"""Variants with which only ``make test-long`` plays the test of fifty pieces."""
DIFFERENCES = {
    "codes", "bit_fields", "row_stride", "column_major", "x_from_0", "y_from_1", "orientation", "denotes",
    "next_swapped", "pair_swapped", "lock_delay", "auto_repeat", "kicks", "chain_power", "decoy", "addresses",
}  # fmt: skip
"""Differences from the shipped cartridge. Each must occur in at least one variant."""


def agrees(name: str, pieces: int, seed: int) -> None:
    """Plays Endless from the variant's files; every piece must lock and resolve as predicted."""
    with ochibot.open(game_file(name), seed=seed) as game:
        result = game.play(pieces=pieces)
    assert (result.pieces, result.compared, result.misplaced) == (pieces, pieces, 0)
    assert result.agreement == 1


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long) if name in LATER else name for name in NAMES]
)
def test_fifty_pieces_from_files_alone(name: str) -> None:
    agrees(name, 50, 1)


def battles(name: str, games: int, seed: int, pieces: int) -> None:
    with ochibot.open(game_file(name), seed=seed) as game:
        result = game.battle(games=games, max_pieces=pieces)
    assert result.pieces == result.compared > 0
    assert result.disagreements == 0
    assert result.agreement == 1 or name in PARTLY_SEEN


@pytest.mark.parametrize("name", VERSUS)
def test_two_seats_from_files_alone(name: str) -> None:
    battles(name, 1, 1, 12)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_whole_battle_from_files_alone(name: str) -> None:
    battles(name, 1, 2, 500)


@pytest.mark.long
def test_a_hidden_row_that_the_maps_name_misplaces_nothing(tmp_path: Path) -> None:
    """In the battle with SEED_OF_UNSEEN, unseen nuisance stops a pair on its way. With the hidden row in the maps, no
    pair is misplaced.
    """
    (tmp_path / "visible.nes").write_bytes(rom_file("visible").read_bytes())
    text = game_file("visible").read_text(encoding="utf-8")
    (tmp_path / "visible.yaml").write_text(text, encoding="utf-8")
    for seat in (1, 2):
        said = (game_file("visible").parent / f"seat{seat}.yaml").read_text(encoding="utf-8")
        hidden = truth("visible")["seats"][seat]["hidden_row"]
        above = f"above: {{address: {hidden['address']:#06x}, column_stride: {hidden['column_stride']}}}"
        named = said.replace("rows: 13,", "rows: 14,").replace("top: 1,", f"top: 0, {above},")
        assert above in named
        (tmp_path / f"seat{seat}.yaml").write_text(named, encoding="utf-8")
    for name, misplaced in ((game_file("visible"), True), (tmp_path / "visible.yaml", False)):
        with ochibot.open(name, seed=SEED_OF_UNSEEN) as game:
            result = game.battle(games=1)
        assert result.disagreements == 0
        assert (result.misplaced > 0) is misplaced
        assert (result.agreement == 1) is not misplaced


def test_every_difference_is_there() -> None:
    assert set().union(*(variant.changes for variant in VARIANTS)) >= DIFFERENCES
    assert sum(not variant.documented for variant in VARIANTS) >= 2


def test_the_roms_are_small_and_all_different() -> None:
    roms = [rom_file(name) for name in NAMES]
    assert packed_size(roms) <= MOST_BYTES
    assert len({rom.read_bytes() for rom in (*roms, ROM)}) == len(roms) + 1


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_build_gives_the_committed_rom_and_truth(name: str, tmp_path: Path) -> None:
    recorded = (ROM.parent / "TOOLCHAIN.txt").read_text(encoding="ascii").strip()
    if not shutil.which("cc65"):
        pytest.skip(f"no cc65 here; {recorded} is needed")
    found = subprocess.run(["cc65", "--version"], capture_output=True, text=True, check=True)
    if (found.stdout + found.stderr).strip() != recorded:
        pytest.skip(f"cc65 is {(found.stdout + found.stderr).strip()!r}, {recorded!r} is recorded")
    build(next(variant for variant in VARIANTS if variant.name == name), tmp_path)
    for made in (f"{name}.nes", "truth.yaml"):
        assert (tmp_path / made).read_bytes() == (game_file(name).parent / made).read_bytes()


def _place(entry: Any) -> tuple[Any, ...]:
    """Where an entry's bytes are, and their form: the fields with the same names in truth.yaml and in maps."""

    def said(name: str, default: Any) -> Any:
        value = entry.get(name, default) if isinstance(entry, dict) else getattr(entry, name)
        return default if value is None else value

    mask = said("mask", 0xFF)
    return (
        said("address", None), list(said("addresses", ())), said("type", "u8"), said("rows", None),
        said("columns", None), said("row_stride", None), said("column_stride", None), said("top", 0), mask,
        said("shift", 0), said("scale", 1), said("offset", 0), said("digits", None),
        said("count", None), said("zero", 0),
    )  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seat", [1, 2])
def test_the_maps_say_the_truth(name: str, seat: int) -> None:
    """Maps are written by hand, truth.yaml by the build. Shared entries are equal, except ``wins`` and ``chain``."""
    title: Any = load_game_file(game_file(name))
    ram_map = title.load_map(title.map_names("versus")[seat - 1])
    known = {**truth(name)["seats"][seat], **truth(name)["game"]}
    if seat == 1 and truth(name)["documented_addresses"]:
        known["spawning"] = known["spawn_flag"]
    shared = (known.keys() & ram_map.entries.keys()) - {"wins", "chain"}
    assert len(shared) > 20 - 6 * (seat == 2)
    for entry in sorted(shared):
        assert _place(ram_map.entries[entry]) == _place(known[entry]), entry
    assert ram_map.pair.denotes == truth(name)["denotes"]


@pytest.mark.parametrize("name", NAMES)
def test_the_rules_say_the_truth(name: str) -> None:
    with ochibot.open(game_file(name)) as game:
        rules: Any = game.rules
    known = truth(name)
    assert (rules.kicks, rules.quick_turn, rules.hidden_clear, rules.clear_size) == (
        known["kicks"], known["quick_turn"], known["hidden_clear"], known["clear_size"],
    )  # fmt: skip
    assert list(rules.chain_power) == known["score"]["chain_power"]
    assert list(rules.color_bonus) == known["score"]["color_bonus"]
    assert list(rules.group_bonus) == known["score"]["group_bonus"]
