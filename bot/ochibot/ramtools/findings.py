"""The results of a check: which entries are right, which bytes contradict the others, and the corrections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ochibot.console import Button


@dataclass(frozen=True)
class Finding:
    """One contradiction between the map and the game.

    about: an entry of the map, ``rules.NAME`` or ``game.NAME``. addresses: the addresses of the bytes that were read.
    says: what the map says these bytes mean. seen: the raw bytes, and what they must mean. mend: the proposed
    correction in words; None if there is none. The same correction as parts of files: entries, codes, pair, signs for a
    map file, rules for a rules file, buttons, timing and the menu's steps for a game file.
    """

    about: str
    addresses: tuple[int, ...]
    says: str
    seen: str
    mend: str | None
    entries: Mapping[str, Any] = field(default_factory=dict)
    codes: Mapping[str, Any] = field(default_factory=dict)
    pair: Mapping[str, Any] = field(default_factory=dict)
    rules: Mapping[str, Any] = field(default_factory=dict)
    buttons: Mapping[str, Button] = field(default_factory=dict)
    timing: Mapping[str, Any] = field(default_factory=dict)
    signs: Mapping[str, Any] = field(default_factory=dict)
    menu: tuple[str, ...] = ()

    def text(self) -> str:
        """The finding in two or three lines, for people to read."""
        where = f" ({', '.join(f'{address:04X}' for address in self.addresses[:4])})" if self.addresses else ""
        mend = f"mend: {self.mend}" if self.mend else "mend: none could be proposed"
        return f"{self.about}{where}: {self.says}\n  seen: {self.seen}\n  {mend}"

    def as_dict(self) -> dict[str, object]:
        """The fields as plain values, addresses as hexadecimal text. Most empty fields are left out."""
        told = asdict(self)
        told["buttons"] = {name: str(button.name).lower() for name, button in self.buttons.items()}
        told["addresses"] = [f"{address:#06x}" for address in self.addresses]
        return {name: value for name, value in told.items() if value or name in ("about", "addresses", "mend")}


@dataclass
class Report:
    """A whole check. holds: entries that experiments have confirmed. unchecked: entries that no experiment looked at.
    measured: timings, which maps don't contain. notes: what else people should know. exam: the counts of the game
    played at the end. frames: how many frames the check ran.
    """

    findings: list[Finding] = field(default_factory=list)
    holds: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    measured: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    exam: dict[str, object] = field(default_factory=dict)
    frames: int = 0

    def as_dict(self) -> dict[str, object]:
        """The report as plain values, for JSON."""
        return {
            "contradictions": [finding.as_dict() for finding in self.findings],
            "holds": self.holds,
            "unchecked": self.unchecked,
            "measured": self.measured,
            "notes": self.notes,
            "exam": self.exam,
            "frames": self.frames,
        }
