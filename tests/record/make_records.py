"""Makes the short records in tests/records anew: python -m tests.record.make_records (after the ROM was rebuilt).

Each record is of one of our own games, played by the bot or by random pads from a fixed seed. Replaying the records is
a regression test of records, cores and ROMs.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import ochibot
from ochibot.console import Button
from ochibot.play.endless import Endless
from ochibot.play.seat import SeatPlayer
from ochibot.play.speed import speed_of
from ochibot.record import About, PlayerInfo, Recorder

from tests.record.making import PUYO, mash, seat_map
from tests.titles import famicom_seat, open_console, open_rom, player_of

RECORDS = Path(__file__).parent.parent / "records"


def endless(folder: Path, core: str, pieces: int) -> None:
    """Records the bot playing ``pieces`` pieces on level 4."""
    about = About(
        command="play",
        game=PUYO.name,
        mode=PUYO.solo_mode,
        seed=0,
        players=(PlayerInfo(name="article", seat=1, speed=10),),
        settings={"level": 4},
        maps=(seat_map(),),
    )
    with (
        open_console(core, open_rom(None)) as console,
        Recorder.begin(folder, console, about, every=200, segment=2000) as recorder,
    ):
        machine = recorder.console
        seat = famicom_seat(seat_map(), machine.ram)
        PUYO.reach(machine, seat, PUYO.solo_mode, {"level": 4})
        player = player_of(PUYO)
        run = Endless(machine, SeatPlayer(seat, player, speed_of(10), watcher=recorder), seed=0, speed=10)
        run.run(pieces=pieces)
        recorder.end = run.stopped_by


def jumps(folder: Path, core: str) -> None:
    """Records random pads, a loaded savestate and a press of the reset button."""
    about = About(command="test", game=PUYO.name, maps=(seat_map(),))
    with open_console(core, open_rom(None)) as console, Recorder.begin(folder, console, about) as recorder:
        machine = recorder.console
        PUYO.reach(machine, famicom_seat(seat_map(), machine.ram), PUYO.solo_mode, {})
        state = machine.save()
        mash(machine, 100)
        machine.load(state)
        mash(machine, 60, 2)
        machine.reset()
        mash(machine, 30, 3)
        machine.step(Button.START)
        recorder.end = "frames"


def chain(folder: Path) -> None:
    """Records the player ``chain`` on the Famicom up to a 13-chain. The README's animation is made from it."""
    with ochibot.open("puyo", core="fceumm", seed=3, options={"colors": 4}) as game:
        game.record(folder, command="play", players=(("chain", 1, 10),))
        game.play("chain", pieces=46)


def long_chain(folder: Path) -> None:
    """Records the player ``chain`` on the Mega Drive up to a 13-chain."""
    with ochibot.open("tsu", core="genesis_plus_gx", seed=2) as game:
        game.record(folder, command="play", players=(("chain", 1, 10),))
        game.play("chain", pieces=40)


def main() -> None:
    """Makes all the records."""
    for core, one in (("fceumm", chain), ("genesis_plus_gx", long_chain)):
        folder = RECORDS / f"chain-{core}"
        shutil.rmtree(folder, ignore_errors=True)
        one(folder)
        print(folder.name, sum(path.stat().st_size for path in folder.iterdir()), "bytes")
    for core in ("fceumm", "nestopia"):
        for name, make in (("endless", lambda folder, core: endless(folder, core, 6)), ("jumps", jumps)):
            folder = RECORDS / f"{name}-{core}"
            shutil.rmtree(folder, ignore_errors=True)
            make(folder, core)
            print(folder.name, sum(path.stat().st_size for path in folder.iterdir()), "bytes")


if __name__ == "__main__":
    main()
