"""Inputs that are folders of experiments: doubled, reordered, foreign, missing and damaged lines, odd settings."""

from __future__ import annotations

import json
import random
import zlib
from pathlib import Path
from typing import Final

from ochibot.errors import OchibotError
from ochibot.lab.sharded.folder import SHARDS, SUMMARY, WHAT

from tests.fuzz.mutate import gently_changed_tree, spoilt, spoilt_json
from tests.fuzz.seeds import copied
from tests.fuzz.trial import ACCEPTED, DIFFERENT, REFUSED, Trial, verdict
from tests.record.movies.runs import done

RUNS: Final = {
    "selfplay": ("selfplay", "--pieces", "3000", "--shard", "1000", "--workers", "1"),
    "tail": ("tail", "--replicas", "3", "--direct", "1000", "--excursions", "10", "--workers", "1"),
    "chance": ("chance", "trained", "--games", "2", "--held", "2", "--moments", "3", "--workers", "1"),
    "arena": ("arena", "article", "article", "--games", "6", "--max-pieces", "4", "--workers", "1"),
}


def make_folders(seeds: Path) -> None:
    """Makes a finished folder of each command, and one of the same command with another seed."""
    for name, words in RUNS.items():
        done(*words, "-o", seeds / f"lab-{name}")
        done(*words, "--seed", 2, "-o", seeds / f"lab-{name}-2")


def _lines(folder: Path) -> list[bytes]:
    return (folder / SHARDS).read_bytes().splitlines(keepends=True)


def _sealed(body: bytes) -> bytes:
    return b"%08x %b\n" % (zlib.crc32(body), body)


def _spoil_lines(dice: random.Random, folder: Path, seeds: Path, name: str) -> bool:
    """Changes the lines. Returns whether the result must be that of the whole folder, if the folder is accepted."""
    lines = _lines(folder)
    how = dice.random()
    if how < 0.3:
        lines += dice.choices(lines, k=dice.choice((1, 2, 9)))
        dice.shuffle(lines)
    elif how < 0.4:
        lines.remove(dice.choice(lines))  # the shard is played again
    elif how < 0.6:
        other = dice.choice([f"lab-{name}-2"] * 3 + [f"lab-{each}" for each in RUNS if each != name])
        foreign = dice.choice(_lines(seeds / other))
        if dice.random() < 0.5:
            lines.remove(dice.choice(lines))
        lines.insert(dice.randrange(len(lines) + 1), foreign)
    elif how < 0.75:
        data = spoilt(dice, b"".join(lines), head=40)
        (folder / SHARDS).write_bytes(data)
        return True
    else:
        at = dice.randrange(len(lines))
        body = lines[at][9:-1]
        if dice.random() < 0.6:
            body = json.dumps(gently_changed_tree(dice, json.loads(body)), separators=(",", ":")).encode()
        else:
            body = spoilt_json(dice, body.decode()).replace(b"\n", b" ")
        lines[at] = _sealed(body)
        (folder / SHARDS).write_bytes(b"".join(lines))
        return False  # a value that fits can't be told from a right one
    (folder / SHARDS).write_bytes(b"".join(lines))
    return True


def folders(dice: random.Random, seeds: Path) -> Trial:
    """A folder of an experiment that somebody else has written to. If the command accepts lines that are only doubled,
    reordered or missing, the folder must become what it was.
    """
    name = dice.choice(tuple(RUNS))
    whole = seeds / f"lab-{name}"
    folder = copied(whole, "run")
    command: tuple[str, ...] = (*RUNS[name], "-o", "run")
    how = dice.random()
    if how < 0.75:
        same = _spoil_lines(dice, folder, seeds, name)
        if name == "arena" and dice.random() < 0.3:
            return Trial(("watch", "run", str(dice.randrange(8)), "-o", "game.gif", "--to", "3"))
    else:
        same = False
        victim = folder / (WHAT if how < 0.9 else SUMMARY)
        victim.write_bytes(spoilt_json(dice, victim.read_text(encoding="utf-8")))
        if victim.name == SUMMARY:
            command = ("plot", "run", "-o", "plot.svg")
        elif name == "arena" and dice.random() < 0.5:
            command = ("watch", "run", "1", "-o", "game.gif", "--to", "3")

    def call() -> str | None:
        found = verdict(Trial(command))
        if found == REFUSED:
            raise OchibotError("refused")
        if found not in (ACCEPTED, DIFFERENT):
            return found
        changed = [file for file in (SHARDS, SUMMARY) if (folder / file).read_bytes() != (whole / file).read_bytes()]
        return f"accepted, but {' and '.join(changed)} changed" if same and changed else None

    return Trial(command, call=call)
