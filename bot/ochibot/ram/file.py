"""Map files: reads them, merges them with the maps that they extend, and checks their names.

A map may extend another one and change, add or drop (``name: null``) entries, codes and signs. This is how a calibrated
file overrides a shipped one. A name that neither the game nor the extended map knows is refused, because it would have
no effect. A user's own additions say ``note: true``, or stand in the map's table ``extra``.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ochibot.data import is_file, lies_in, shipped_file
from ochibot.errors import MapError
from ochibot.quoting import brief, quoted
from ochibot.ram.model import ORIENTATIONS, CodeTable, RamMap
from ochibot.yamlfile import nearest, read_yaml, to_model


def _merge(base: dict[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """``base`` updated with ``over``: entries, code tables and signs one by one (null drops one), other parts as a
    whole.
    """
    merged = dict(base)
    for key, value in over.items():
        if key in ("entries", "codes", "signs") and isinstance(value, dict) and isinstance(base.get(key), dict):
            dropped = {name for name, content in value.items() if content is None and name in base[key]}
            merged[key] = {name: content for name, content in {**base[key], **value}.items() if name not in dropped}
        elif key != "extends":
            merged[key] = value
    return merged


_MAX_EXTENDS = 16


@dataclass(frozen=True, slots=True)
class Known:
    """The names of entries and of code tables that a game uses in its maps."""

    entries: Collection[str]
    codes: Collection[str]


@dataclass(frozen=True, slots=True)
class _New:
    """A name in a map that the extended map doesn't have. part: ``entries``, ``codes`` or ``extra``."""

    path: Path
    part: str
    name: str
    own: bool
    """Whether the map marks it as the user's own."""
    among: frozenset[str]
    """The names of the extended map."""


@dataclass(slots=True)
class _Raw:
    """The merged contents of a map's files, and the names that are new in each file."""

    data: dict[str, Any]
    new: list[_New] = field(default_factory=list)


def _names(table: object) -> frozenset[str]:
    return frozenset(name for name in table if isinstance(name, str)) if isinstance(table, dict) else frozenset()


def _says_own(content: object) -> bool:
    return isinstance(content, dict) and content.get("note") is True


def _with_extra(path: Path, data: dict[str, Any]) -> dict[str, Any]:
    """A file's mapping with the entries of its table ``extra`` moved among the others."""
    extra, entries = data.get("extra"), data.get("entries", {})
    if "extra" not in data:
        return data
    if not isinstance(extra, dict):
        raise MapError(f"{path}: extra: is a mapping of names to entries, not {quoted(extra)}")
    if not isinstance(entries, dict):
        return {name: part for name, part in data.items() if name != "extra"}
    twice = [name for name in extra if name in entries]
    if twice:
        raise MapError(f"{path}: extra.{brief(str(twice[0]))}: is given in entries too; leave one of them out")
    merged = {name: part for name, part in data.items() if name != "extra"}
    return {**merged, "entries": {**entries, **extra}}


def _new_names(path: Path, data: dict[str, Any], before: dict[str, Any]) -> list[_New]:
    """The names in a file that the map it extends doesn't have, and all names under its ``extra``."""
    found = []
    for part in ("entries", "codes", "extra"):
        table: Any = data.get(part)
        there = _names(before.get("entries" if part == "extra" else part))
        for name in sorted(_names(table) - (frozenset() if part == "extra" else there)):
            own = part == "extra" or _says_own(table[name])
            found.append(_New(path, part, name, own, there))
    return found


def _read(path: Path, seen: tuple[Path, ...]) -> _Raw:
    return _laid(path, read_yaml(path, "a RAM map", MapError), seen)


def _laid(path: Path, data: dict[str, Any], seen: tuple[Path, ...]) -> _Raw:
    """The contents of a map file, merged onto those of the maps that it extends. seen: the files read so far."""
    laid = _with_extra(path, data)
    parent = data.get("extends")
    if parent is None:
        laid = {name: part for name, part in laid.items() if name != "extends"}
        return _Raw(laid, _new_names(path, data, {}))
    if not isinstance(parent, str):
        raise MapError(f"{path}: extends: is the name of a shipped map (famicom_puyo/player1) or of a file")
    try:
        beside = path.parent / parent
        parent_path = beside if is_file(beside) else shipped_file("ram_maps", parent)
    except ValueError:  # a path with a zero byte
        parent_path = None
    if parent_path is not None and not lies_in(parent_path, path.parent):
        raise MapError(f"{path}: extends: the map isn't in the folder of this file: move it there")
    if parent_path is None:
        raise MapError(f"{path}: extends: there is no map {quoted(parent)}, shipped or beside this file")
    if len(seen) >= _MAX_EXTENDS:
        raise MapError(f"{path}: extends: more than {_MAX_EXTENDS} maps in a row; make the chain shorter")
    if parent_path.resolve() in seen:
        raise MapError(f"{path}: extends: the maps extend each other in a circle")
    below = _read(parent_path, (*seen, parent_path.resolve()))
    return _Raw(_merge(below.data, laid), [*below.new, *_new_names(path, data, below.data)])


