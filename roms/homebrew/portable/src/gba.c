/* Game Boy Advance. Facts: GBATEK. */
#include "core.h"
#include "tiles.h"

#define PORT(offset) (*(volatile u16 *)(0x04000000 + (offset)))
#define DISPLAY      PORT(0x000)
#define VIDEO_STATE  PORT(0x004)
#define LAYER        PORT(0x008)
#define NOTE_SWEEP   PORT(0x060)
#define NOTE_SHAPE   PORT(0x062)
#define NOTE_TONE    PORT(0x064)
#define LOUDNESS     PORT(0x080)
#define MIX          PORT(0x082)
#define SOUND_ON     PORT(0x084)
#define KEYS         PORT(0x130)
#define WANTED       PORT(0x200)
#define DUE          PORT(0x202)
#define COLORS       ((volatile u16 *)0x05000000)
#define VIDEO        ((volatile u16 *)0x06000000)
#define MAP          ((volatile u16 *)0x0600F800)

void halt(void);
static u8 started;

/* Interrupts are never taken; they only end the halt. */
void wait_frame(void)
{
    while (!(DUE & 1))
        halt();
    DUE = 1;
}

u8 read_pad(void)
{
    u16 held = ~KEYS;
    u8 found = 0;

    if (held & 0x01)
        found |= PAD_A;
    if (held & 0x02)
        found |= PAD_B;
    if (held & 0x08)
        found |= PAD_START;
    if (held & 0x10)
        found |= PAD_RIGHT;
    if (held & 0x20)
        found |= PAD_LEFT;
    if (held & 0x40)
        found |= PAD_UP;
    if (held & 0x80)
        found |= PAD_DOWN;
    return found;
}

void put(u8 column, u8 row, u8 tile)
{
    MAP[row * 32 + column] = tile;
}

static void start(void)
{
    int i;

    for (i = 0; i < TILES_SIZE; i += 2)
        VIDEO[i / 2] = tiles[i] | tiles[i + 1] << 8;
    for (i = 0; i < PALETTE_SIZE; i += 2)
        COLORS[i / 2] = palette[i] | palette[i + 1] << 8;
    LAYER = 31 << 8;
    VIDEO_STATE = 8;            /* the vertical blank asks for an interrupt */
    WANTED = 1;
    SOUND_ON = 0x80;
    LOUDNESS = 0x1177;
    MIX = 2;
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
    DISPLAY = 0x100;
    DUE = 1;
}

static const u16 tones[8] = { 1547, 1602, 1650, 1673, 1714, 1750, 1767, 1797 };

void sound(u8 which)
{
    u8 shape = which == SOUND_MOVE ? 0x41 : which == SOUND_TURN ? 0x51 : which == SOUND_LOCK ? 0x82 : 0xA3;
    u16 tone = tones[which & 7];

    if (which > SOUND_CHAIN)
        tone = tones[which - SOUND_CHAIN - 1 < 7 ? which - SOUND_CHAIN - 1 : 7];
    NOTE_SWEEP = which == SOUND_OVER ? 0x7D : which >= SOUND_CHAIN ? 0x15 : 8;
    NOTE_SHAPE = shape << 8 | 0x80;
    NOTE_TONE = 0x8000 | tone;
}

void sound_frame(void)
{
}
