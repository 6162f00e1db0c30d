"""Adapts to the two versions of libretro.py: 0.6 (``SessionBuilder``, for Python 3.11) and 0.12 (``Session``).

libretro.py loads the core and the game, and answers most of the core's environment calls (options, folders, log,
content). The callbacks of every frame are those of native.py instead: whenever a session passes a callback to the core,
``NativeCore`` replaces it by the native one.
"""

from __future__ import annotations

import ctypes
import logging
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from ochibot.console.docless import signatures_optional
from ochibot.console.native import HostState, NativeCallbacks

with signatures_optional():
    import libretro
    from libretro import Core
    from libretro.api import AvEnableFlags, retro_environment_t, retro_variable
    from libretro.api.options import NUM_CORE_OPTION_VALUES_MAX, retro_core_option_v2_definition
    from libretro.drivers import (
        ArrayAudioDriver,
        ArrayVideoDriver,
        DictOptionDriver,
        ExplicitPathDriver,
        IterableInputDriver,
        UnformattedLogDriver,
    )

_log = logging.getLogger("ochibot.core")
_log.addHandler(logging.NullHandler())
_log.propagate = False


class NativeCore(Core):
    """A libretro.py core whose per-frame callbacks are native code, whichever callbacks the session passes."""

    def __init__(self, path: Path, host: HostState) -> None:
        """Loads the shared library. Raises OSError or ValueError when it is not a libretro core."""
        super().__init__(ctypes.CDLL(str(path)))
        self._host = host
        self._callbacks: NativeCallbacks | None = None
        self._fallback: Any = None

    @property
    def handle(self) -> int:
        """The handle of the loaded library, for dlclose."""
        return int(self._core._handle)

    @property
    def library(self) -> ctypes.CDLL:
        """The loaded library itself."""
        return self._core

    def native(self, name: str) -> int:
        """The address of one of NativeCallbacks.NAMES, once a session has been entered."""
        assert self._callbacks is not None, "the session sets the environment callback first"
        return self._callbacks.address[name]

    def _install(self, name: str) -> None:
        setter = getattr(self._core, f"retro_set_{name}")
        kind = setter.argtypes[0]
        setter(kind(self.native(name)))

    def _compile(self, env: Any) -> None:
        self._fallback = env if isinstance(env, retro_environment_t) else retro_environment_t(env)
        address = ctypes.cast(self._fallback, ctypes.c_void_p).value
        assert address is not None
        self._callbacks = NativeCallbacks(self._host, address)

    def set_environment(self, env: Any) -> None:
        """Passes all native callbacks to the core. ``env`` gets the environment calls that they don't answer."""
        self._compile(env)
        for name in (
            "environment",
            "video_refresh",
            "audio_sample",
            "audio_sample_batch",
            "input_poll",
            "input_state",
        ):
            self._install(name)

    def set_video_refresh(self, video: Any) -> None:
        """Does nothing, because set_environment installs the native callbacks."""

    def set_audio_sample(self, audio: Any) -> None:
        """Does nothing, like ``set_video_refresh``."""

    def set_audio_sample_batch(self, audio: Any) -> None:
        """Does nothing, like ``set_video_refresh``."""

    def set_input_poll(self, poll: Any) -> None:
        """Does nothing, like ``set_video_refresh``."""

    def set_input_state(self, state: Any) -> None:
        """Does nothing, like ``set_video_refresh``."""


class NoPicture(ArrayVideoDriver):
    """Has no room for a picture, because a native callback takes all pictures. Filling libretro.py's takes 30 ms."""

    def reinit(self) -> None:
        """Does nothing."""


def _copied(option: retro_core_option_v2_definition, _: object = None) -> retro_core_option_v2_definition:
    """A copy of an option, with those of its 128 places for values that are taken."""
    values = type(option.values)()
    for place, one in enumerate(option.values):
        if one.value is None:
            break
        values[place] = type(one)(one.value, one.label)
    texts = (option.key, option.desc, option.desc_categorized, option.info, option.info_categorized)
    return type(option)(*texts, option.category_key, values, option.default_value)


# libretro.py's own copies all the places; that takes 25 ms for FBNeo's options
retro_core_option_v2_definition.__deepcopy__ = _copied


class Options(DictOptionDriver):
    """libretro.py's core options, for cores with options of any number of values.

    libretro.py has room for 128 values of an option and raises IndexError for more. Gambatte has an option of 256
    values for each byte of an address.
    """

    def __init__(self, wanted: Mapping[str, str]) -> None:
        """``wanted``: the options' values by key."""
        super().__init__(2, True, dict(wanted))
        self._wanted = {key.encode(): value.encode() for key, value in wanted.items()}

    def set_variables(self, variables: Collection[retro_variable] | None) -> None:
        """Keeps the first 128 values of each option. A wanted value beyond them replaces the last of these."""
        super().set_variables(None if variables is None else tuple(self._fitting(one) for one in variables))

    def _fitting(self, variable: retro_variable) -> retro_variable:
        description, separator, values = (variable.value or b"").partition(b"; ")
        known = values.split(b"|")
        if len(known) <= NUM_CORE_OPTION_VALUES_MAX:
            return variable
        kept, wanted = known[:NUM_CORE_OPTION_VALUES_MAX], self._wanted.get(variable.key or b"")
        if wanted is not None and wanted in known and wanted not in kept:
            kept[-1] = wanted
        return retro_variable(variable.key, description + separator + b"|".join(kept))


def make_session(core: NativeCore, rom: Path, folders: Path, options: Mapping[str, str], system: Path | None) -> Any:
    """A libretro.py session, not yet entered, that keeps all its files below ``folders``.

    ``system`` is where BIOS files are looked for (default: an empty folder).
    """
    for name in ("system", "save", "assets"):
        (folders / name).mkdir(parents=True, exist_ok=True)
    # All paths are str, because libretro.py 0.6 fails on a PathLike. There is no VFS driver, because FBNeo finds no
    # archive through libretro.py's.
    paths = ExplicitPathDriver(
        core.path,
        str(system or folders / "system"),
        str(folders / "assets"),
        str(folders / "save"),
        str(folders / "assets"),
    )
    drivers: dict[str, Any] = {
        "audio": ArrayAudioDriver(),
        "input": IterableInputDriver(),
        "video": NoPicture(),
        "options": Options(options),
        "path": paths,
        "log": UnformattedLogDriver(_log),
    }
    flags = AvEnableFlags.VIDEO | AvEnableFlags.AUDIO
    builder: Any = getattr(libretro, "SessionBuilder", None)
    if builder is None:
        return libretro.Session(core, str(rom), vfs=None, av_enable=flags, **drivers)
    made: Callable[[Any], Any] = builder.defaults
    return (
        made(core)
        .with_content(str(rom))
        .with_audio(drivers["audio"])
        .with_input(drivers["input"])
        .with_video(drivers["video"])
        .with_options(drivers["options"])
        .with_paths(drivers["path"])
        .with_log(drivers["log"])
        .with_vfs(None)
        .with_av_mask(flags)
        .build()
    )
