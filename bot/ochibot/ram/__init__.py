"""RAM maps: YAML files with the addresses and formats of a game's state, and typed reads through them."""

from ochibot.ram.bound import UNKNOWN, BoundMap
from ochibot.ram.conditions import MOMENTS, Condition, Sign, Signs
from ochibot.ram.entry import Entry
from ochibot.ram.file import Known, load_map, map_of, names_of
from ochibot.ram.model import ORIENTATIONS, CodeTable, PairForm, RamMap
from ochibot.ram.places import Pointer

__all__ = [
    "MOMENTS",
    "ORIENTATIONS",
    "UNKNOWN",
    "BoundMap",
    "CodeTable",
    "Condition",
    "Entry",
    "Known",
    "PairForm",
    "Pointer",
    "RamMap",
    "Sign",
    "Signs",
    "load_map",
    "map_of",
    "names_of",
]
