"""Checks entries that count something whose true number is known. If an entry is wrong, finds the right bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ochibot.ramtools.findings import Finding, Report
from ochibot.ramtools.image import Image
from ochibot.ramtools.kinds import KINDS, Kind
from ochibot.ramtools.reading import Paper
from ochibot.wording import counted


def places_of(images: Sequence[Image], values: Sequence[int]) -> list[tuple[int, Kind]]:
    """(address, kind) of all numbers of one, two or four bytes that have ``values[i]`` in ``images[i]``."""
    found = []
    for kind in (KINDS["u16be"], KINDS["u16le"], KINDS["u8"], KINDS["u32be"]):
        whole = np.stack([kind.everywhere(image) for image in images])
        places = np.flatnonzero((whole == np.array(values)[:, None]).all(axis=0))
        found += [(images[0].base + int(at), kind) for at in places]
    return found


def report_count(paper: Paper, report: Report, name: str, images: Sequence[Image], values: Sequence[int]) -> None:
    """Reports whether an entry reads ``values[i]`` in ``images[i]``, and if not, the nearest bytes that do."""
    entry: Any = paper.map.entries.get(name)
    if entry is None:
        return
    reads = [paper.value(name, image) for image in images]
    if reads == list(values):
        report.holds.append(name)
        return
    old = min(entry.byte_addresses(), default=0)
    number = next(at for at, value in enumerate(values) if reads[at] != value)
    places = sorted(
        places_of(images, values), key=lambda each: (each[1].name != entry.type, abs(each[0] - old), each[1].name)
    )
    says = f"it reads {reads[number]} where it must be {values[number]}"
    seen = f"it must have been {', '.join(map(str, values))} after {counted(len(values), 'lock')}"
    if not places or len(set(values)) < 2:
        mend = f"{name}: null, the game is played without it"
        report.findings.append(Finding(name, (old,), says, seen, mend, entries={name: None}))
        return
    address, kind = places[0]
    patch = {"address": address, "type": kind.name, "source": "calibrated"}
    mend = f"address: {address:#06x}, type: {kind.name}"
    report.findings.append(Finding(name, (old, address), says, seen, mend, entries={name: patch}))
