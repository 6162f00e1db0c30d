"""Runs a libretro core with a ROM in this process, one frame at a time. Nothing here is about particular games."""

from __future__ import annotations

import _ctypes
import ctypes
import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from ochibot.console import poweron
from ochibot.console.native import AUDIO_FRAMES, HostState, rgb
from ochibot.console.poweron import begin_random, settled
from ochibot.console.ram import CLOSED, Ram, find_banks
from ochibot.console.rom import Rom
from ochibot.console.systems import Made, RamLayout, find_system
from ochibot.data import read_file
from ochibot.errors import ConsoleError
from ochibot.leftovers import TemporaryFolder

_MEMORY_SYSTEM_RAM = 2
_DEVICE_JOYPAD = 1
_EVERYTHING = 3
_FRAME_BYTES = 1024 * 1024 * 4

_open_cores: set[str] = set()
"""Real paths of the core files that this process has mapped: a second console needs its own copy."""


class Console:
    """A core and a ROM, running. Open it with ``Console.open`` and use it in a ``with`` block.

    ``ram`` stays valid until ``close``. One thread at a time may use a console; several consoles may be open side by
    side, each with its own copy of the core.
    """

    def __init__(self, core: Path, rom: Rom, options: Mapping[str, str], bios: Path | None) -> None:
        # libretro.py is imported only here, so that commands without a core start fast
        from ochibot.console.host import NativeCore, make_session

        self.rom = rom
        row = find_system(rom.system)
        self._layout: RamLayout = row.ram
        self.core_path = core
        self._options = dict(options)
        self._bios = bios
        self._host = HostState(av_enable=_EVERYTHING, keep_video=1, buttons=row.buttons)
        self.made = Made.ALL
        self._frame = np.zeros(_FRAME_BYTES, np.uint8)
        self._audio = np.zeros((AUDIO_FRAMES, 2), np.int16)
        self._host.frame = self._frame.ctypes.data
        self._host.frame_size = self._frame.size
        self._host.audio = self._audio.ctypes.data
        # a memoryview stores a number in half the time of the ctypes array
        self._pads = memoryview(self._host.pads).cast("B").cast("i")
        self._folders = TemporaryFolder()
        self._resets = 0
        self._session: Any = None
        self._core: NativeCore | None = None
        self._claimed: str | None = None
        try:
            self._open(NativeCore, make_session, options, bios)
        except BaseException:
            self.close()
            raise

    @classmethod
    def open(
        cls,
        core: Path,
        rom: Rom,
        *,
        options: Mapping[str, str] | None = None,
        bios: Path | None = None,
    ) -> Console:
        """Loads a core file and puts a ROM into it; no frame has run yet.

        ``options`` are core options by key; ``bios`` is the folder of system ROMs. Raises ConsoleError when the file is
        no libretro core or the core refuses the ROM.
        """
        return cls(core, rom, options or {}, bios)

    def _open(self, native: Any, make: Any, options: Mapping[str, str], bios: Path | None) -> None:
        folder = self._folders.path
        files = (self.rom.file_name, *(name for name, _ in (*self.rom.companions, *self.rom.system_files)))
        if any(name in ("", ".", "..") or {"/", "\\", "\0"} & {*name} for name in files):
            raise ConsoleError(f"can't put {self.rom.source} into a core: one of its files would lie in another folder")
        rom_file = folder / "rom" / self.rom.file_name
        try:
            rom_file.parent.mkdir()
            rom_file.write_bytes(self.rom.data)
            for name, data in self.rom.companions:
                (rom_file.parent / name).write_bytes(data)
            if self.rom.system_files:
                bios = folder / "system"
                bios.mkdir()
                for name, data in self.rom.system_files:
                    (bios / name).write_bytes(data)
        except OSError as error:
            raise ConsoleError(
                f"can't copy the ROM for the core to {folder.parent}: {error.strerror or error}; make room there, or "
                "set TMPDIR to another folder"
            ) from None
        try:
            # loading the library of a device or a pipe might never end
            read_file(self.core_path, 4)
            self._core = core = native(self._own_copy(folder), self._host)
        except (OSError, ValueError, AttributeError) as error:
            raise ConsoleError(
                f"{self.core_path} is not a libretro core that runs here ({error}); give another with --core"
            ) from None
        kinds = _text(core.get_system_info().valid_extensions or b"").lower().split("|")
        if rom_file.suffix[1:].lower() not in kinds:
            raise ConsoleError(
                f"the core {self.core_path.name} takes {', '.join(kinds)} files, not {rom_file.suffix}; "
                "give a core for this system with --core"
            )
        session = make(core, rom_file, folder, options, bios)
        try:
            session.__enter__()
        except Exception as error:
            raise ConsoleError(f"the core {self.core_path.name} refused {self.rom.source}: {error}") from None
        self._session = session
        # The frontend must plug the pads in; otherwise Nestopia sees no pads.
        for port in range(2):
            core.set_controller_port_device(port, _DEVICE_JOYPAD)
        info = core.get_system_info()
        self.core_name = _text(info.library_name)
        self.core_version = " ".join(_text(info.library_version).split())
        shown = core.get_system_av_info()
        self.picture_size = int(shown.geometry.base_width), int(shown.geometry.base_height)
        timing = shown.timing
        self.fps = float(timing.fps)
        self.sample_rate = float(timing.sample_rate)
        memory = core.get_memory(_MEMORY_SYSTEM_RAM)
        if memory is None or not len(memory):
            raise ConsoleError(
                f"the core {self.core_name} shows no RAM for {self.rom.source}: it has refused the ROM, or is for "
                "another system; try another core or ROM"
            )
        # some cores say a larger size than their block has (mGBA for a Game Boy)
        work = np.frombuffer(memory, np.uint8)[: self._layout.last - self._layout.base + 1]
        self.ram = Ram(work, self._layout, find_banks(session, core, self.rom))
        self._run_address = _address(core.library.retro_run)
        if self.core_name == poweron.NAME:
            self._host.run, self._run_address = self._run_address, core.native("run_shown")
            self._host.screen = poweron.screen_switch(session.memory_maps)
        # a function type of its own: by default ctypes would read a return value, and this function has none
        self._run: Callable[[], None] = ctypes.CFUNCTYPE(None)(self._run_address)
        self._settle(core)

    def _settle(self, core: Any) -> None:
        """Clears the parts of the core's initial state that are random, so that equal runs are equal."""
        state = bytearray(core.serialize_size())
        fresh = settled(self.core_name, bytes(state)) if state and core.serialize(state) else None
        if fresh is not None and not core.unserialize(bytearray(fresh)):
            raise ConsoleError(f"the core {self.core_name} refuses its own savestate; try another core")

    def _own_copy(self, folder: Path) -> Path:
        """The core file, or a copy if this process has mapped the file already, because cores keep state in globals."""
        real = os.path.realpath(self.core_path)
        if real not in _open_cores:
            _open_cores.add(real)
            self._claimed = real
            return Path(real)
        copy = folder / self.core_path.name
        shutil.copyfile(real, copy)
        return copy

    def __enter__(self) -> Console:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Unloads the game and the core. A closed console can't be used again; closing twice does nothing."""
        session, self._session = self._session, None
        core, self._core = self._core, None
        if session is not None:
            # the core's memory is about to be freed, so reading through ``ram`` must raise from now on
            self._lose_memory()
            session.__exit__(None, None, None)
        if core is not None:
            _unload(core.handle)
            # C++ cores may refuse to be unmapped; their globals then live on, so the next console needs a copy
            if self._claimed is not None and not _still_mapped(self._claimed):
                _open_cores.discard(self._claimed)
        elif self._claimed is not None:
            _open_cores.discard(self._claimed)
        self._claimed = None
        self._folders.cleanup()

    def _lose_memory(self) -> None:
        ram: Ram | None = getattr(self, "ram", None)
        if ram is not None:
            ram.close()
        self._run = _closed

    @property
    def core_file(self) -> str:
        """The name of the core's file, without its folder."""
        return self.core_path.name

    @cached_property
    def core_sha1(self) -> str:
        """SHA-1 of the core's file, 40 hexadecimal digits. Raises ConsoleError when it can't be read."""
        try:
            with self.core_path.open("rb") as file:
                return hashlib.file_digest(file, lambda: hashlib.sha1(usedforsecurity=False)).hexdigest()
        except OSError as error:
            raise ConsoleError(f"can't read the core {self.core_path}: {error.strerror or error}") from None

    def step(self, first: int = 0, second: int = 0, /, *_: int) -> None:
        """Runs one frame with one Button mask for each of the two ports (default: no button). Ignores further masks."""
        pads = self._pads
        pads[0] = first
        pads[1] = second
        self._run()

    def _opened(self) -> Any:
        """The core. Raises ConsoleError after ``close``."""
        if self._core is None:
            raise ConsoleError(CLOSED)
        return self._core

    def run_bare(self, frames: int) -> None:
        """Runs frames, without pressing a button, in a native loop that keeps no picture.

        Its speed is the upper bound in benchmarks. What the core makes (``made``) stays the same.
        """
        core = self._opened()
        loop = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint64)(core.native("run_many"))
        kept, self._host.keep_video = self._host.keep_video, 0
        self._pads[0] = self._pads[1] = 0
        loop(self._run_address, frames)
        self._host.keep_video = kept

    def make(self, wanted: Made) -> None:
        """Sets what the core makes from the next frame on (everything at first); ``made`` is what it really makes.

        If the core can't leave out exactly the rest, it makes everything. Pictures are kept only with ``Made.ALL``.
        The setting may change at any frame, and works with any savestate.
        """
        masks = find_system(self.rom.system).av.get(self.core_name, {})
        self.made = wanted if wanted in masks else Made.ALL
        self._host.av_enable = masks.get(wanted, _EVERYTHING)
        self._host.keep_video = int(wanted is Made.ALL)

    def keep_video(self, on: bool) -> None:
        """Sets whether pictures are kept for ``frame`` (initially on). If not, a frame takes 3 to 9 µs less."""
        self._host.keep_video = int(on)

    def keep_audio(self, on: bool) -> None:
        """Sets whether sound is kept for ``audio`` (initially off)."""
        self._host.keep_audio = int(on)
        self._host.audio_count = 0

    def audio(self) -> npt.NDArray[np.int16]:
        """The stereo sound since the last call, (N, 2) int16 at ``sample_rate``; a copy."""
        count = int(self._host.audio_count)
        self._host.audio_count = 0
        return self._audio[:count].copy()

    @property
    def frames_shown(self) -> int:
        """How many pictures the core has made so far, repeated ones not counted."""
        return int(self._host.frames_shown)

    def frame(self) -> npt.NDArray[np.uint8]:
        """The last picture kept, (H, W, 3) uint8 RGB; a copy. Black before the first (FBNeo's first frame has none).

        Raises ConsoleError while ``make`` or ``keep_video`` is set so that no pictures are kept.
        """
        host = self._host
        if not host.keep_video:
            raise ConsoleError("there is no picture: none is kept")
        height, width, pitch = int(host.height), int(host.width), int(host.pitch)
        if not height:
            return np.zeros((self.picture_size[1], self.picture_size[0], 3), np.uint8)
        rows = self._frame[: height * pitch].reshape(height, pitch)
        return rgb(rows, width, int(host.pixel_format))

    def reset(self) -> None:
        """Presses the machine's reset button."""
        begin_random(self._resets)
        self._resets += 1
        self._opened().reset()

    def save(self) -> bytes:
        """A savestate. Raises ConsoleError when the core makes none."""
        core = self._opened()
        state = bytearray(core.serialize_size())
        if not state or not core.serialize(state):
            raise ConsoleError(f"the core {self.core_name} makes no savestates; use another core")
        return bytes(state)

    def load(self, state: bytes) -> None:
        """Loads a savestate of the same core and ROM. Raises ConsoleError when the core refuses it."""
        core = self._opened()
        if len(state) != core.serialize_size() or not core.unserialize(bytearray(state)):
            raise ConsoleError(
                f"the core {self.core_name} refused the savestate: it was made by another core, version or ROM"
            )

    def try_state(self, *states: bytes) -> None:
        """Tries savestates in a separate process. Raises ConsoleError when the core refuses one, crashes or hangs."""
        from ochibot.console.trial import AT_ONCE, StateTrial, try_states

        for first in range(0, len(states), AT_ONCE):
            some = states[first : first + AT_ONCE]
            try_states(StateTrial(self.core_path, self.rom, self._layout, self._options, self._bios, some))


def _address(function: Any) -> int:
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return address


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _closed() -> None:
    raise ConsoleError(CLOSED)


def _unload(library: int) -> None:
    """Closes a library, given by its handle."""
    if sys.platform == "win32":
        _ctypes.FreeLibrary(library)
    else:
        _ctypes.dlclose(library)


def _still_mapped(path: str) -> bool:
    """Whether a library is still loaded in this process after dlclose; True on systems that can't answer that."""
    if sys.platform == "win32" or not hasattr(os, "RTLD_NOLOAD"):
        return True
    try:
        again = _ctypes.dlopen(path, os.RTLD_NOW | os.RTLD_NOLOAD)
    except OSError:
        return False
    _ctypes.dlclose(again)
    return True
