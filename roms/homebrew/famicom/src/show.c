/* Sprites over the field that the rules know nothing of: closed eyes, the sign of a chain. At most 4 on a line for a
   seat, its falling pair included. */
#include "ram.h"

#pragma bss-name (push, "BSS2")

#define TILE_LID    0x98
#define TILE_DIGIT  0xD5
#define TILE_CHAIN  0xE9
#define FLIPPED     0x40
#define LID_FRAMES  9
#define LID_SPACE   40      /* pixels between a falling pair and closed eyes */
#define SIGN_FRAMES 56

static u8 sign_x[2], sign_y[2], sign_time[2];
static u8 lid_cell[2], lid_code[2], lid_time[2];     /* the cell whose eyes are closed: offset of its code */
static u8 die;
u8 first_sprite[2];         /* offset in the sprite list of what falls for p */

void show_reset(void)
{
    sign_time[0] = sign_time[1] = 0;
    lid_time[0] = lid_time[1] = 0;
}

/* "n CHAIN!" above the topmost cells about to vanish. */
void chain_sign(void)
{
    u8 row = 1, x = 16, bits;

    if (CHAIN[p] < 2)
        return;
    while (fptr[0xE0 + row] == 0)
        ++row;
    for (bits = fptr[0xE0 + row] >> 2; !(bits & 1) && x < 80; bits >>= 1)
        x += 16;
    row = row < 3 ? 3 : row;
    sign_x[p] = (x > 80 ? 80 : x) + (p ? 128 : 0);
    sign_y[p] = (row << 4) - 12;
    sign_time[p] = SIGN_FRAMES;
}

static void __fastcall__ figure(u8 n)
{
    stile = TILE_DIGIT + n + n;
    spr_8();
    ++stile;
    sy += 8;
    spr_8();
    sy -= 8;
}

static void draw_sign(void)
{
    u8 i, n = CHAIN[p];

    if (sign_time[p] == 0)
        return;
    if (PHASE[p] < SETTLING) {
        sign_time[p] = 0;
        return;
    }
    if ((--sign_time[p] & 3) == 0)
        --sign_y[p];
    sattr = 0;
    sx = sign_x[p] + 8;
    sy = sign_y[p] - 16;
    if (n >= 10) {
        sx = sign_x[p] + 4;
        figure(1);
        sx += 8;
        n -= 10;
    }
    if (n < 10)
        figure(n);
    sx = sign_x[p];
    sy += 16;
    for (i = 0; i < 3; ++i) {
        stile = TILE_CHAIN + i;
        spr_8();
        sx += 8;
    }
}

/* Now and then a settled puyo of this seat closes its eyes, far from anything that falls. */
static void __fastcall__ draw_lid(u8 slot)
{
    u8 y, q, cell;

    if (lid_time[slot] == 0) {
        if (FRAME & 31 || slot != (FRAME >> 5 & 1))
            return;
        die = die * 5 + FRAME + X[0];
        cell = 0xD3 - ((die & 7) << 4) + 2 * ((die >> 3) % 6);
        if (fptr[cell] == 0 || fptr[cell] >= CELL(7))
            return;
        lid_cell[slot] = cell;
        lid_code[slot] = COLOUR(fptr[cell]);
        lid_time[slot] = LID_FRAMES;
    }
    --lid_time[slot];
    cell = lid_cell[slot];
    y = cell & 0xF0;
    for (q = 0; q < players; ++q)
        if (PHASE[q] >= SETTLING || (u8)(y - SPRITE_Y[q] + LID_SPACE) < 2 * LID_SPACE)
            return;
    if (fptr[cell] != CELL(lid_code[slot]))
        return;
    stile = TILE_LID - 1 + lid_code[slot];
    sattr = cell_palette[lid_code[slot]];
    sx = ((cell & 0x0E) << 3) + (p ? 128 : 0);
    sy = y + 3;
    spr_8();
    sx += 8;
    sattr |= FLIPPED;
    spr_8();
}

/* The seat's share of the sprites, after its pair's. */
void show_frame(void)
{
    draw_sign();
    if (busy)
        return;
    danger[p] = fptr[0x57] != 0;        /* column 3, row 5 */
    draw_lid(p);
    if (players == 1)
        draw_lid(1);
}

/* 4 sprites on a line for each seat are the 8 that can be shown, but with 8 the PPU's overflow flag is not reliable:
   one column of one of them is left out, another one each frame. */
void thin_out(void)
{
    u8 *at = SPRITES;
    u8 i, column = FRAME & 3, victim = FRAME >> 2 & 1, left, step = 8;

    for (p = 0; p < 2; ++p)
        if (!wide())
            return;
    if (PHASE[0] < SETTLING && PHASE[1] < SETTLING)
        if ((u8)(SPRITE_Y[0] - SPRITE_Y[1] + 40) > 80)
            return;
    at += first_sprite[victim];
    if (BOTTOM[victim] == BIG) {
        step = 16;
        left = 4;
        at += column << 2;
    } else {
        left = 2;
        at += (column & 2) << 3;
        at += (column & 1) << 2;
    }
    do {
        for (i = 0; i < 4; ++i)
            at[i] = 0xFF;
        at += step;
    } while (--left);
}
