/* Super Famicom. Facts: fullsnes. */
#include "core.h"
#include "tiles.h"

#define PORT(address) (*(volatile u8 *)(address))
#define DISPLAY        PORT(0x2100)
#define MODE           PORT(0x2105)
#define MAP_PLACE      PORT(0x2107)
#define TILES_PLACE    PORT(0x210B)
#define SCROLL_DOWN    PORT(0x210E)
#define VIDEO_STEP     PORT(0x2115)
#define VIDEO_LOW      PORT(0x2116)
#define VIDEO_HIGH     PORT(0x2117)
#define COLOR_NUMBER   PORT(0x2121)
#define COLOR_DATA     PORT(0x2122)
#define SHOWN          PORT(0x212C)
#define SOUND_COUNT    PORT(0x2140)    /* four ports to the sound processor */
#define SOUND_BYTE     PORT(0x2141)
#define SOUND_LOW      PORT(0x2142)
#define SOUND_HIGH     PORT(0x2143)
#define INTERRUPTS     PORT(0x4200)
#define COPY           PORT(0x420B)
#define PAD_STATE      PORT(0x4212)
#define PAD_LOW        PORT(0x4218)
#define PAD_HIGH       PORT(0x4219)
#define PAD2_LOW       PORT(0x421A)
#define PAD2_HIGH      PORT(0x421B)
#define COPY_WAY       PORT(0x4300)
#define COPY_TO        PORT(0x4301)
#define COPY_FROM_LOW  PORT(0x4302)
#define COPY_FROM_HIGH PORT(0x4303)
#define COPY_FROM_BANK PORT(0x4304)
#define COPY_SIZE_LOW  PORT(0x4305)
#define COPY_SIZE_HIGH PORT(0x4306)

/* What the sound processor gets at 0200: the list of its one sample, the sample (a square wave of 16 steps), and a
   program. It writes the value in port 2 to the sound chip's register in port 1 whenever port 0 changes, and shows that
   in port 0. */
#define SOUND_PLACE 0x02
#define PROGRAM_PLACE 0x10
static const u8 sound_program[] = {
    0x04, 0x02, 0x04, 0x02,
    0xB3, 0x77, 0x77, 0x77, 0x77, 0x99, 0x99, 0x99, 0x99, 0, 0, 0,
    0xE4, 0xF4,                 /* again: mov a, F4 */
    0x64, 0x00, 0xF0, 0xFA,     /* cmp a, 00; beq again */
    0xC4, 0x00,                 /* mov 00, a */
    0xE4, 0xF5, 0xC4, 0xF2,     /* mov a, F5; mov F2, a */
    0xE4, 0xF6, 0xC4, 0xF3,     /* mov a, F6; mov F3, a */
    0xE4, 0x00, 0xC4, 0xF4,     /* mov a, 00; mov F4, a */
    0x2F, 0xEA,                 /* bra again */
};
static u8 sound_count;

extern volatile u8 ticked;
static u8 map[1024];            /* what the picture shows: it can be written only in the vertical blank */
static u8 changed, started;

/* Copies to the video memory from a word of it on; way 0: its low bytes alone, 1: whole words. */
static void copy(const u8 *from, u16 size, u16 to, u8 way)
{
    VIDEO_STEP = way ? 0x80 : 0;
    VIDEO_LOW = (u8)to;
    VIDEO_HIGH = (u8)(to >> 8);
    COPY_WAY = way;
    COPY_TO = 0x18;
    COPY_FROM_LOW = (u8)(u16)from;
    COPY_FROM_HIGH = (u8)((u16)from >> 8);
    COPY_FROM_BANK = 0;
    COPY_SIZE_LOW = (u8)size;
    COPY_SIZE_HIGH = (u8)(size >> 8);
    COPY = 1;
}

void wait_frame(void)
{
    while (!ticked)
        ;
    ticked = 0;
    if (changed) {
        changed = 0;
        copy(map, sizeof map, 0, 0);
    }
}

