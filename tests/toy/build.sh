#!/bin/sh
# Build toy.nes (or the file named by the first argument). Needs cc65 (TOOLCHAIN.txt).
set -eu
cd "$(dirname "$0")"
target=${1:-toy.nes}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cc65 -t none -Oirs -Cl -W error -o "$tmp/kakera.c.s" src/kakera.c
ca65 -t none -o "$tmp/kakera.o" "$tmp/kakera.c.s"
ca65 -t none -o "$tmp/crt0.o" src/crt0.s
ca65 -t none -o "$tmp/tiles.o" src/tiles.s
ld65 -C nrom.cfg -o "$tmp/toy.nes" ${MAP:+-m "$MAP"} "$tmp/crt0.o" "$tmp/kakera.o" "$tmp/tiles.o" none.lib
cp "$tmp/toy.nes" "$target"
