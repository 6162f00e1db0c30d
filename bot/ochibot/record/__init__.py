"""Records of runs: written during a run, and later read, replayed, verified, or turned into pictures."""

from ochibot.errors import RecordError
from ochibot.record.events import Decided, Jump, Locked, Sample
from ochibot.record.manifest import About, Manifest, PlayerInfo
from ochibot.record.reader import Record
from ochibot.record.recorded import RecordedConsole, picture_hash, ram_hash
from ochibot.record.recorder import Recorder
from ochibot.record.verify import assert_replays, verify

__all__ = [
    "About",
    "Decided",
    "Jump",
    "Locked",
    "Manifest",
    "PlayerInfo",
    "Record",
    "RecordError",
    "RecordedConsole",
    "Recorder",
    "Sample",
    "assert_replays",
    "picture_hash",
    "ram_hash",
    "verify",
]