static u8 find_held(u8 held, u8 low)
{
    static u8 found;

    found = 0;
    if (held & 1)
        found |= PAD_RIGHT;
    if (held & 2)
        found |= PAD_LEFT;
    if (held & 4)
        found |= PAD_DOWN;
    if (held & 8)
        found |= PAD_UP;
    if (held & 0x10)
        found |= PAD_START;
    if (held & 0x80)
        found |= PAD_B;
    if (low & 0x80)
        found |= PAD_A;
    return found;
}

u8 read_pad(void)
{
    while (PAD_STATE & 1)
        ;
    return find_held(PAD_HIGH, PAD_LOW);
}

u8 read_pad2(void)
{
    return find_held(PAD2_HIGH, PAD2_LOW);
}

void put(u8 column, u8 row, u8 tile)
{
    map[((u16)row << 5) | column] = tile;
    changed = 1;
}

static void count_sound(void)
{
    SOUND_COUNT = sound_count;
    while (SOUND_COUNT != sound_count)
        ;
}

static void set_sound(u8 number, u8 value)
{
    SOUND_BYTE = number;
    SOUND_LOW = value;
    ++sound_count;
    count_sound();
}

/* The sound processor's own start-up program takes bytes, and then runs them. */
static void start_sound(void)
{
    static const u8 set[][2] = {
        { 0x6C, 0x20 }, { 0x0C, 0x50 }, { 0x1C, 0x50 }, { 0x2C, 0 }, { 0x3C, 0 }, { 0x2D, 0 }, { 0x3D, 0 }, { 0x4D, 0 },
        { 0x5C, 0 }, { 0x5D, SOUND_PLACE }, { 0x00, 0x40 }, { 0x01, 0x40 }, { 0x04, 0 },
    };
    static u8 i;

    while (SOUND_COUNT != 0xAA || SOUND_BYTE != 0xBB)
        ;
    SOUND_LOW = 0;
    SOUND_HIGH = SOUND_PLACE;
    SOUND_BYTE = 1;
    sound_count = 0xCC;
    count_sound();
    for (i = 0; i < sizeof sound_program; ++i) {
        SOUND_BYTE = sound_program[i];
        sound_count = i;
        count_sound();
    }
    SOUND_LOW = PROGRAM_PLACE;
    SOUND_HIGH = SOUND_PLACE;
    SOUND_BYTE = 0;
    sound_count += 2;
    count_sound();
    for (i = 0; i < sizeof set / 2; ++i)
        set_sound(set[i][0], set[i][1]);
}

static void start(void)
{
    static u8 i;

    MODE = 1;
    MAP_PLACE = 0;
    TILES_PLACE = 1;            /* from the word 1000 on */
    SCROLL_DOWN = 0xFF;         /* the first line isn't shown */
    SCROLL_DOWN = 0xFF;
    copy(tiles, TILES_SIZE, 0x1000, 1);
    VIDEO_STEP = 0x80;
    VIDEO_LOW = VIDEO_HIGH = 0;
    {
        static u16 left;

        for (left = 1024; left; --left) {
            PORT(0x2118) = 0;
            PORT(0x2119) = 0;
        }
    }
    COLOR_NUMBER = 0;
    for (i = 0; i < PALETTE_SIZE; ++i)
        COLOR_DATA = palette[i];
    SHOWN = 1;
    start_sound();
    INTERRUPTS = 0x81;          /* and the pads are read by themselves */
    started = 1;
}

void screen_off(void)
{
    DISPLAY = 0x80;
    if (!started)
        start();
}

void screen_on(void)
{
    wait_frame();
    DISPLAY = 0x0F;
}

static const u16 tones[8] = { 535, 601, 675, 715, 803, 901, 954, 1070 };

/* The note fades by itself. */
void sound(u8 which)
{
    static u16 tone;

    if (which == SOUND_OVER || which == SOUND_LOCK)
        tone = 286;
    else if (which > SOUND_CHAIN)
        tone = tones[which - SOUND_CHAIN - 1 < 7 ? which - SOUND_CHAIN - 1 : 7];
    else
        tone = tones[which];
    set_sound(0x02, (u8)tone);
    set_sound(0x03, (u8)(tone >> 8));
    set_sound(0x05, 0xFF);
    set_sound(0x06, which >= SOUND_START ? 0xF6 : 0xFA);
    set_sound(0x4C, 1);
}

void sound_frame(void)
{
}
