#!/bin/sh
# Builds Kodama for one console, or for all whose compilers are here: ./build.sh [CONSOLE [FILE]]
# gb, sms and gg need sdcc, pce and snes cc65, gba gcc-arm-none-eabi (TOOLCHAIN.txt); all need python3.
set -eu
cd "$(dirname "$0")"
if [ $# -eq 0 ]; then
    for console in gb sms gg pce snes gba; do sh build.sh "$console"; done
    exit
fi
console=$1
case $console in
gb | sms | gg) tool=sdcc package=sdcc ;;
pce) tool=cl65 package=cc65 ending=pce ;;
snes) tool=cl65 package=cc65 ending=sfc ;;
gba) tool=arm-none-eabi-gcc package=gcc-arm-none-eabi ending=gba ;;
*) echo "there is no console $console; give one of gb, sms, gg, pce, snes, gba" >&2 && exit 2 ;;
esac
target=${2:-kodama.${ending:-$console}}
if ! command -v $tool >/dev/null; then
    echo "$target is left as it is: $package isn't installed"
    exit
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -B art/art.py "$console" "$tmp"

sources="src/game.c src/screen.c src/main.c"
case $console in
sms | pce | snes) sources="$sources src/nuisance.c src/versus.c src/seat2.c" ;; # consoles with two pads
esac

with_sdcc() { # processor, address of RAM, start-up, layer, defines
    sdas=$1 processor=$2 ram=$3 start=$4 layer=$5
    shift 5
    "$sdas" -o "$tmp/start.rel" "src/$start"
    objects=$tmp/start.rel
    for c in $sources "src/$layer" "$tmp/tiles.c"; do
        rel=$tmp/$(basename "$c" .c).rel
        sdcc "-m$processor" --opt-code-speed --disable-warning 85 --disable-warning 158 --Werror -Isrc -I"$tmp" "$@" -c "$c" -o "$rel"
        objects="$objects $rel"
    done
    # shellcheck disable=SC2086
    sdcc "-m$processor" --no-std-crt0 --code-loc 0x200 --data-loc "$ram" $objects -o "$tmp/rom.ihx"
    python3 -B pack.py "$console" "$tmp/rom.ihx" "$target"
}

with_cc65() { # processor, configuration, defines
    processor=$1 name=$2
    shift 2
    objects=
    for c in $sources "src/$name.c" "$tmp/tiles.c"; do
        made=$tmp/$(basename "$c" .c)
        cc65 -t none --cpu "$processor" -Oirs -Cl -W error -Isrc -I "$tmp" "$@" -o "$made.s" "$c"
        ca65 -t none --cpu "$processor" -o "$made.o" "$made.s"
        objects="$objects $made.o"
    done
    ca65 -t none --bin-include-dir "$tmp" -I "$tmp" -o "$tmp/start.o" "src/$name.s"
    # shellcheck disable=SC2086
    ld65 -C "src/$name.cfg" -o "$tmp/rom" "$tmp/start.o" $objects none.lib
    python3 -B pack.py "$console" "$tmp/rom" "$target"
}

with_gcc() {
    p=arm-none-eabi-
    ${p}gcc -mcpu=arm7tdmi -c src/gba.s -o "$tmp/start.o"
    objects=$tmp/start.o
    for c in $sources src/gba.c "$tmp/tiles.c"; do
        o=$tmp/$(basename "$c" .c).o
        ${p}gcc -mcpu=arm7tdmi -mthumb -O2 -std=c11 -ffreestanding -fno-builtin -fno-ident -Wall -Wextra -Werror \
            -Wno-main -fno-tree-loop-distribute-patterns -Isrc -I"$tmp" -DSCREEN_COLUMNS=30 -c "$c" -o "$o"
        objects="$objects $o"
    done
    # shellcheck disable=SC2086
    ${p}ld -T src/gba.ld $objects "$(${p}gcc -mcpu=arm7tdmi -mthumb -print-libgcc-file-name)" -o "$tmp/rom.elf"
    ${p}objcopy -O binary -j .text "$tmp/rom.elf" "$tmp/rom"
    python3 -B pack.py "$console" "$tmp/rom" "$target"
}

case $console in
gb) with_sdcc sdasgb sm83 0xC200 gb.s gb.c -DSCREEN_COLUMNS=20 ;;
sms) with_sdcc sdasz80 z80 0xC300 sms.s sms.c -DSEATS=2 -DSCREEN_COLUMNS=32 -DSCREEN_ROWS=24 ;;
gg) with_sdcc sdasz80 z80 0xC200 sms.s sms.c -DSCREEN_COLUMNS=20 -DGAME_GEAR ;;
pce) with_cc65 65C02 pce -DSEATS=2 -DSCREEN_COLUMNS=32 -DSCREEN_ROWS=30 ;;
snes) with_cc65 65C02 snes -DSEATS=2 -DSCREEN_COLUMNS=32 -DSCREEN_ROWS=28 ;;
gba) with_gcc ;;
esac