def names_of(path: Path) -> Known:
    """The names in a map file and in the maps that it extends. Raises MapError."""
    data = _read(path, (path.resolve(),)).data
    return Known(_names(data.get("entries")), _names(data.get("codes")))


def _check_names(raw: _Raw, known: Known) -> None:
    """Raises MapError for a name that nothing reads: it is misspelt, or the user's own without being marked as such.

    Raises MapError also for an entry under ``extra`` that the game knows.
    """
    entries = raw.data.get("entries")
    listed = entries.values() if isinstance(entries, dict) else ()
    used = {str(entry.get(key)) for entry in listed if isinstance(entry, dict) for key in ("codes", "symbols")}
    tables = _names(raw.data.get("codes"))
    watched = set(_watched(raw.data.get("signs")))
    for new in raw.new:
        where = f"{new.path}: {new.part}.{brief(new.name)}"
        if new.part == "extra" and new.name in known.entries:
            raise MapError(f"{where}: the game knows this entry; give it under entries")
        names = known.codes if new.part == "codes" else known.entries
        if new.own or new.name in names or new.name in (used if new.part == "codes" else watched):
            continue
        near = nearest(new.name, {*names, *new.among})
        if new.part == "codes":
            what, mend = "no entry uses this code table", "name it in an entry, or leave it out"
            meant = difflib.get_close_matches(brief(new.name), sorted(used - tables), 1)
            mend = f"an entry asks for {brief(meant[0])}, which isn't there: give both one name" if meant else mend
        else:
            what, mend = "the game knows no such entry", "one of your own says note: true, or stands under extra"
        raise MapError(f"{where}: {what}{near}; {mend}")


def _watched(signs: object) -> Iterator[str]:
    """Yields the entries that a map's signs refer to, even if the signs are otherwise invalid."""
    if isinstance(signs, dict):
        if isinstance(signs.get("entry"), str):
            yield signs["entry"]
        for part in signs.values():
            yield from _watched(part)
    elif isinstance(signs, list):
        for part in signs:
            yield from _watched(part)


def load_map(
    path: Path,
    symbols: Mapping[str, int],
    system: str | None = None,
    known: Callable[[], Known] | None = None,
) -> RamMap:
    """Reads and checks a map file. symbols: the code names that the game knows. system: the machine it runs on.

    ``known`` returns the names of the game's entries and code tables (None: the map may use any name). Raises MapError
    naming the file, the field's path and the reason.
    """
    return _checked(path, _read(path, (path.resolve(),)), symbols, system, known)


def map_of(
    data: Mapping[str, Any],
    where: Path,
    symbols: Mapping[str, int],
    system: str | None = None,
    known: Callable[[], Known] | None = None,
) -> RamMap:
    """Does the same as ``load_map`` for a map inside another file. ``where``: the file and the place in it, for
    messages.

    Maps that this map extends are searched for beside that file.
    """
    return _checked(where, _laid(where, dict(data), ()), symbols, system, known)


def _checked(
    path: Path, raw: _Raw, symbols: Mapping[str, int], system: str | None, known: Callable[[], Known] | None
) -> RamMap:
    # a map of another system has entirely other names, so report the wrong system instead of each name
    if known is not None and raw.new and system in (None, raw.data.get("system", system)):
        _check_names(raw, known())
    loaded = to_model(raw.data, path, RamMap, MapError)
    if system not in (None, loaded.system):
        raise MapError(
            f"{path} is a map of the game {loaded.game} (system {loaded.system}), not of one for {system}; "
            f"give a map of a game for {system}"
        )
    for name, table in loaded.codes.items():
        _check_codes(f"{path}: codes.{brief(name)}", table, _allowed(loaded, name, symbols))
    return loaded


def _allowed(ram_map: RamMap, name: str, symbols: Collection[str]) -> Collection[str] | None:
    """The symbols that a code table may have; None: any, because the symbols are the map's own words."""
    given = set(ram_map.codes[name].values.values())
    if given <= ORIENTATIONS.keys():
        return given
    orientation = ram_map.entries.get("orientation")
    if orientation is not None and orientation.table == name:
        return tuple(ORIENTATIONS)
    # a table of the map's own words has no code name among them; if it has one, all its words must be code names
    return None if name in ram_map.own_tables() and given.isdisjoint(symbols) else symbols


def _check_codes(where: str, table: CodeTable, symbols: Collection[str] | None) -> None:
    given: dict[str, int] = {}
    for value, symbol in table.values.items():
        if symbols is not None and symbol not in symbols:
            raise MapError(
                f"{where}.values.{value}: unknown code name {quoted(symbol)}{nearest(symbol, symbols)}; known are "
                f"{', '.join(symbols)}"
            )
        if symbol in given and symbol not in table.several:
            raise MapError(
                f"{where}.values.{value}: {symbol} is the meaning of {given[symbol]} already; if both bytes mean it, "
                f"say several: [{symbol}] beside values"
            )
        given[symbol] = value
    for symbol in table.several:
        if symbol not in given:
            raise MapError(f"{where}.several: no byte means {quoted(symbol)}")
