"""YAML as people write it: addresses in hexadecimal, small mappings in one line."""

from __future__ import annotations

from typing import Any

import yaml


class Hex(int):
    """A number that YAML shows in hexadecimal."""


class Flow(dict[str, Any]):
    """A mapping that YAML shows in one line."""


class Row(list[Any]):
    """A list that YAML shows in one line."""


class _Dumper(yaml.SafeDumper):
    pass


_Dumper.add_representer(Hex, lambda dumper, value: dumper.represent_scalar("tag:yaml.org,2002:int", f"0x{value:04X}"))
_Dumper.add_representer(
    Flow, lambda dumper, value: dumper.represent_mapping("tag:yaml.org,2002:map", value, flow_style=True)
)
_Dumper.add_representer(
    Row, lambda dumper, value: dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=True)
)


def dump(data: dict[str, Any]) -> str:
    """Returns a mapping as YAML text, its keys in the given order."""
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, width=118, allow_unicode=True)
