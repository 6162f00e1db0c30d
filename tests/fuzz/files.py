"""Inputs that are binary files: ROMs, sets, movies, records, dumps, savestates, cached kernels."""

from __future__ import annotations

import hashlib
import io
import os
import random
import subprocess
import sys
import zipfile
import zlib
from dataclasses import asdict
from pathlib import Path
from unittest.mock import patch

import numpy as np
from ochibot.record import Record
from ochibot.record.blocks import FRAMES, MAGIC, START, Block, read_log
from ochibot.record.dump import encode
from ochibot.record.events import JUMPS, Jump
from ochibot.record.manifest import LOG, MANIFEST
from ochibot.record.segment import Segment, join_sections, split_sections

from tests.fuzz.mutate import gently_changed_tree, spoilt, spoilt_json, spoilt_text
from tests.fuzz.seeds import MEGA_ROM, NEOGEO_ROM, NES_ROM, STATE_FRAMES, cartridge_games, copied, games
from tests.fuzz.trial import LIMIT, Trial
from tests.record.making import rewrite

CHILD = 0.04
BRIEF = ("--frames", "20", "--seed", "1")


def roms(dice: random.Random, _: Path) -> Trial:
    """A NES ROM, mostly damaged in its header. If it is accepted, some frames of it are played."""
    data = NES_ROM.read_bytes()
    Path("game.nes").write_bytes(spoilt(dice, data, [b"NES\x1a" + bytes(60)], head=16 if dice.random() < 0.8 else 0))
    return Trial(("play", "--rom", "game.nes", *BRIEF), dice.random() < CHILD)


def _nes2(dice: random.Random, data: bytes) -> bytes:
    """A NES 2.0 image, or one with a trainer of 512 bytes, whose sizes are given in one of many ways."""
    header, body = bytearray(data[:16]), data[16:]
    if dice.random() < 0.5:
        header[6] |= 4
        body = dice.randbytes(dice.choice((512, 512, 512, 0, 511, 513))) + body
    if dice.random() < 0.8:
        header[7] = header[7] & 0xF3 | 8
        for at in (4, 5, 8, 9, 10, 11, 12, 13, 14, 15):
            if dice.random() < 0.25:
                header[at] = dice.choice((0, 1, 2, 0x0F, 0xF0, 0xFF, dice.randrange(256)))
        if dice.random() < 0.3:
            # a size as exponent and multiplier
            header[9] |= dice.choice((0x0F, 0xF0, 0xFF))
            header[4], header[5] = dice.choice((60, 56, 0, 255, dice.randrange(256))), dice.choice((52, 0, 255))
    return bytes(header) + body


def cartridges(dice: random.Random, _: Path) -> Trial:
    """A NES 2.0 image or one with a trainer; or a Mega Drive ROM, damaged, swapped, cut or interleaved."""
    if "tsu" not in cartridge_games() or dice.random() < 0.5:
        data = _nes2(dice, NES_ROM.read_bytes())
        Path("game.nes").write_bytes(spoilt(dice, data, head=16) if dice.random() < 0.4 else data)
        return Trial(("play", "--rom", "game.nes", *BRIEF), dice.random() < CHILD)
    data = MEGA_ROM.read_bytes()
    how = dice.randrange(6)
    if how == 0:
        halves = np.frombuffer(data[: len(data) & ~0x3FFF], np.uint8).reshape(-1, 0x2000, 2)
        data = bytes(dice.choice((512, 512, 0, 511))) + halves[:, :, ::-1].transpose(0, 2, 1).tobytes()
    elif how == 1:
        data = np.frombuffer(data, ">u2").astype("<u2").tobytes()
    else:
        data = spoilt(dice, data, [b"SEGA 32X" * 9], head=dice.choice((8, 0x200, 0x200, 0)))
    name = f"game.{dice.choice(('md', 'bin', 'gen', 'smd', 'zip'))}"
    Path(name).write_bytes(data)
    return Trial(("play", "tsu", "--rom", name, *BRIEF), dice.random() < CHILD)


