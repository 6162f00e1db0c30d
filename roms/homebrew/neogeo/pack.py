"""Put the built parts into the archive and the .dat that FBNeo's RomData mode takes.

    python3 pack.py PARTS_FOLDER ZIP_FILE

writes ZIP_FILE and, beside it, the .dat of the same name. Order and times in the archive are fixed, so that the same
parts (and the same zlib) give the same bytes.
"""

from __future__ import annotations

import sys
import zipfile
import zlib
from pathlib import Path

P_SIZE, BIOS_SIZE, M_SIZE, V_SIZE, LO_SIZE = 0x20000, 0x20000, 0x10000, 0x10000, 0x20000
TIME = (1990, 4, 26, 0, 0, 0)
DRIVER = "neotet"  # an FBNeo driver without encryption or hooks
CLASSES = {
    "p1.bin": "1, BRF_ESS, BRF_PRG",
    "s1.bin": "2, BRF_GRA",
    "c1.bin": "3, BRF_GRA",
    "c2.bin": "3, BRF_GRA",
    "m1.bin": "4, BRF_ESS, BRF_PRG",
    "v1.bin": "5, BRF_SND",
}


def swapped(data: bytes, size: int) -> bytes:
    """68000 code as ROM files hold it: with the two bytes of each word exchanged."""
    if len(data) > size:
        sys.exit(f"{len(data)} bytes of code are too many for {size}")
    padded = data.ljust(size, b"\xff")
    out = bytearray(size)
    out[0::2], out[1::2] = padded[1::2], padded[0::2]
    return bytes(out)


def zoom_table() -> bytes:
    """000-lo.lo: for each height of a shrunken sprite (256 bytes each) the source line of every line shown."""
    table = bytearray(b"\xff" * 0x10000)
    for height in range(256):
        for line in range(height + 1):
            table[height * 256 + line] = line * 256 // (height + 1)
    return bytes(table) * 2


def main() -> None:
    parts, target = Path(sys.argv[1]), Path(sys.argv[2])

    def part(name: str) -> bytes:
        return (parts / name).read_bytes()

    fix = part("s.bin")
    members = {
        "p1.bin": swapped(part("cart.bin"), P_SIZE),
        "s1.bin": fix,
        "c1.bin": part("c1.bin"),
        "c2.bin": part("c2.bin"),
        "m1.bin": part("m1.bin").ljust(M_SIZE, b"\0"),
        "v1.bin": part("v1.bin").ljust(V_SIZE, b"\x80"),
        "sp-s3.sp1": swapped(part("bios.bin"), BIOS_SIZE),
        "sm1.sm1": part("m1.bin").ljust(BIOS_SIZE, b"\0"),
        "sfix.sfix": fix,
        "000-lo.lo": zoom_table(),
    }
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            info.create_system = 3
            archive.writestr(info, data, compresslevel=9)
    lines = [f"ZipName: {target.stem}", f"DrvName: {DRIVER}", "FullName: Togetama (homebrew)"]
    lines += [
        f"{name}, {len(members[name]):#x}, {zlib.crc32(members[name]):#010x}, {kind}" for name, kind in CLASSES.items()
    ]
    target.with_suffix(".dat").write_text("\n".join(lines) + "\n", encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()
