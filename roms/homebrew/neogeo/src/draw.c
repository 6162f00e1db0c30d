/* The fields: blocks, bursts, the values of tails, the falling pair. Only what has changed is sent. */
#include "game.h"
#include "layout.h"
#include "settle.h"
#include "tiles.h"
#include "video.h"

/* A look: the code or the colour, one of these, and above them the sides on which a block is joined to its like. */
enum { LOOK_NONE, LOOK_FLASH = 0x10, LOOK_SLEEPY = 0x18, LOOK_BURST = 0x20, LOOK_DUST = 0x28, JOINED = 0x100 };

#define LOOK_UNKNOWN 0xFF       /* in both bytes */
#define ALL_ROWS     0x0FFF
#define FEW_ROWS     6


#define ORB_FRAMES   44
#define BURST_FRAMES 6      /* every other one is drawn */
#define DUST_FRAMES  3

typedef u32 __attribute__((may_alias)) row_half;

static u16 shown[2][CELLS];     /* the look that video RAM has */
static u8 was[2][CELLS] __attribute__((aligned(4)));    /* the field at the last frame */
static u16 fading_rows[2];      /* those with a burst */
static u8 fading[2][CELLS];     /* frames that a burst still shows */
static u8 numbered[2][CELLS];   /* the tail value on the fix layer */
static u8 blinking[2];          /* the colour that has its eyes shut */
static u8 was_lively[2];      /* go through all cells once more */
static s16 at_x[2], at_y[2];    /* the axis on the screen */
static s16 swing_x[2], swing_y[2];
static u16 last_spawn[2];
static u16 last_rest[2];
static u8 orb[2];               /* frames that what a seat has sent still flies */

void draw_reset(void)
{
    u8 cell;

    fill(shown, LOOK_UNKNOWN, sizeof shown);
    fill(was, 0, sizeof was);
    for (cell = COLUMNS; cell < CELLS; cell += STRIDE)
        was[0][cell] = was[1][cell] = WALL;
    fill(fading, 0, sizeof fading);
    fill(numbered, 0, sizeof numbered);
    was_lively[0] = was_lively[1] = 1;
    blinking[0] = blinking[1] = 0;
    last_spawn[0] = last_spawn[1] = 0xFFFF;
    last_rest[0] = last_rest[1] = 0;
    orb[0] = orb[1] = 0;
    fading_rows[0] = fading_rows[1] = 0;
}

/* On which sides its own colour touches a block. */
static u16 joined(const u8 *at, u8 code)
{
    u16 sides = 0;

    if (at[-STRIDE] == code)
        sides = JOINED;
    if (at[1] == code)
        sides |= 2 * JOINED;
    if (at[STRIDE] == code)
        sides |= 4 * JOINED;
    if (at[-1] == code)
        sides |= 8 * JOINED;
    return sides;
}

/* What a cell looks like in this frame. */
static u16 look(const struct seat *s, u8 seat, u8 cell)
{
    u8 code = s->field[cell];
    u16 sides;

    if (code == EMPTY) {
        if (was[seat][cell] && s->phase == WAVE)
            fading[seat][cell] = BURST_FRAMES << 4 | (was[seat][cell] & 7);
        was[seat][cell] = EMPTY;
        if (!fading[seat][cell])
            return LOOK_NONE;
        fading[seat][cell] -= 0x10;
        code = fading[seat][cell] & 7;
        if (fading[seat][cell] < 0x10) {
            fading[seat][cell] = 0;
            return LOOK_NONE;
        }
        return fading[seat][cell] >> 4 > DUST_FRAMES ? LOOK_BURST | code : LOOK_DUST | code;
    }
    was[seat][cell] = code;
    fading[seat][cell] = 0;
    sides = code < NUISANCE ? joined(&s->field[cell], code) : 0;
    if (s->phase == WAVE && s->steps[cell] && s->steps[cell] == s->step)
        return LOOK_FLASH | sides | code;
    if (code <= NUISANCE && (s->phase == LOST || code == blinking[seat]))
        return LOOK_SLEEPY | sides | code;
    return sides | code;
}

