"""What a comparison of the cartridge's rounds with the simulated match has found."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field


@dataclass
class Comparison:
    """What was compared, and how often it differed."""

    compared: int = 0
    different: int = 0

    def add(self, ours: object, cartridge: object) -> None:
        """Counts a comparison, and a difference if the two values aren't equal."""
        self.compared += 1
        self.different += ours != cartridge


@dataclass
class Report:
    """The fields of ``--json``.

    fields, scores, pieces: those of seats at rest, after every lock. nuisance: the amounts that wait above both seats,
    and each amount sent or fallen. generators: the random states of pairs and columns, and points left over. ends:
    whether the seat goes on after a lock. timed_winners: when only the frames of control are given. frames_off: how
    often each difference (predicted minus real frame of a spawn or end) occurred. waited: by how many frames the
    time from a pair's lock to the next spawn was longer than ``Timing.alone`` says, and how often. settling: by the
    chain's steps, without nuisance, [pairs, mean frames from the lock to the next spawn]. free_winners, free_locks:
    with the same players and nothing given but the deal.
    """

    rounds: int = 0
    decided: int = 0
    locks: int = 0
    nuisance_sent: int = 0
    best_chain: int = 0
    fields: Comparison = field(default_factory=Comparison)
    scores: Comparison = field(default_factory=Comparison)
    pieces: Comparison = field(default_factory=Comparison)
    nuisance: Comparison = field(default_factory=Comparison)
    generators: Comparison = field(default_factory=Comparison)
    ends: Comparison = field(default_factory=Comparison)
    winners: Comparison = field(default_factory=Comparison)
    timed_winners: Comparison = field(default_factory=Comparison)
    frames_off: Counter[int] = field(default_factory=Counter)
    waited: Counter[int] = field(default_factory=Counter)
    settling: dict[int, list[float]] = field(default_factory=dict)
    free_winners: Comparison = field(default_factory=Comparison)
    free_locks: Comparison = field(default_factory=Comparison)
    seconds: float = 0.0
    seed: int = 0
    core: str = ""
    rom_sha1: str = ""

    @property
    def holds(self) -> bool:
        """Whether nothing differed and something was compared."""
        parts = [part for part in vars(self).values() if isinstance(part, Comparison)]
        return (
            self.rounds > 0
            and all(part.compared and not part.different for part in parts)
            and not any(self.frames_off.keys() - {0})
        )

    def as_dict(self) -> dict[str, object]:
        """The fields as plain values."""
        plain = asdict(self)
        for counted in ("frames_off", "waited", "settling"):
            plain[counted] = {str(key): value for key, value in sorted(getattr(self, counted).items())}
        return {**plain, "holds": self.holds}
