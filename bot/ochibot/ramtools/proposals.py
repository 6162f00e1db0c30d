"""A checked map with its proposals applied: as a map, and as a file that extends the checked one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

import yaml
from pydantic import ValidationError

from ochibot.errors import ConfigError, MapError, OutputError
from ochibot.leftovers import whole_file
from ochibot.nyaa.rules.file import load_profile
from ochibot.nyaa.rules.profile import Rules as NyaaRules
from ochibot.puyo.rules.profile import Extra, Rules
from ochibot.ram import RamMap
from ochibot.ram.entry import Entry
from ochibot.ramtools.findings import Finding
from ochibot.yamlfile import first_problem


def patched_map(ram_map: RamMap, findings: Sequence[Finding], holds: Collection[str] = ()) -> RamMap:
    """The map with every proposal applied. ``holds``: confirmed entries; ``homebrew`` there becomes ``calibrated``.

    Raises MapError when the proposals together don't make a valid map.
    """
    try:
        return RamMap.model_validate(_whole(ram_map, findings, holds))
    except ValidationError as problem:
        raise MapError(f"the proposals for the map {ram_map.name} make no map: {first_problem(problem)}") from None


def _plain(ram_map: RamMap) -> dict[str, Any]:
    """A map as the data of a map file, without fields that have their default."""
    data: dict[str, Any] = ram_map.model_dump(mode="json", exclude_defaults=True, by_alias=True)
    for table in data.get("codes", {}).values():
        table["values"] = {int(byte): symbol for byte, symbol in table["values"].items()}
    return data


def _whole(ram_map: RamMap, findings: Sequence[Finding], holds: Collection[str]) -> dict[str, Any]:
    data = _plain(ram_map)
    entries, codes = data["entries"], data.setdefault("codes", {})
    for name in holds:
        if name in entries and entries[name].get("source") == "homebrew":
            entries[name]["source"] = "calibrated"
    given = [name for finding in findings for name in finding.entries]
    for finding in findings:
        for name, patch in finding.entries.items():
            entries[name] = _laid(entries.get(name, {}), patch)
        codes.update({name: _table(codes.get(name), table) for name, table in finding.codes.items()})
        if finding.pair:
            data["pair"] = {**data.get("pair", {}), **finding.pair}
        if finding.signs:
            data["signs"] = dict(finding.signs)
    data["entries"] = {name: entry for name, entry in entries.items() if entry is not None}
    _part(data["entries"], given)
    return data


def _laid(before: Mapping[str, Any] | None, patch: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """An entry with a proposal's fields, without old fields that these make wrong; None if ``patch`` is None."""
    if patch is None:
        return None
    kept = dict(before or {})
    if "address" in patch:
        kept.pop("addresses", None)
        kept.pop("pointer", None)
    if "type" in patch or "count" in patch:
        for field in ("type", "count", "digits", "zero", "order", "stride"):
            kept.pop(field, None)
    for field in ("offset", "scale", "divide", "mask", "shift") if "address" in patch and "type" not in kept else ():
        kept.pop(field, None)
    return {**kept, **patch}


def _table(before: Mapping[str, Any] | None, table: Mapping[str, Any]) -> dict[str, Any]:
    return {**(before or {}), **table}


def _part(entries: dict[str, Any], kept: Sequence[str]) -> None:
    """Drops the entries that share bytes with proposed ones."""
    taken = {address for name in kept if name in entries for address in _bytes(entries[name])}
    for name in [name for name in entries if name not in kept]:
        if taken & set(_bytes(entries[name])):
            del entries[name]


def _bytes(entry: Mapping[str, Any]) -> list[int]:
    """The addresses of an entry's bytes; none for an entry with a pointer."""
    return Entry.model_validate(dict(entry)).byte_addresses()


def map_text(checked: str, ram_map: RamMap, patched: RamMap, findings: Sequence[Finding]) -> str:
    """The text of a map file: the findings as comments, then the differences, with which it extends ``checked``."""
    before, after = _plain(ram_map), _plain(patched)
    entries = {name: entry for name, entry in after["entries"].items() if entry != before["entries"].get(name)}
    dropped = [name for name in before["entries"] if name not in after["entries"]]
    lines = ["# Written by `ochibot ram check`: what the experiments have shown to be otherwise."]
    for finding in findings:
        if finding.mend is not None and (finding.entries or finding.codes or finding.pair or finding.signs):
            lines.append(f"# {finding.about}: {finding.says}; {finding.mend}")
    lines.append(f"extends: {checked}")
    if "mode" in before["entries"] and "mode" not in after["entries"]:
        lines.append("mode: null")
    if after.get("pair") != before.get("pair"):
        lines.append(_yaml({"pair": after["pair"]}))
    if after.get("signs") != before.get("signs"):
        lines.append(_yaml({"signs": after["signs"]}))
    if entries or dropped:
        lines.append("entries:")
        lines += [f"  {name}: {_flow(entry)}" for name, entry in entries.items()]
        lines += [f"  {name}: null" for name in dropped]
    codes = {
        name: table for name, table in after.get("codes", {}).items() if table != before.get("codes", {}).get(name)
    }
    if codes:
        lines.append("codes:")
        lines += [f"  {name}: {_flow(table)}" for name, table in codes.items()]
    return "\n".join(lines) + "\n"


def _yaml(data: object) -> str:
    return str(yaml.safe_dump(data, default_flow_style=None, sort_keys=False, width=110)).rstrip("\n")


def _flow(data: object) -> str:
    return str(yaml.safe_dump(data, default_flow_style=True, sort_keys=False, width=10_000)).rstrip("\n")


