"""Keeps the result of each experiment in a file, so that a killed calibration resumes."""

from __future__ import annotations

import base64
import dataclasses
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from ochibot.calibrate.colors import ColorByte
from ochibot.calibrate.effects import Sort
from ochibot.calibrate.explore import Route, Step
from ochibot.calibrate.facts import Above, Basis, Kicks, Look, Moments, Shape, Stance, Timing
from ochibot.calibrate.grid import Grid
from ochibot.calibrate.motion import Motion
from ochibot.calibrate.needles import Needles
from ochibot.calibrate.score import Form, Formula, Score
from ochibot.calibrate.signs import OverByte, SignByte
from ochibot.calibrate.turning import Turning
from ochibot.calibrate.waiting import Pending
from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.leftovers import whole_file

T = TypeVar("T")

NAME: Final = "notebook.json"
VERSION: Final = 2

_KINDS: Final[dict[str, type[Any]]] = {
    kind.__name__: kind
    for kind in (
        *(
            Above,
            Basis,
            ColorByte,
            Form,
            Formula,
            Grid,
            Kicks,
            Look,
            Moments,
            Motion,
            Needles,
            OverByte,
            Pending,
            Route,
            Score,
            Shape,
        ),
        *(SignByte, Sort, Stance, Step, Timing, Turning),
    )
}


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
    if type(value).__name__ in _KINDS:
        fields = {one.name: _packed(getattr(value, one.name)) for one in dataclasses.fields(value)}
        return {"kind": type(value).__name__, "fields": fields}
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
    return _KINDS[value["kind"]](**{name: _unpacked(one) for name, one in value["fields"].items()})


class Notebook:
    """The results of one calibration, one page for each experiment, in ``folder``.

    about: names the ROM and the core; pages from other ROMs or cores aren't used. progress: called with each
    page's name and number. failed: why an experiment failed, by its name. resumed: how many pages were read, not made.
    """

    def __init__(self, folder: Path, about: str, progress: Callable[[str, int], None] | None = None) -> None:
        self.path = folder / NAME
        self.about = about
        self._progress = progress or (lambda *_: None)
        self._pages: dict[str, Any] = {}
        self._seconds: dict[str, float] = {}
        self.failed: dict[str, str] = {}
        self.resumed = 0
        self._number = 0
        self._load()

    def _load(self) -> None:
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
            if data["version"] == VERSION and data["about"] == self.about:
                self._pages, self._seconds, self.failed = data["pages"], data["seconds"], data["failed"]
        except (OSError, ValueError, KeyError, TypeError):
            self._pages = {}

    def _save(self) -> None:
        data = {
            "version": VERSION,
            "about": self.about,
            "pages": self._pages,
            "seconds": self._seconds,
            "failed": self.failed,
        }
        with whole_file(self.path) as partial:
            partial.write_text(json.dumps(data), encoding="utf-8")

    def page(self, name: str, experiment: Callable[[], T], *, needed: bool = False) -> T | None:
        """The result of an experiment, read from the folder or else made now; None when the experiment fails.

        Raises CalibrationError when it fails and is ``needed``.
        """
        self._number += 1
        self._progress(name, self._number)
        if name in self._pages:
            self.resumed += 1
            found: T = _unpacked(self._pages[name])
            return found
        if name in self.failed and not needed:
            return None
        began = time.monotonic()
        try:
            done = experiment()
        except CalibrationError as error:
            if needed:
                raise
            self.failed[name] = str(error)
            self._save()
            return None
        self._pages[name] = _packed(done)
        self._seconds[name] = round(time.monotonic() - began, 3)
        self._save()
        # read back, so that a resumed run goes on with the very same values
        kept: T = _unpacked(self._pages[name])
        return kept

    @property
    def seconds(self) -> dict[str, float]:
        """How long each experiment took, by its name."""
        return dict(self._seconds)
