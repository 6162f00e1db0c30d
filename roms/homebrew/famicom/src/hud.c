/* NEXT, score, level, chain, blocks: a little text each frame, never more than fits the queue. */
#include "ram.h"

#define NEXT_1   0x20CF     /* the axis, in the middle of the pillar; the partner above it */
#define SCORE_1  0x2095
#define LEVEL_1  0x20FC
#define CHAIN_1  0x213B
#define BEST_1   0x217B
#define BLOCKS_1 0x21B8

static u8 shown_next[4];
static u8 best;
static u8 turn;

void hud_reset(void)
{
    shown_next[0] = shown_next[2] = 0;
    best = 0;
}

/* 2 x 2 tiles, with the next frame. 10 bytes of the queue. */
void __fastcall__ four_tiles(u16 at)
{
    str_begin(at);
    str_byte(tiles[0]);
    str_byte(tiles[1]);
    str_end();
    str_begin(at + 32);
    str_byte(tiles[2]);
    str_byte(tiles[3]);
    str_end();
}

void __fastcall__ next_half(u16 at, u8 code)
{
    cell_tiles(code);
    if (code == 0)          /* the mark of an empty cell has no place here */
        tiles[0] = tiles[1] = tiles[2] = tiles[3] = 0;
    four_tiles(at);
}

static void show_next(void)
{
    u8 b = NEXT[0], t = NEXT[1];

    if (b == shown_next[0] && t == shown_next[1])
        return;
    shown_next[0] = b;
    shown_next[1] = t;
    if (b >= BIG) {         /* an item: one picture */
        next_half(NEXT_1 - 64, 0);
        next_half(NEXT_1, b + 7);
        t = 3;
        b = b == BIG ? 3 : 0;
    } else {
        next_half(NEXT_1 - 64, t);
        next_half(NEXT_1, b);
        t = cell_palette[t];
        b = cell_palette[b];
    }
    ATTR[0x0B] = ATTR[0x0B] & 0x33 | t << 2 | b << 6;
    ATTR[0x0C] = ATTR[0x0C] & 0xCC | t | b << 4;
    str_begin(0x23CB);
    str_byte(ATTR[0x0B]);
    str_byte(ATTR[0x0C]);
    str_end();
}

void __fastcall__ two_digits(u16 at, u8 n)
{
    u8 tens = 16;

    str_begin(at);
    while (n >= 10) {
        n -= 10;
        ++tens;
    }
    str_byte(tens == 16 ? BLANK : tens);
    str_byte(n + 16);
    str_end();
}

void hud_frame(void)
{
    u8 i;

    if (str_len)
        return;
    show_next();
    if (str_len)
        return;
    if (CHAIN[0] > best)
        best = CHAIN[0];
    ++turn;
    switch (turn & 7) {
    case 0:
#ifndef SCORE_ZERO
        num[0] = SCORE[0];
        num[1] = SCORE[1];
        num[2] = SCORE[2];
        to_decimal();
#endif
        str_begin(SCORE_1);
        for (i = 0; i < 7; ++i)
            str_byte(SCORE_TILE(0, i));
        str_byte(16);
        str_end();
        break;
    case 2:
        str_begin(LEVEL_1);
        str_byte(LEVEL + 16);
        str_end();
        two_digits(CHAIN_1, CHAIN[0]);
        two_digits(BEST_1, best);
        break;
    case 4:
        num[0] = BLOCKS_LOW[0];
        num[1] = BLOCKS_HIGH[0];
        num[2] = 0;
        to_decimal();
        str_begin(BLOCKS_1);
        for (i = 2; i < 7; ++i)
            str_byte(DIGITS[i] + 16);
        str_end();
        break;
    }
}