def _rezipped(dice: random.Random, data: bytes) -> bytes:
    """An intact archive in which one file is missing, renamed, damaged, replaced by zeros, or present twice."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w") as new:
        infos = old.infolist()
        victim = dice.choice(infos)
        for info in infos:
            content, name = old.read(info), info.filename
            if info is victim:
                how = dice.randrange(6)
                if how == 0:
                    continue
                if how == 1:
                    name = dice.choice(
                        ("", "../x", "a" * 300, "é.nes", "._game.nes", "x/" + name, name.upper(), "\u202e")
                    )
                elif how < 4:
                    content = spoilt(dice, content, head=64)
                elif how == 4:
                    content = bytes(dice.choice((0, 1, 1 << 22)))
                else:
                    new.writestr(name, content)
            method = dice.choice(
                (zipfile.ZIP_DEFLATED,) * 4 + (zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
            )
            new.writestr(name, content, method)
    return made.getvalue()


def _spoilt_zip(dice: random.Random, data: bytes) -> bytes:
    how = dice.random()
    if how < 0.4:
        return _rezipped(dice, data)
    if how < 0.8:
        # the archive's table of contents is at its end
        tail = min(len(data), 400)
        return data[:-tail] + spoilt(dice, data[-tail:])
    return spoilt(dice, data, head=100)


def zips(dice: random.Random, seeds: Path) -> Trial:
    """Damaged archives: a zipped NES ROM, our Neo Geo set with its description, or a user's set with its system ROM."""
    import warnings

    warnings.filterwarnings("ignore", "Duplicate name")
    kind = dice.choice(("nes", "romdata", "romdata", "dat", "dat", "set"))
    if kind == "nes" or "nyaa" not in games():
        Path("game.zip").write_bytes(_spoilt_zip(dice, (seeds / "game.zip").read_bytes()))
        return Trial(("play", "--rom", "game.zip", *BRIEF), dice.random() < CHILD)
    if kind == "set":
        for name in ("pnyaa.zip", "neogeo.zip"):
            copied(seeds / name, name)
        victim = Path(dice.choice(("pnyaa.zip", "neogeo.zip")))
        data = victim.read_bytes()
        victim.write_bytes(_spoilt_zip(dice, data) if victim.name == "neogeo.zip" else spoilt(dice, data, head=200))
        return Trial(("play", "nyaa", "--rom", "pnyaa.zip", *BRIEF), child=True)
    described = NEOGEO_ROM.with_suffix(".dat").read_bytes()
    packed = NEOGEO_ROM.read_bytes()
    if kind == "dat":
        if dice.random() < 0.5:
            described = spoilt(dice, described)
        else:
            text = spoilt_text(dice, described.decode(), "0123456789abcdefx,:. \n")
            described = text.encode("utf-8", "surrogatepass")
    else:
        packed = _spoilt_zip(dice, packed)
    Path("game.zip").write_bytes(packed)
    Path("game.dat").write_bytes(described)
    return Trial(("play", "nyaa", "--rom", "game.zip", *BRIEF), dice.random() < CHILD)


def movies(dice: random.Random, seeds: Path) -> Trial:
    """Movies of FCEUX and BizHawk, played in our core and recorded."""
    kind = dice.choice(("fm2", "bk2"))
    data = (seeds / f"film.{kind}").read_bytes()
    if kind == "bk2":
        data = _spoilt_zip(dice, data)
    elif dice.random() < 0.5:
        data = spoilt_text(dice, data.decode(), "|.RLDUTSBA0123456789 \n").encode("utf-8", "surrogatepass")
    else:
        data = spoilt(dice, data, head=400)
    name = f"film.{kind if dice.random() < 0.97 else dice.choice(('fm2', 'bk2', 'txt'))}"
    Path(name).write_bytes(data)
    any_rom = ("--any-rom",) if dice.random() < 0.3 else ()
    return Trial(("movie", "import", name, "-o", "made", *any_rom), dice.random() < CHILD)


def sealed(blocks: list[Block]) -> bytes:
    """The bytes of a log with these blocks."""
    return MAGIC + b"".join(block.encoded() for block in blocks)


def _spoilt_section(dice: random.Random, block: Block) -> Block:
    """A block with damaged contents; its checksums fit these contents."""
    payload = zlib.decompress(block.payload)
    first, count = block.first, block.count
    if block.kind in (START, FRAMES):
        parts = split_sections(payload)
        name = dice.choice(sorted(parts))
        how = dice.randrange(5)
        if how == 0:
            del parts[name]
        elif how == 1:
            parts[dice.choice((b"J", b"E", b"S", b"V", b"X"))] = parts[name]
        elif name == b"E":
            parts[name] = spoilt_json(dice, parts[name].decode())
        else:
            parts[name] = spoilt(dice, parts[name], head=64 if dice.random() < 0.5 else 0)
        payload = join_sections(parts)
    else:
        payload = spoilt_json(dice, payload.decode())
    if dice.random() < 0.1:
        count = dice.choice((0, 1, count + 1, 60_000, 60_001, 2**32 - 1))
    packed = zlib.compress(payload) if dice.random() < 0.95 else spoilt(dice, zlib.compress(payload))
    return Block(block.kind, block.number, first, count, packed)


