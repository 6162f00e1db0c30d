#include "video.h"
#include "ram.h"
#include "tiles.h"

#define FIRST_LINE 0x110        /* raster counter at the picture's first line */
#define LAST_LINE  0x1F0

volatile u8 tick;               /* vertical blanks since the last frame */
u32 queue[QUEUE + 8];
u32 *queue_end;
u16 letters;

static u16 line(void)
{
    return LSPC_MODE >> 7;
}

/* A frame's logic and drawing end here. The logic runs while the picture is drawn, so that everything in RAM is settled
   long before the vertical blank, when emulators end their frames. */
void frame(void)
{
    u16 now = line();

    game.busy = 0;
    if (tick)
        ++game.overruns;
    else if (now > game.latest)
        game.latest = now;
    while (!tick)
        ;
    tick = 0;
    send_queue(queue, queue_end);
    queue_end = queue;
    do
        now = line();
    while (now < FIRST_LINE || now >= LAST_LINE);
    game.busy = 1;
    read_pads();
    ++game.frame;
}

void clear_screen(void)
{
    u16 i;

    frame();
    queue_end = queue;
    VRAM_STEP = 1;
    VRAM_ADDRESS = 0x8000;
    for (i = 0; i < 0x200; ++i)
        VRAM_DATA = 0x0FFF;             /* full size */
    for (i = 0; i < 0x200; ++i)
        VRAM_DATA = 0;                  /* no height */
    VRAM_ADDRESS = 0x7000;
    for (i = 0; i < 40 * 32; ++i)
        VRAM_DATA = BLANK;
    frame();
}

void set_palettes(void)
{
    u16 i;

    for (i = 0; i < PALETTE_WORDS; ++i)
        PALETTES[i] = palette_words[i];
    BACKDROP = 0x8000;
}

void text(u8 x, u8 y, u8 palette, const char *string)
{
    u16 at = FIX(x, y);

    for (; *string; ++string, at += 32)
        put(at, palette << 12 | letters | (u8)*string);
}

void centred(u8 y, u8 palette, const char *string)
{
    u8 length = 0;

    while (string[length])
        ++length;
    text((40 - length) >> 1, y, palette, string);
}

static const u32 powers[8] = { 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1 };

/* The decimal digits of a value below 100,000,000, the highest first; no more than asked for. */
static void decimal(u32 value, u8 digits, u8 *to)
{
    u8 i;

    for (i = 8 - digits; i < 8; ++i) {
        u8 digit = 0;

        while (value >= powers[i] && digit < 9) {
            value -= powers[i];
            ++digit;
        }
        *to++ = digit;
    }
}

void number(u8 x, u8 y, u8 palette, u32 value, u8 digits)
{
    u8 figures[8], i, seen = 0;
    u16 at = FIX(x, y);

    decimal(value, digits, figures);
    for (i = 0; i < digits; ++i, at += 32) {
        seen |= figures[i] || i + 1 == digits;
        put(at, palette << 12 | letters | (seen ? '0' + figures[i] : ' '));
    }
}

void tall(u8 x, u8 y, u8 palette, u16 value, u8 digits)
{
    u8 figures[8], i, seen = 0;
    u16 at = FIX(x, y);

    decimal(value, digits, figures);
    for (i = 0; i < digits; ++i, at += 32) {
        seen |= figures[i] || i + 1 == digits;
        put(at, palette << 12 | letters | (seen ? TALL + 2 * figures[i] : ' '));
        put(at + 1, palette << 12 | letters | (seen ? TALL + 1 + 2 * figures[i] : ' '));
    }
}

void figures(u8 x, u8 y, u8 palette, u32 value)
{
    u8 digits[8], i;
    u16 at = FIX(x, y);

    decimal(value, 8, digits);
    for (i = 0; i < 8; ++i, at += 32)
        put(at, palette << 12 | ('0' + digits[i]));
}

static void columns(u8 x, u8 y, u16 tile, u8 width, u8 rows)
{
    u8 i, j;

    for (i = 0; i < width; ++i)
        for (j = 0; j < rows; ++j)
            put(FIX(x + i, y + j), tile++);
}

void paired(u8 x, u8 y, u8 palette, u8 value)
{
    columns(x, y, palette << 12 | (PAIRED + 6 * value), 3, 2);
}

void word(u8 x, u8 y, u8 palette, u16 tile, u8 rows)
{
    columns(x, y, palette << 12 | tile, 6, rows);
}

void strip(u16 sprite, s16 x, s16 y, u8 tiles)
{
    put(0x8200 + sprite, (u16)(496 - y) << 7 | tiles);
    put(0x8400 + sprite, (u16)x << 7);
}

void strip_tile(u16 sprite, u8 row, u16 tile, u8 palette)
{
    u16 at = (sprite << 6) + (row << 1);

    put(at, tile);
    put(at + 1, palette << 8);
}

void place(u16 sprite, u16 tile, u8 palette, s16 x, s16 y)
{
    strip_tile(sprite, 0, tile, palette);
    strip(sprite, x, y, 1);
}

void hide(u16 sprite)
{
    put(0x8200 + sprite, 0);
}
