"""Whether a replay is comparable with a record and a dump: their ROMs and their cores."""

from __future__ import annotations

from ochibot.console import HostedConsole
from ochibot.errors import RecordError
from ochibot.record.dump import Dump
from ochibot.record.machine import earlier_rom
from ochibot.record.reader import Record


def check_core(record: Record, dump: Dump, console: HostedConsole) -> None:
    """Raises RecordError when another core made the pictures: neither the record's core nor the one replaying it."""
    recorded = f"{record.manifest.core.name} {record.manifest.core.version}"
    # older records and dumps keep the core's version string with all its white space
    known = {" ".join(core.split()) for core in (recorded, f"{console.core_name} {console.core_version}")}
    if dump.core is None or " ".join(dump.core.split()) not in known:
        core = f"the core {dump.core:.60}" if dump.core is not None else "no core"
        raise RecordError(
            f"the dump {dump.folder} is not of this record: it names {core}, not {' or '.join(sorted(known))}"
        )


def identity(record: Record, console: HostedConsole) -> tuple[str | None, str | None]:
    """How the ROM and how the core differ from the record's, in words; None for one that doesn't differ."""
    manifest = record.manifest
    rom = core = None
    if console.rom.sha1 != manifest.rom.sha1:
        rom = f"the ROM is another one: {console.rom.name}, SHA-1 {console.rom.sha1}, not {manifest.rom.sha1}"
        name = earlier_rom(manifest)
        if name is not None:
            rom += f", an older {name} of this project, with which the record was made"
    version = f"{console.core_name} {console.core_version}"
    # older records keep the core's version string with all its white space
    recorded = " ".join(f"{manifest.core.name} {manifest.core.version}".split())
    if version != recorded:
        core = f"the core is another one: {version}, not {recorded}"
    elif console.core_sha1 != manifest.core.sha1:
        core = f"the core {version} is another build of that version: its file differs"
    return rom, core
