/* The items, in a pair's place: the big puyo (2 x 2, the axis its lower left cell) sinks through its columns, the
   carbuncle (one cell) recolours its neighbours. */
#include "ram.h"

#define SINK_SPEED  4       /* pixels per frame */
#define RECOLOUR_AT 12
#define SHOW_FRAMES 28
#define TILE_CARBUNCLE 0x8C
#define TILE_BIG    0x90

static u16 dealt[2];        /* pieces in this game */
static u8 px[2], py[2];     /* sprite of a locked item, pixels */
static u8 row[2];           /* next row to sink through */
static u8 timer[2];
static u8 sunk[2], stones[2];

void items_reset(void)
{
    u8 i;

    INTERVAL = 16;
    dealt[0] = dealt[1] = 0;
    for (i = 0; i < 4; ++i)
        OTHER_RANDOM[i] = RANDOM[i];    /* the same pairs for both */
}

static void swap_generators(void)
{
    u8 i, was;

    for (i = 0; i < 4; ++i) {
        was = RANDOM[i];
        RANDOM[i] = OTHER_RANDOM[i];
        OTHER_RANDOM[i] = was;
    }
}

/* Deal the piece after the next one: an item when its number says so, else two colours. */
void deal_next(void)
{
    u8 q = p + p, code = 0;
    u16 n = ++dealt[p];

    if (ITEMS && INTERVAL && n % INTERVAL == 0)
        code = ITEMS == 3 ? (n / INTERVAL & 1 ? BIG : CARBUNCLE) : ITEMS + BIG - 1;
    if (code) {
        NEXT[q] = NEXT[q + 1] = code;
        return;
    }
    if (p)
        swap_generators();
    NEXT[q] = deal(COLOURS);
    NEXT[q + 1] = deal(COLOURS);
    if (p)
        swap_generators();
}

/* May the item be at (lx, ly)? */
u8 item_fits(void)
{
    if (!legal())
        return 0;
    if (BOTTOM[p] == CARBUNCLE)
        return 1;
    ++lx;
    if (!legal())
        return 0;
    --ly;
    if (!legal())
        return 0;
    --lx;
    return legal();
}

void lock_item(void)
{
    px[p] = (X[p] << 4) + (p ? 128 : 0);
    py[p] = Y[p] << 4;
    row[p] = 0;
    timer[p] = SHOW_FRAMES;
    sunk[p] = stones[p] = 0;
    sound(BOTTOM[p] == BIG ? SND_SINK : SND_ITEM);
}

/* Empty the cell at offset i of the field; its neighbours' joints to it go too. */
static void __fastcall__ swallow(u8 i)
{
    u8 code = fptr[i + 1];

    if (code == 0)
        return;
    if (code == CELL(7))
        ++stones[p];
    else
        ++sunk[p];
    fptr[i + 1] = 0;
    fptr[i] = 0;
    fptr[i - 2] &= 13;
    fptr[i + 2] &= 7;
}

static void sink(void)
{
    u8 i;

    py[p] += SINK_SPEED;
    while (row[p] < 14 && (u8)(row[p] << 4) <= py[p]) {
        i = (row[p] << 4) + X[p] + X[p];
        swallow(i);
        swallow(i + 2);
        ++row[p];
    }
    if (py[p] < 240)
        return;
    if (!take()) {
        py[p] -= SINK_SPEED;
        return;
    }
    grp_cleared = sunk[p] + stones[p];      /* 1 stored point each, nuisance too */
    grp_nuis = 0;
    mult = 1;
    if (grp_cleared)
        count_cleared();
    links_next();
}

/* The cell at offset i, if it is a puyo, takes the colour. */
static void __fastcall__ recolour(u8 i)
{
    if (fptr[i] && fptr[i] < CELL(7))
        fptr[i] = fptr[((Y[p] + 1) << 4) + X[p] + X[p] + 1];
}

static void glow(void)
{
    u8 i, below;

    if (--timer[p] == 0) {
        links_next();
        return;
    }
    if (timer[p] != RECOLOUR_AT || Y[p] >= 13)
        return;
    i = (Y[p] << 4) + X[p] + X[p] + 1;
    below = fptr[i + 16];
    if (below == 0 || below >= CELL(7))
        return;
    if (!take()) {
        ++timer[p];
        return;
    }
    recolour(i - 2);
    recolour(i + 2);
    make_links();
}

/* One frame of an item's work. */
void item_frame(void)
{
    if (BOTTOM[p] == BIG)
        sink();
    else
        glow();
}

void item_sprite(void)
{
    u8 locked = PHASE[p] == SETTLING;

    sx = locked ? px[p] : SPRITE_X[p];
    sy = locked ? py[p] : SPRITE_Y[p];
    if (BOTTOM[p] == BIG) {
        stile = TILE_BIG;
        sattr = 3;
        sy -= 16;
        if (!locked && pair_shape() == 1)
            sy += 2;        /* it can't be squeezed: it bobs */
        spr_32();
        return;
    }
    stile = TILE_CARBUNCLE;
    sattr = (FRAME >> 2 & 3) % 3;
    if (!locked || timer[p] > RECOLOUR_AT || timer[p] & 2)
        spr_16();
}
