"""Keeps the result of each experiment in a file, so that a killed calibration resumes."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import importlib
import json
import re
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from ochibot.console import Button
from ochibot.errors import CalibrationError, ConsoleError
from ochibot.experiments.rig import Rig
from ochibot.leftovers import whole_file

T = TypeVar("T")

NAME: Final = "notebook.json"
VERSION: Final = 6

USED_UP: Final = "the frames were used up"

ROOM: Final = "ochibot.experiments."
"""Pages hold dataclasses of this package alone."""


def _packed(value: Any) -> Any:
    """A value in a form that JSON can hold."""
    if isinstance(value, Button):
        return {"button": int(value)}
    if value is None or isinstance(value, bool | str | float):
        return value
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, bytes):
        return {"bytes": base64.b64encode(value).decode()}
    if isinstance(value, np.ndarray):
        data = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()
        return {"array": data, "shape": list(value.shape)}
    if isinstance(value, tuple | list | set | frozenset):
        return [_packed(one) for one in value]
    if isinstance(value, dict):
        return {"pairs": [[_packed(key), _packed(one)] for key, one in value.items()]}
    if dataclasses.is_dataclass(value) and type(value).__module__.startswith(ROOM):
        fields = {one.name: _packed(getattr(value, one.name)) for one in dataclasses.fields(value)}
        kind = f"{type(value).__module__.removeprefix(ROOM)}.{type(value).__name__}"
        return {"kind": kind, "fields": fields}
    raise TypeError(f"{type(value).__name__} can't be kept")


def _unpacked(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_unpacked(one) for one in value)
    if not isinstance(value, dict):
        return value
    if "button" in value:
        return Button(value["button"])
    if "bytes" in value:
        return base64.b64decode(value["bytes"])
    if "array" in value:
        return np.frombuffer(base64.b64decode(value["array"]), np.uint8).reshape(value["shape"])
    if "pairs" in value:
        return {_unpacked(key): _unpacked(one) for key, one in value["pairs"]}
    return _kind(value["kind"])(**{name: _unpacked(one) for name, one in value["fields"].items()})


def _kind(name: str) -> type[Any]:
    """The dataclass of this package with a name such as ``grid.Grid``. Raises ValueError when there is none."""
    if not re.fullmatch(r"[a-z_]+\.[A-Za-z]+", name):
        raise ValueError(f"{name} is no kind of page")
    module, _, word = name.partition(".")
    found = getattr(importlib.import_module(ROOM + module), word)
    if not isinstance(found, type) or not dataclasses.is_dataclass(found) or found.__module__ != ROOM + module:
        raise ValueError(f"{name} is no kind of page")
    return found


def _states(packed: Any) -> Iterator[bytes]:
    """All bytes in packed pages: they are savestates."""
    if isinstance(packed, dict):
        if packed.get("bytes"):
            yield base64.b64decode(packed["bytes"])
        packed = list(packed.values())
    if isinstance(packed, list):
        for one in packed:
            yield from _states(one)


def _digest(data: dict[str, Any]) -> str:
    """A hash of the notebook's content, by which damage is seen."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


