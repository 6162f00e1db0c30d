#!/bin/sh
# Build togetama.zip and togetama.dat (or the zip named by the first argument, and its .dat).
# Needs gcc-m68k-linux-gnu, z80asm (TOOLCHAIN.txt says which) and python3.
set -eu
cd "$(dirname "$0")"
target=${1:-togetama.zip}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
p=m68k-linux-gnu-
flags="-m68000 -O2 -std=c11 -ffreestanding -fno-builtin -fomit-frame-pointer -fno-pic -fno-stack-protector
    -fno-tree-loop-distribute-patterns -ffunction-sections -fno-ident -Wall -Wextra -Werror"
python3 -B art/art.py art/font.txt "$tmp"

${p}gcc -m68000 -Wa,-Isrc -c src/bios.S -o "$tmp/bios.o"
${p}ld -Ttext=0xC00000 -e 0xC00500 "$tmp/bios.o" -o "$tmp/bios.elf"
${p}objcopy -O binary -j .text "$tmp/bios.elf" "$tmp/bios.bin"

${p}gcc -m68000 -Wa,-Isrc -c src/start.S -o "$tmp/start.o"
objects=$tmp/start.o
for c in src/*.c "$tmp/tiles.c"; do
    o=$tmp/$(basename "$c" .c).o
    # shellcheck disable=SC2086
    ${p}gcc $flags -Isrc -I"$tmp" -c "$c" -o "$o"
    objects="$objects $o"
done
# shellcheck disable=SC2086
${p}ld --gc-sections -T src/cart.ld ${MAP:+-Map "$MAP"} $objects -o "$tmp/cart.elf"
${p}objcopy -O binary -j .text "$tmp/cart.elf" "$tmp/cart.bin"

python3 -B sound/tables.py "$tmp"
z80asm -I src -I "$tmp" -o "$tmp/m1.bin" src/sound.asm
name=$(basename "$target" .zip)
python3 -B pack.py "$tmp" "$tmp/$name.zip"
mv "$tmp/$name.zip" "$tmp/$name.dat" "$(dirname "$target")/"
