"""RAM maps: YAML files that say where a game keeps its state, and typed reads through them."""

from ochibot.ram.bound import UNKNOWN, BoundMap
from ochibot.ram.model import CodeTable, Entry, Known, RamMap, load_map, names_of

__all__ = ["UNKNOWN", "BoundMap", "CodeTable", "Entry", "Known", "RamMap", "load_map", "names_of"]