class Notebook:
    """The results of one calibration, one page for each experiment, in ``folder`` (None: they aren't kept).

    about: names the ROM and the core; pages from other ROMs or cores aren't used. progress: called with each
    page's name and number. warn: called with one line when the file is damaged; by default the line goes to stderr.
    failed: why an experiment failed, by its name. untried: the experiments that had too few frames, in their order.
    resumed: how many pages were read, not made. turned_down: the candidates that didn't stand their test, each as
    (fact, candidate with its grade, why, its offsets).
    """

    def __init__(
        self,
        folder: Path | None,
        about: str,
        progress: Callable[[str, int], None] | None = None,
        warn: Callable[[str], None] | None = None,
    ) -> None:
        self.path = None if folder is None else folder / NAME
        self.about = about
        self._progress = progress or (lambda *_: None)
        self._warn = warn or (lambda line: print(line, file=sys.stderr))
        self._rig: Rig | None = None
        self._pages: dict[str, Any] = {}
        self._states: dict[bytes, None] = {}
        self._frames: dict[str, int] = {}
        self._failed: dict[str, str] = {}
        self._untried: dict[str, str] = {}
        self.turned_down: list[tuple[str, str, str, tuple[int, ...]]] = []
        self.resumed = 0
        self._repeated = 0
        self._number = 0
        self._load()

    def watch(self, rig: Rig) -> None:
        """Counts the frames of this rig from now on. The savestates that were read are tried first in a process of
        their own, because somebody else may have made the file.
        """
        self._rig = rig
        states, self._states = self._states, {}
        if states:
            try:
                rig.console.try_state(*states)
            except ConsoleError as error:
                self._pages, self._frames, self._failed, self.turned_down = {}, {}, {}, []
                self._aside(f"holds a savestate that can't be used ({error})")

    def _aside(self, what: str) -> None:
        """Keeps the file under another name."""
        assert self.path is not None
        aside = self.path.with_name(f"{NAME}.damaged")
        self.path.replace(aside)
        self._warn(f"{self.path} {what}: it is kept as {aside.name}, and calibration starts again")

    def _load(self) -> None:
        if self.path is None:
            return
        try:
            text = self.path.read_bytes()
        except OSError:
            # a folder that can't be written is reported when the first page is written
            return
        try:
            data = json.loads(text)
            if data["version"] != VERSION or data["about"] != self.about:
                return
            if data.pop("digest") != _digest(data):
                raise ValueError("its digest is another")
            for page in data["pages"].values():
                _unpacked(page)
            self._states = dict.fromkeys(_states(data["pages"]))
            self._pages, self._frames, self._failed = data["pages"], data["frames"], data["failed"]
            self.turned_down = [(*words, tuple(places)) for *words, places in data["turned_down"]]
        except (ValueError, LookupError, TypeError, AttributeError, ImportError, RecursionError):
            self._states = {}
            self._aside("is damaged")

    def _save(self) -> None:
        if self.path is None:
            return
        data: dict[str, Any] = {
            "version": VERSION,
            "about": self.about,
            "pages": self._pages,
            "frames": self._frames,
            "failed": self._failed,
            "turned_down": self.turned_down,
        }
        data["digest"] = _digest(data)
        with whole_file(self.path) as partial:
            partial.write_text(json.dumps(data), encoding="utf-8")

    def give(self, name: str, known: object) -> None:
        """Enters what is known already, so that this experiment isn't made. It needs no frames."""
        if name not in self._pages:
            self._pages[name] = _packed(known)
            self._frames[name] = 0

    def page(self, name: str, experiment: Callable[[], T], *, needed: bool = False) -> T | None:
        """The result of an experiment, read from the folder or else made now; None when the experiment fails.

        Raises CalibrationError when it fails and is ``needed``. The result of an experiment that ran out of frames is
        not kept: the next run repeats it.
        """
        self._number += 1
        self._progress(name, self._number)
        if name in self._pages:
            self.resumed += 1
            found: T = _unpacked(self._pages[name])
            return found
        if name in self._failed and not needed:
            return None
        rig = self._rig
        began, self._repeated = 0 if rig is None else rig.frames, 0
        if rig is not None:
            rig.ran_out = False
        problem: CalibrationError | None = None
        try:
            done = experiment()
        except CalibrationError as error:
            problem = error
        if rig is not None:
            self._frames[name] = rig.frames - began - self._repeated
            if rig.ran_out:
                why = str(problem or "")
                self._untried[name] = why if why.startswith(USED_UP) else USED_UP
                if not needed:
                    return None
                problem = problem or CalibrationError(USED_UP)
        if problem is not None:
            if needed:
                raise problem
            self._failed[name] = str(problem)
            self._save()
            return None
        self._pages[name] = _packed(done)
        self._save()
        # read back, so that a resumed run goes on with the very same values
        kept: T = _unpacked(self._pages[name])
        return kept

    @contextmanager
    def repeating(self) -> Iterator[None]:
        """Doesn't count the frames of the block, which repeats what a page that was read has done."""
        began = 0 if self._rig is None else self._rig.frames
        yield
        self._repeated += 0 if self._rig is None else self._rig.frames - began

    def excuse(self, name: str) -> None:
        """Forgets that an experiment failed, because the game has nothing that it could find."""
        self._failed.pop(name, None)

    def fail(self, name: str, why: str) -> None:
        """Notes that something wasn't learnt."""
        self._failed[name] = why

    def turn_down(
        self, fact: str, candidate: str, why: str, places: Collection[int] = (), forget: Collection[str] | None = None
    ) -> None:
        """Notes a candidate for a fact that didn't stand its test. places: what it was, as offsets.

        The fact's page and those that build on it are forgotten: ``forget``, or all that were made after it.
        """
        if (row := (fact, candidate, why, tuple(sorted(places)))) not in self.turned_down:
            self.turned_down.append(row)
        names = list(self._pages)
        if forget is None:
            self._failed.clear()
            forget = names[names.index(fact) :] if fact in names else ()
        for name in forget:
            self._pages.pop(name, None)
            self._failed.pop(name, None)
        self._save()

    def refused(self, fact: str) -> set[int]:
        """The offsets of the candidates for a fact that were turned down."""
        return {place for name, *_, places in self.turned_down if name == fact for place in places}

    def tried(self, fact: str) -> int:
        """How many candidates for a fact were turned down."""
        return sum(name == fact for name, *_ in self.turned_down)

    def kept(self) -> tuple[dict[str, Any], ...]:
        """The pages as they are now, for ``back``."""
        return dict(self._pages), dict(self._failed), dict(self._untried)

    def back(self, kept: tuple[dict[str, Any], ...]) -> None:
        """Goes back to the pages of then."""
        self._pages, self._failed, self._untried = (dict(one) for one in kept)
        self._save()

    @property
    def failed(self) -> dict[str, str]:
        """Why each experiment failed, by its name."""
        return {**self._failed, **self._untried}

    @property
    def untried(self) -> tuple[str, ...]:
        """The experiments for which no frames were left, in their order. The first one used them up."""
        return tuple(self._untried)

    @property
    def frames(self) -> dict[str, int]:
        """How many frames each experiment took, by its name."""
        return dict(self._frames)
