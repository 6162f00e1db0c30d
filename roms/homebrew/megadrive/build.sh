#!/bin/sh
# Build nijidama.bin (or the file named by the first argument).
# Needs gcc-m68k-linux-gnu (TOOLCHAIN.txt says which) and python3.
set -eu
cd "$(dirname "$0")"
target=${1:-nijidama.bin}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
p=m68k-linux-gnu-
flags="-m68000 -O2 -std=c11 -ffreestanding -fno-builtin -fomit-frame-pointer -fno-pic -fno-stack-protector
    -fno-tree-loop-distribute-patterns -ffunction-sections -fdata-sections -fno-ident -Wall -Wextra -Werror"
PYTHONPATH=../neogeo/art python3 -B art/art.py art/font.txt "$tmp" >"${ART_LOG:-/dev/null}"

${p}gcc -m68000 -c src/start.S -o "$tmp/start.o"
objects=$tmp/start.o
python3 -B sound/tables.py "$tmp"
for c in src/*.c "$tmp/tiles.c" "$tmp/notes.c"; do
    o=$tmp/$(basename "$c" .c).o
    # shellcheck disable=SC2086
    ${p}gcc $flags -Isrc -I"$tmp" -c "$c" -o "$o"
    objects="$objects $o"
done
# shellcheck disable=SC2086
${p}ld --gc-sections -T src/cart.ld ${MAP:+-Map "$MAP"} $objects -o "$tmp/cart.elf"
${p}objcopy -O binary -j .text "$tmp/cart.elf" "$tmp/cart.bin"
python3 -B pack.py "$tmp/cart.bin" "$tmp/cart.rom"
mv "$tmp/cart.rom" "$target"
