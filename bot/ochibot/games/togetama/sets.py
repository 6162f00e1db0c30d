"""The files of Pochi & Nyaa's sets. Names, sizes and CRCs: FBNeo's own tables (d_neogeo.cpp)."""

from __future__ import annotations

from typing import Final

from ochibot.console.rom import RomFile

_SHARED: Final = (
    RomFile("267-c1.c1", 0x800000, 0x5EEBEE65),
    RomFile("267-c2.c2", 0x800000, 0x2B67187B),
)
_V1: Final = RomFile("267-v1.v1", 0x400000, 0xE2E8E917)

SETS: Final[dict[str, tuple[RomFile, ...]]] = {
    "pnyaa": (
        RomFile("pn202.p1", 0x100000, 0xBF34E71C),
        *_SHARED,
        RomFile("m1.m1", 0x80000, 0xC7853CCD),
        _V1,
    ),
    "pnyaaa": (
        RomFile("267-p1.p1", 0x100000, 0x112FE2C0),
        *_SHARED,
        RomFile("267-m1.m1", 0x80000, 0xC7853CCD),
        _V1,
    ),
}
"""Pochi & Nyaa, Ver 2.02 and Ver 2.00. FBNeo finds files by their CRC alone, so other names are as good."""