static void show(u8 seat, u8 cell, u16 look)
{
    u8 kind = look & 7, group = look & 0xF8;
    u16 tile = BLOCK(kind) + (look >> 8);

    if (group == 0)
        tile = kind ? tile : 0;
    else if (group == NEEDLE)
        tile = THORNY;
    else if (group == LOOK_FLASH)
        tile += FLASHES - BLOCKS;
    else if (group == LOOK_SLEEPY)
        tile += SLEEPY - BLOCKS;
    else
        tile = group == LOOK_BURST ? BURSTS : BURSTS + 1;
    strip_tile(FIELD_SPRITE + COLUMNS * seat + (cell & 7), (cell >> 3) - 1, tile, PALETTE_BLOCK + kind);
}

/* A tail's value over its cell; 0 takes it away. */
static void value(u8 seat, u8 cell, u8 number)
{
    u8 x = (FIELD_X(seat) >> 3) + 2 * (cell & 7), y = 2 * (cell >> 3);

    if (number >= 10) {
        tall(x, y, INK_TAIL, number, 2);
        return;
    }
    if (number) {               /* in the middle of the cell */
        u16 tile = INK_TAIL << 12 | (LONE + 4 * number);

        put(FIX(x, y), tile);
        put(FIX(x, y) + 1, tile + 1);
        put(FIX(x + 1, y), tile + 2);
        put(FIX(x + 1, y) + 1, tile + 3);
        return;
    }
    put(FIX(x, y), BLANK);
    put(FIX(x, y) + 1, BLANK);
    put(FIX(x + 1, y), BLANK);
    put(FIX(x + 1, y) + 1, BLANK);
}

/* The rows, bit 0 the top one, in which the field is not as it was drawn. */
static u16 changed_rows(const struct seat *s, u8 seat)
{
    const row_half *now = (const row_half *)&s->field[CELLS], *before = (const row_half *)&was[seat][CELLS];
    u16 rows = 0;
    u8 i;

    for (i = 1; i < ROWS; ++i) {
        rows <<= 1;
        if (*--now != *--before) {
            --now;
            --before;
            rows |= 1;
        } else if (*--now != *--before)
            rows |= 1;
    }
    return rows;
}

/* Most frames change little: all cells are gone through only while something shows more than its code. */
static void draw_field(const struct seat *s, u8 seat)
{
    u8 lively = s->phase == WAVE || s->phase == LOST, cell, row, n;
    u8 blink = (game.frame & 0x7F) < 8 ? 1 + (game.frame >> 7 & 3) : 0;     /* the colours take turns */
    u16 rows, bit;

    if (lively | was_lively[seat] | (blink != blinking[seat])) {
        if ((game.frame ^ seat) & 1)            /* that is long: the seats take turns */
            return;
        was_lively[seat] = lively;
        blinking[seat] = blink;
        rows = ALL_ROWS;
    } else {
        rows = changed_rows(s, seat);
        rows |= rows << 1 | rows >> 1;          /* what is joined to what has changed */
        rows |= fading_rows[seat];
        for (n = 0, bit = rows; bit; bit &= bit - 1)
            ++n;
        if (n > FEW_ROWS && ((game.frame ^ seat) & 1))
            return;
    }
    fading_rows[seat] = 0;
    for (row = 1, bit = 1; row < ROWS; ++row, bit <<= 1) {
        if (!(rows & bit))
            continue;
        for (cell = row * STRIDE; (cell & 7) != COLUMNS; ++cell) {
            u16 now = look(s, seat, cell);
            u8 number = s->phase == WAVE ? s->values[cell] : 0;

            if (fading[seat][cell])
                fading_rows[seat] |= bit;
            if (now != shown[seat][cell]) {
                if (room(16)) {
                    shown[seat][cell] = now;
                    show(seat, cell, now);
                } else
                    was_lively[seat] = 1;
            }
            if (number != numbered[seat][cell]) {
                if (room(16)) {
                    numbered[seat][cell] = number;
                    value(seat, cell, number);
                } else
                    was_lively[seat] = 1;
            }
        }
    }
}

