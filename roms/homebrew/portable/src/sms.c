/* Master System and Game Gear (GAME_GEAR is defined). Facts: SMS Power, "Development documents". */
#include "core.h"
#include "tiles.h"

__sfr __at 0x00 START_PORT;     /* Game Gear: bit 7 is low while START is held */
__sfr __at 0x7F TONES;
__sfr __at 0xBE VIDEO_DATA;
__sfr __at 0xBF VIDEO_CONTROL;
__sfr __at 0xDC PAD_PORT;
__sfr __at 0xDD PAD2_PORT;      /* the rest of the second pad, whose first two bits are in PAD_PORT */

#ifdef GAME_GEAR                /* the window in the middle of the picture */
#define FIRST_COLUMN 6
#define FIRST_ROW 3
#else
#define FIRST_COLUMN 0
#define FIRST_ROW 0
#endif
#define NAMES 0x3800

u8 ticked, paused;
static u8 started, loudness, note_frames;

static const u8 registers[11] = { 0x04, 0xA0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFB, 0x00, 0x00, 0x00, 0xFF };

/* Interrupts come only here: they would break the two halves of an address apart. */
void wait_frame(void)
{
    while (!ticked)
        __asm__("ei\n halt\n di");
    ticked = 0;
}

static u8 find_held(u8 held)
{
    u8 found = 0;

    if (held & 1)
        found |= PAD_UP;
    if (held & 2)
        found |= PAD_DOWN;
    if (held & 4)
        found |= PAD_LEFT;
    if (held & 8)
        found |= PAD_RIGHT;
    if (held & 16)
        found |= PAD_B;
    if (held & 32)
        found |= PAD_A;
    return found;
}

u8 read_pad(void)
{
    u8 found = find_held(~PAD_PORT);

#ifdef GAME_GEAR
    if (!(START_PORT & 0x80))
        found |= PAD_START;
#else
    if (paused)
        found |= PAD_START;
    paused = 0;
#endif
    return found;
}

#if SEATS == 2
u8 read_pad2(void)
{
    return find_held(~(PAD_PORT >> 6 | PAD2_PORT << 2));
}
#endif

static void set_address(u16 address)
{
    VIDEO_CONTROL = (u8)address;
    VIDEO_CONTROL = (u8)(address >> 8);
}

static void set_register(u8 number, u8 value)
{
    VIDEO_CONTROL = value;
    VIDEO_CONTROL = 0x80 | number;
}

/* The upper bytes of the names stay 0. */
void put(u8 column, u8 row, u8 tile)
{
    set_address(0x4000 + NAMES + ((u16)(row + FIRST_ROW) << 6) + ((column + FIRST_COLUMN) << 1));
    VIDEO_DATA = tile;
}

static void send(const u8 *from, u16 size)
{
    for (; size; --size)
        VIDEO_DATA = *from++;
}

static void start(void)
{
    u16 i;

    for (i = 0; i < 11; ++i)
        set_register((u8)i, registers[i]);
    set_address(0x4000);
    send(tiles, TILES_SIZE);
    set_address(0x4000 + NAMES);
    for (i = 0; i < 0x700; ++i)
        VIDEO_DATA = 0;
    VIDEO_DATA = 0xD0;          /* no sprites */
    set_address(0xC000);
    send(palette, PALETTE_SIZE);
    send(palette, PALETTE_SIZE);        /* the border has the colour 0 of the second palette */
    started = 1;
}

void screen_off(void)
{
    if (!started)
        start();
    set_register(1, 0xA0);
}

void screen_on(void)
{
    set_register(1, 0xE0);
}

static const u16 tones[8] = { 428, 381, 339, 320, 285, 254, 240, 214 };

void sound(u8 which)
{
    u16 tone = tones[which & 7];

    if (which > SOUND_CHAIN)
        tone = tones[which - SOUND_CHAIN - 1 < 7 ? which - SOUND_CHAIN - 1 : 7];
    if (which == SOUND_OVER || which == SOUND_LOCK)
        tone = 800;
    TONES = 0x80 | ((u8)tone & 15);
    TONES = (u8)(tone >> 4);
    loudness = which >= SOUND_START ? 15 : 10;
    note_frames = which >= SOUND_OVER ? 4 : 1;
}

/* The note fades. */
void sound_frame(void)
{
    static u8 wait;

    if (!loudness)
        return;
    TONES = 0x90 | (15 - loudness);
    if (++wait >= note_frames) {
        wait = 0;
        --loudness;
        if (!loudness)
            TONES = 0x9F;
    }
}
