#!/bin/sh
# Build ochidama.nes (or the file named by the first argument). Needs cc65 (TOOLCHAIN.txt) and python3.
# tests/variants/build.py sets CONFIG (another linker file), MORE (further sources), FLAGS (-D for all), C_FLAGS (for C
# alone) and AREAS (SOURCE=SEGMENT for variables of C).
set -eu
cd "$(dirname "$0")"
target=${1:-ochidama.nes}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 art/art.py "$tmp"
objects=
# shellcheck disable=SC2086
for c in main title menu game pair items settle nuisance show hud panel duel; do
    area=BSS
    for choice in ${AREAS:-}; do
        if [ "${choice%%=*}" = "$c" ]; then area=${choice#*=}; fi
    done
    cc65 -t none -Oirs -Cl -W error --bss-name "$area" ${FLAGS:-} ${C_FLAGS:-} -o "$tmp/$c.c.s" "src/$c.c"
    ca65 -t none -o "$tmp/$c.o" "$tmp/$c.c.s"
    objects="$objects $tmp/$c.o"
done
# shellcheck disable=SC2086
for s in crt0 zp nmi ppu field rows groups resolve number sprites sound tune data ${MORE:-}; do
    ca65 -t none ${FLAGS:-} -I src --bin-include-dir "$tmp" -o "$tmp/$s.s.o" "src/$s.s"
    objects="$objects $tmp/$s.s.o"
done
# shellcheck disable=SC2086
ld65 -C "${CONFIG:-nrom.cfg}" -o "$tmp/ochidama.nes" ${MAP:+-m "$MAP"} ${LABELS:+-Ln "$LABELS"} $objects none.lib
cp "$tmp/ochidama.nes" "$target"