static s16 towards(s16 from, s16 to, s16 by)
{
    if (from < to)
        return from + by < to ? from + by : to;
    return from - by > to ? from - by : to;
}

static void block(u16 sprite, u8 code, s16 x, s16 y)
{
    u8 kind = code & 7;
    u16 tile = code & NEEDLE ? THORNY : BLOCK(kind);

    place(sprite, tile, PALETTE_BLOCK + kind, x, y);
}

/* The pair glides after its cells. */
static void draw_pair(const struct seat *s, u8 seat)
{
    u16 sprite = PAIR_SPRITE + 2 * seat;
    u8 sharp = s->needle ? NEEDLE : 0, squash;
    s16 to_x = FIELD_X(seat) + 16 * (s->x - 1), to_y = 16 * s->y;

    if (s->spawns != last_spawn[seat]) {
        last_spawn[seat] = s->spawns;
        at_x[seat] = to_x;
        at_y[seat] = 4;
        swing_x[seat] = 0;
        swing_y[seat] = -16;
    }
    at_x[seat] = towards(at_x[seat], to_x, 8);
    at_y[seat] = towards(at_y[seat], to_y, to_y - at_y[seat] > 16 ? 8 : PAD(seat) & DOWN ? 8 : s->grounded ? 4 : 1);
    swing_x[seat] = towards(swing_x[seat], 16 * turn_x[s->orientation], 4);
    swing_y[seat] = towards(swing_y[seat], 16 * turn_y[s->orientation], 4);
    squash = s->grounded && (s->lock_budget & 8) ? 1 : 0;
    block(sprite, s->axis | sharp, at_x[seat], at_y[seat] + squash);
    block(sprite + 1, s->partner | sharp, at_x[seat] + swing_x[seat], at_y[seat] + swing_y[seat] + squash);
}

static void draw_halves(u8 seat)
{
    u8 i;

    for (i = 0; i < 2; ++i) {
        const struct half *h = &halves[seat][i];

        if (h->code)
            block(PAIR_SPRITE + 2 * seat + i, h->code, FIELD_X(seat) + 16 * (h->x - 1), h->y);
        else
            hide(PAIR_SPRITE + 2 * seat + i);
    }
}

/* What has been sent flies to the other field in an arc. */
static void draw_orb(const struct seat *s, u8 seat)
{
    s16 x, y;

    if (s->rests != last_rest[seat]) {
        last_rest[seat] = s->rests;
        if (s->sent)
            orb[seat] = ORB_FRAMES;
    }
    if (!orb[seat])
        return;
    if (--orb[seat] == 0) {
        hide(ORB_SPRITE + seat);
        return;
    }
    x = FIELD_X(seat) + 48;
    x += seat ? -((FIELD_X(1) - FIELD_X(0)) / ORB_FRAMES) * (ORB_FRAMES - orb[seat])
              : ((FIELD_X(1) - FIELD_X(0)) / ORB_FRAMES) * (ORB_FRAMES - orb[seat]);
    y = 2 * orb[seat] + (orb[seat] > ORB_FRAMES / 2 ? 2 * orb[seat] - ORB_FRAMES : 0);
    place(ORB_SPRITE + seat, orb[seat] & 2 ? BURSTS : BLOCK(NUISANCE), PALETTE_BLOCK + NUISANCE, x, y);
}

void draw_seat(struct seat *s, u8 seat)
{
    if (s->phase == SPAWN || s->phase == CONTROL)
        draw_pair(s, seat);
    else
        draw_halves(seat);
    draw_field(s, seat);
    draw_orb(s, seat);
}