def _spoilt_segment(dice: random.Random, record: Record, number: int) -> None:
    """Writes a record anew with one segment changed. The file's format stays valid; only the content is odd."""

    def change(segment: Segment) -> None:
        how = dice.randrange(5)
        if how == 0:
            at = dice.randrange(len(segment.pads))
            segment.pads[at : at + dice.choice((1, 5, 30))] = dice.choice((0, 8, 0xFFFFFFFF, dice.randrange(2**32)))
        elif how == 1 and segment.state is not None:
            segment.state = spoilt_state(dice, segment.state)
        elif how == 2:
            frame = segment.first + dice.randrange(len(segment.pads))
            kind = dice.choice(JUMPS)
            state = spoilt_state(dice, record.start_state or segment.state or bytes(100))
            poked = b"".join(dice.choice((b"\x00\x01\0\0", dice.randbytes(4))) + dice.randbytes(1) for _ in range(9))
            segment.jumps = [Jump(frame, kind, {"load": state, "poke": poked}.get(kind, b""))]
        elif how == 3 and segment.events:
            at = dice.randrange(len(segment.events))
            told = gently_changed_tree(dice, asdict(segment.events[at]))
            segment.events[at] = type(segment.events[at])(**told)
        else:
            segment.picture = np.zeros((dice.choice((1, 224, 1000)), dice.choice((1, 240)), 3), np.uint8)
            segment.picture_frame = segment.last

    rewrite(record, change, number)


def _spoil_record(dice: random.Random, folder: Path) -> None:
    manifest, log = folder / MANIFEST, folder / LOG
    how = dice.random()
    if how < 0.15:
        log.write_bytes(spoilt(dice, log.read_bytes(), head=100))
        return
    blocks, _ = read_log(log)
    if how < 0.4:
        _spoilt_segment(dice, Record.open(folder), dice.randrange(sum(block.kind == FRAMES for block in blocks)))
        return
    if how < 0.75:
        at = dice.randrange(len(blocks))
        blocks[at] = _spoilt_section(dice, blocks[at])
        if dice.random() < 0.1:
            other = dice.randrange(len(blocks))
            blocks[at], blocks[other] = blocks[other], blocks[at]
    else:
        data = spoilt_json(dice, manifest.read_text(encoding="utf-8"))
        manifest.write_bytes(data)
        parts = split_sections(blocks[0].unpacked())
        parts[b"M"] = hashlib.blake2b(data, digest_size=32).digest()
        blocks[0] = Block(START, 0, blocks[0].first, 0, zlib.compress(join_sections(parts)))
    log.write_bytes(sealed(blocks))


def records(dice: random.Random, seeds: Path) -> Trial:
    """Damaged records, mostly with checksums that fit, given to the commands that read records."""
    names = [f"{game}-{start}" for game in games() for start in ("power", "state")] + ["puyo-played"] * 2
    folder = copied(seeds / dice.choice(names), "run")
    _spoil_record(dice, folder)
    command = dice.choice(
        (
            *((("verify", "run"),) * 3),
            ("verify", "run", "--from", "45", "--strict"),
            ("video", "run", "-o", "film.gif", "--overlay"),
            ("video", "run", "-o", "film.png", "--from", "41"),
            ("dump", "run", "--at-locks", "-o", "dump"),
            ("dump", "run", "--every", "30", "-o", "dump"),
            ("movie", "export", "run", "-o", "film.fm2"),
            ("movie", "export", "run", "-o", "film.bk2"),
        )
    )
    if command[0] == "verify":
        # without a name, the command would leave the picture of a difference among the user's temporary files
        command = (*command, "--picture", "difference.png")
    return Trial(command, dice.random() < CHILD)


