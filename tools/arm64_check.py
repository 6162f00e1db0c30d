"""What tools/arm64.sh runs on both processors.

``arm64_check.py same`` prints digests that must be equal: of what each family's kernels make of 20,000 boards, and of
the RAM of a NES core after play from savestates. ``arm64_check.py play`` plays 100 pieces in that core.
"""

from __future__ import annotations

import hashlib
import platform
import sys
import time

import ochibot
from ochibot.bench.nyaa import KINDS, random_boards
from ochibot.cli.main import script
from ochibot.data import data_path
from ochibot.lab.selfplay import SelfPlay
from ochibot.nyaa.bulk import bulk_values
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.search.player import load_player

BOARDS = 20_000
EACH = 100


def puyo() -> str:
    """The digest of the field, the score and the leaves after each 100 of 20,000 pieces that article.yaml places."""
    player = load_player(data_path("configs/players/article.yaml"))
    game = SelfPlay(player, 4, 1, load_rules("famicom"))
    digest = hashlib.sha256()
    for _ in range(BOARDS // EACH):
        numbers = game.play(EACH)
        digest.update(game.field.cells.tobytes())
        digest.update(str((numbers.pieces, numbers.score, numbers.leaves)).encode())
    return digest.hexdigest()


def nyaa() -> str:
    """The digest of all numbers of 20,000 random boards, under both rulesets."""
    digest = hashlib.sha256()
    for kind in KINDS:
        codes = [list(grid.codes) for grid in random_boards(kind, BOARDS // len(KINDS))]
        digest.update(bulk_values(codes).answers.tobytes())
    return digest.hexdigest()


def states() -> str:
    """Tries every placement from each of five moments in Nestopia. Returns the digest of RAM after each."""
    digest = hashlib.sha256()
    with ochibot.open("puyo", core="nestopia", seed=1) as session:
        session.start()
        for _ in range(5):
            moment = session.save()
            for placement in session.placements():
                session.load(moment)
                locked = session.place(placement)
                if not locked.agreed:
                    raise SystemExit(f"{placement} led elsewhere")
                digest.update(session.console.ram.snapshot())
    return digest.hexdigest()


def main() -> None:
    """See the module."""
    if sys.argv[1] == "play":
        sys.argv[1:] = ["play", "puyo", "--core", "nestopia", "--pieces", "100", "--seed", "1", "--json", "-"]
        script()
        return
    for name, made in (("puyo", puyo), ("nyaa", nyaa), ("savestates", states)):
        begun = time.process_time()
        text = made()
        print(f"{name}: sha256 {text}", flush=True)
        spent = time.process_time() - begun
        print(f"{name}: {spent:.0f} s of processor time on {platform.machine()}", file=sys.stderr)


if __name__ == "__main__":
    main()
