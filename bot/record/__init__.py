"""Records of runs: written while one goes on, read, played again, verified, turned into pictures."""

from bot.errors import RecordError
from bot.record.events import Decided, Jump, Locked, Sample
from bot.record.hashes import picture_hash, ram_hash
from bot.record.manifest import About, Manifest, PlayerInfo
from bot.record.reader import Record
from bot.record.recorded import RecordedConsole
from bot.record.recorder import Recorder
from bot.record.verify import assert_replays, verify

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
