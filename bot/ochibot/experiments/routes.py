"""Opens a ROM for experiments, and finds and keeps the way to play."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PIL import Image

from ochibot.console import Console, Rom, find_core, find_system
from ochibot.errors import CalibrationError, UsageError
from ochibot.experiments.effort import EFFORTS, more_than
from ochibot.experiments.explore import Explorer, Route, find_modes
from ochibot.experiments.motion import motion
from ochibot.experiments.rig import Rig
from ochibot.experiments.write import dump, write
from ochibot.leftovers import make_folder, whole_file
from ochibot.wording import counted

Progress = Callable[[str, float], None]


def open_rig(rom: Rom, core: str | None, system: Path | None) -> Rig:
    """Opens a console with a ROM, for experiments. The caller closes the console."""
    row = find_system(rom.system)
    return Rig(Console.open(find_core(rom.system, core), rom, options=row.options, bios=system))


def explore_rom(
    rig: Rig, folder: Path, progress: Progress, frames: int = EFFORTS["normal"], state: bytes | None = None
) -> Route:
    """Searches the menus for play, and writes route.yaml, play.state and the pictures on the way into ``folder``.

    frames: how many the search may take. state: a savestate to begin at; None: at power-on. Raises CalibrationError
    when play isn't reached.
    """
    make_folder(folder)
    rig.limit(frames)
    if state is not None:
        seen = motion(rig, state)
        if seen:
            route = Route((), (), seen, state, (), 1)
            save_route(folder, route, rig, state)
            return route
        rig.load(state)
    explorer = _search(rig, progress)
    try:
        route = explorer.find()
    except CalibrationError as error:
        raise CalibrationError(_used_up(explorer, frames) or str(error)) from None
    rig.limit(None)
    save_route(folder, route, rig, state)
    return route


def _search(rig: Rig, progress: Progress) -> Explorer:
    return Explorer(rig, lambda screens, more: progress(f"{counted(screens, 'screen')} tried, {more} to try", 0.0))


def _used_up(explorer: Explorer, frames: int) -> str:
    """Why a search ended, if its frames were used up; otherwise empty."""
    if not explorer.rig.spent:
        return ""
    return (
        f"the {counted(frames, 'emulated frame')} were used up after {counted(explorer.screens, 'screen')}, and "
        f"{counted(explorer.waiting, 'more waits', 'more wait')} untried: search on with {more_than(frames)}, or give "
        "a savestate of play with --from-state"
    )


def explore_modes(
    rig: Rig,
    folder: Path,
    address: int,
    names: dict[int, str],
    progress: Progress,
    frames: int = EFFORTS["normal"],
    state: bytes | None = None,
) -> tuple[dict[str, Route], str]:
    """Searches the menus for play in each mode that a documented byte tells apart; writes each route into FOLDER/MODE.

    Returns the routes, and in words that the frames were used up, if they were. frames, state: as in ``explore_rom``.
    Raises CalibrationError when no mode is reached, UsageError for an address where there is no RAM.
    """
    try:
        place = rig.offset(address)
    except CalibrationError as error:
        raise UsageError(str(error)) from None
    make_folder(folder)
    rig.limit(frames)
    if state is not None:
        rig.load(state)
    explorer = _search(rig, progress)
    found = find_modes(explorer, place, names)
    used_up = _used_up(explorer, frames)
    if not found:
        raise CalibrationError(
            used_up
            or f"none of the modes was reached on {counted(explorer.screens, 'screen')}: see whether the byte at "
            f"{address:#06x} holds the mode, or give other values"
        )
    rig.limit(None)
    for name, route in found.items():
        make_folder(folder / name)
        save_route(folder / name, route, rig, state)
    return found, used_up


def save_route(folder: Path, route: Route, rig: Rig, start: bytes | None = None) -> dict[str, str]:
    """Writes route.yaml, play.state and a picture of each screen. Returns the pictures' names with their captions.

    start: the savestate at which the route begins, written as start.state; None: it begins at power-on.
    """
    shown = {}
    for number, step in enumerate(route.steps):
        name = f"screen{number}-{step.button}.png"
        Image.fromarray(step.picture).save(folder / name)
        shown[name] = f"the way to play: {step.button}"
    states = {"play.state": route.state} | ({} if start is None else {"start.state": start})
    for name, state in states.items():
        with whole_file(folder / name) as partial:
            partial.write_bytes(state)
    data = {
        "rom": rig.console.rom.sha1,
        "core": rig.console.core_name,
        **({} if start is None else {"from": "start.state"}),
        "taps": list(route.buttons),
        "pads": [[pad, frames] for pad, frames in route.presses],
        "frames": route.frames,
        "moves_across": {f"0x{rig.address(place):04X}": step for place, step in route.motion.across.items()},
        "falls": {f"0x{rig.address(place):04X}": step for place, step in route.motion.fall.items()},
    }
    begin = "power-on" if start is None else "the savestate start.state"
    head = f"# The way to play: pads are [button mask, frames] from {begin}; play.state is a savestate there.\n"
    write(folder / "route.yaml", head + dump(data))
    return shown