def dumps(dice: random.Random, seeds: Path) -> Trial:
    """Damaged dumps (pictures and their index), compared with the record that they were made from."""
    copied(seeds / "puyo-played", "run")
    folder = copied(seeds / "dump", "dump")
    victim = dice.choice([folder / "dump.jsonl"] * 3 + sorted(folder.glob("*.png")))
    data = victim.read_bytes()
    if victim.suffix == ".jsonl" and dice.random() < 0.6:
        lines = data.decode().splitlines()
        at = dice.randrange(len(lines))
        lines[at] = spoilt_json(dice, lines[at]).decode("utf-8", "replace")
        victim.write_text("\n".join(lines) + "\n", encoding="utf-8")
    elif victim.suffix == ".png" and dice.random() < 0.4:
        size = dice.choice(((224, 240, 3), (1, 1, 3), (224, 1000, 3)))
        victim.write_bytes(encode(np.full(size, dice.randrange(256), np.uint8)))
    elif dice.random() < 0.05:
        victim.unlink()
        victim.mkdir()
    else:
        victim.write_bytes(spoilt(dice, data, head=60))
    return Trial(("verify", "run", "--dump", "dump", "--picture", "difference.png"), dice.random() < CHILD)


def spoilt_state(dice: random.Random, data: bytes) -> bytes:
    """A damaged savestate, mostly of the same size: a state of the right size gets further before it is refused."""
    how = dice.randrange(6)
    if how == 0:
        return bytes(len(data))
    if how == 1:
        return data[:64] + dice.randbytes(len(data) - 64)
    if how == 2:
        return spoilt(dice, data, [data[::-1]], head=200)
    changed = bytearray(data)
    for _ in range(dice.choice((1, 20, 400))):
        at, size = dice.randrange(len(changed)), dice.choice((1, 1, 4, 64, 4096))
        size = min(size, len(changed) - at)
        changed[at : at + size] = dice.choice((bytes(size), b"\xff" * size, dice.randbytes(size)))
    return bytes(changed)


def states(dice: random.Random, seeds: Path) -> Trial:
    """A damaged savestate. The command tries it in a process of its own before the game goes on from it."""
    game = dice.choice(games())
    known = [(seeds / f"{game}-{frame}.state").read_bytes() for frame in STATE_FRAMES]
    Path("game.state").write_bytes(spoilt_state(dice, dice.choice(known)))
    return Trial(("play", game, "--from-state", "game.state", "--frames", "20"), dice.random() < CHILD)


ASK = """
import numpy as np
from tests.jit.tiny import LIBRARY
numbers = np.array([2, -5])
LIBRARY.load("triple")(numbers)
print(numbers.tolist())
"""


def _spoil_cache(dice: random.Random) -> bool:
    """Damages the cache in the current folder. Returns whether the files of the kernel ``triple`` are still intact."""
    files = sorted(path for path in Path("cache").rglob("*") if path.is_file())
    before = {path: path.read_bytes() for path in files if ".triple" in path.name and path.suffix != ".lock"}
    for _ in range(dice.choice((1, 1, 2))):
        victim = dice.choice([path for path in files if ".triple" in path.name] * 3 + files)
        if not victim.is_file():
            continue
        other = dice.choice(files)
        how = dice.randrange(10)
        if how < 7:
            victim.write_bytes(spoilt(dice, victim.read_bytes(), [b"\0" * 100], head=dice.choice((0, 0, 120))))
        elif how == 7:
            victim.write_bytes(before.get(other) or dice.randbytes(30))
        elif how == 8:
            victim.unlink()
        else:
            victim.unlink()
            victim.mkdir()
    return all(path.is_file() and path.read_bytes() == data for path, data in before.items())


def caches(dice: random.Random, seeds: Path) -> Trial:
    """Damaged files of compiled kernels. A damaged kernel must never be loaded; it must be compiled anew."""
    copied(seeds / "cache", "cache")
    same = _spoil_cache(dice)
    runs = dice.random() < 0.2

    def look() -> str | None:
        from ochibot.jit.kept import State
        from ochibot.jit.waiting import estimate

        from tests.jit.tiny import LIBRARY

        with patch.dict(os.environ, {"XDG_CACHE_HOME": str(Path("cache").absolute())}):
            whole = LIBRARY.kept("triple").read()[0] is State.WHOLE
            estimate("tiny.triple", 2)
        return None if whole == same else f"it is taken for {'whole' if whole else 'damaged'}"

    def compute() -> str | None:
        env = {**os.environ, "XDG_CACHE_HOME": str(Path("cache").absolute()), "PYTHONDONTWRITEBYTECODE": "1"}
        words = [sys.executable, "-c", ASK]
        try:
            done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=LIMIT, check=False)
        except subprocess.TimeoutExpired:
            return "hangs"
        return None if (done.returncode, done.stdout) == (0, "[6, -15]\n") else f"{done.returncode}: {done.stderr}"

    return Trial(("(a program that asks tests.jit.tiny)",), call=compute if runs else look)