def patched_rules(rules: Any, findings: Sequence[Finding]) -> Any:
    """The rules with every proposal applied."""
    changes: dict[str, Any] = {}
    for finding in findings:
        for name, value in finding.rules.items():
            changes.update(value if name == "score" else {name: value})
    lists = {name: tuple(value) if isinstance(value, list) else value for name, value in changes.items()}
    changed: Any = replace
    return changed(rules, **lists) if lists else rules


def rules_data(rules: Any) -> dict[str, Any]:
    """These rules as the data of a rules file, in the form of their family."""
    return _puyo_data(rules) if isinstance(rules, Rules) else _nyaa_data(rules)


def _nyaa_data(rules: NyaaRules) -> dict[str, Any]:
    """The rules as ``ochibot.nyaa.rules.file`` reads them. A value without a source is marked ``assumed``."""
    try:
        sources = load_profile(rules.name).sources
    except ConfigError:
        sources = {}
    told = asdict(rules)
    parts = {
        "ignition": ("ruleset", "tie_rule", "repeated_ignition", "idle_needle", "nuisance_pops"),
        "field": ("hidden_rows", "spawn_column", "over_cell"),
    }
    values = {part: {name: told[name] for name in names} for part, names in parts.items()}
    values["attack"] = told["attack"]
    values["ignition"]["ruleset"] = rules.ruleset.value
    values["field"]["over_cell"] = list(rules.over_cell)
    data: dict[str, Any] = {"name": rules.name}
    for part, entries in values.items():
        said = {name: sources.get(f"{part}.{name}", "assumed") for name in entries}
        data[part] = {name: {"value": value, "source": said[name]} for name, value in entries.items()}
    return data


def _puyo_data(rules: Rules) -> dict[str, Any]:
    """The rules as ``ochibot.puyo.rules.file`` reads them."""
    told = asdict(rules)
    for worked_out in ("kept_top", "moving_top"):
        told.pop(worked_out)
    unit, cap, drop = told.pop("score_unit"), told.pop("score_cap"), told.pop("drop_bonus")
    score: dict[str, Any] = {name: told.pop(name) for name in SCORE if name in told}
    score = {name: list(value) if isinstance(value, tuple) else value for name, value in score.items()}
    nuisance = {name: value for name, value in told.pop("nuisance").items() if value is not None}
    items = told.pop("items")
    extra = score.pop("extra")
    unsaid = asdict(Extra())
    extra = {name: value for name, value in extra.items() if value != unsaid[name]}
    if rules.extra.any:
        score["extra"] = {name: list(value) if isinstance(value, tuple) else value for name, value in extra.items()}
    # published games have none
    unsaid = {"multiplier": "sum", "all_clear_when": "empty", "all_clear_per": "lock"}
    score = {name: value for name, value in score.items() if unsaid.get(name) != value}
    score |= {"unit": unit, "cap": cap, "drop_bonus": drop}
    return {**told, "score": score, "nuisance": nuisance, "items": items}


SCORE: Final = (
    *("chain_power", "color_bonus", "group_bonus", "max_multiplier", "all_clear_bonus"),
    *("group_bonus_per", "all_clear_paid", "all_clear_when", "all_clear_per", "multiplier", "extra"),
)
"""Fields of ``Rules`` that are under ``score`` in a rules file."""


def rules_text(rules: Any, findings: Sequence[Finding]) -> str:
    """The text of a rules file with every proposal applied. ``rules``: the rules without the proposals."""
    lines = ["# Written by `ochibot ram check`: the rules with what a game was seen to do otherwise."]
    lines += [f"# {finding.about}: {finding.says}; {finding.mend}" for finding in findings if finding.rules]
    data = {**rules_data(patched_rules(rules, findings)), "name": f"{rules.name}-checked"}
    return "\n".join(lines) + "\n" + _yaml(data) + "\n"


def game_text(
    base: str, rom: Mapping[str, str], solo: str, files: tuple[str, str | None], findings: Sequence[Finding]
) -> str:
    """The text of a game file (``ochibot.games.filed``) that extends ``base``, a game's name or file.

    It contains what no map can. rom: the entries that name the ROM. files: the map, and the rules (None: those of
    ``base``). solo: the name of the mode.
    """
    blind = next((finding for finding in findings if finding.about == "spawning"), None)
    mode: dict[str, Any] = {"maps": [files[0]]}
    data: dict[str, Any] = {"game": "checked", "extends": base, **rom}
    if files[1] is not None:
        data["rules"] = files[1]
    if blind is not None:
        # play was reached without the map, so the mode's byte and the menu's options are unknown
        mode["value"] = None
        data |= {
            "menu": list(blind.menu) or ["start until spawn"],
            "options": None,
            "defaults": None,
            "phases": None,
            "spawn_signs": None,
        }
        data["states"] = None
    data |= {"modes": {solo: mode, **({"versus": None} if solo != "versus" else {})}, "versus": None}
    buttons = {name: str(button.name).lower() for finding in findings for name, button in finding.buttons.items()}
    timing = {name: frames for finding in findings for name, frames in finding.timing.items()}
    if buttons:
        data["buttons"] = buttons
    if timing:
        data["timing"] = timing
    how = "ochibot play FILE" if "rom" in rom else "ochibot play FILE --rom ROM"
    lines = [f"# Written by `ochibot ram check`: play it with `{how}`."]
    return "\n".join(lines) + "\n" + _yaml(data) + "\n"


def write_text(path: Path, text: str, what: str) -> None:
    """Writes a file completely or not at all. Raises OutputError."""
    try:
        with whole_file(path) as partial:
            partial.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OutputError(f"can't write {what} {path}: {error.strerror or error}; give another path") from None
