/* The fields: puyos that are joined, that land, that blink and burst; the falling pair; signs. */
#include "game.h"
#include "layout.h"
#include "tiles.h"
#include "video.h"

#define BOUNCE_FRAMES 10
#define BURST_FRAMES  14
#define BURSTS        28
#define CELLS_A_FRAME 18    /* drawn of a field at most */
#define LAST_LINE     140   /* of the picture at which a row of the field is begun */
#define CALL_FRAMES   70
#define ORB_FRAMES    32
#define WINK_FRAMES   10
#define WINKERS       (CELLS - TOP * COLUMNS)

struct burst {
    u8 left, kind;
    s16 x, y;
};

static u16 shown[2][CELLS];
static u8 bounce[2][CELLS];
static u16 before[2][CELLS];
static struct burst bursts[BURSTS];
static u8 next_burst;
static s16 at_x[2], at_y[2], swing_x[2], swing_y[2];
static u16 last_spawn[2];
static u8 call[2], call_left[2];
static u8 orb[2], orb_to[2];            /* frames that what a seat has earned still flies; the seat it flies to */
static u16 last_rest[2];
static u8 winker[2], wink_left[2];
static u8 bouncing[2][ROWS];     /* rows with cells that bounce */
u8 vanished[2];                 /* groups have just gone */

/* What the numbers of cells (8..) and pairs are drawn with: the colour's place in the tile sheet, its palette. */
static const u8 place_of[8] = { 0, 1, 2, 2, 3, 4, 5, 5 };
static const u16 palette_of[8] = { PAL(0), PAL(0), PAL(0), PAL(0), PAL(1), PAL(1), PAL(1), PAL(1) };

static u16 tile_of[256];        /* by a cell's byte */

static u16 puyo_tile(u8 kind, u8 links)
{
    if (kind >= 6)
        return palette_of[kind] | T_NUISANCE;
    return palette_of[kind] | (T_PUYO + (place_of[kind] * 16 + links) * 4);
}

void draw_reset(void)
{
    u16 code;

    for (code = 0x80; code < 0x100; ++code)
        tile_of[code] = puyo_tile((code >> 4) - 8, code & 15);
    fill(shown, 0, sizeof shown);
    fill(bounce, 0, sizeof bounce);
    fill(bouncing, 0, sizeof bouncing);
    fill(before, 0, sizeof before);
    fill(bursts, 0, sizeof bursts);
    last_spawn[0] = last_spawn[1] = 0xFFFF;
    call_left[0] = call_left[1] = 0;
    vanished[0] = vanished[1] = 0;
    orb[0] = orb[1] = 0;
    wink_left[0] = wink_left[1] = 0;
    last_rest[0] = last_rest[1] = 0;
}

u16 next_tile(u8 color)
{
    return puyo_tile(color & 7, 0);
}

void call_out(u8 seat, u8 what)
{
    call[seat] = what;
    call_left[seat] = CALL_FRAMES;
}

static void begin_burst(s16 x, s16 y, u8 kind)
{
    struct burst *b = &bursts[next_burst];

    b->left = BURST_FRAMES;
    b->kind = kind;
    b->x = x;
    b->y = y;
    if (++next_burst == BURSTS)
        next_burst = 0;
}

/* What is more than the cell's code: it blinks or bounces. */
static u16 lively_look(const struct seat *s, u8 seat, u8 code, u8 marked, u8 *left)
{
    u8 kind = (code >> 4) - 8;

    if (marked) {
        u8 blink = blink_left(seat);

        *left = 0;
        if (blink >= 12)
            return blink & 4 ? tile_of[code] : 0;
        if (s->phase == CLEAR && kind < 6)
            return palette_of[kind] | (T_STARTLED + place_of[kind] * 4);
        return tile_of[code];
    }
    --*left;
    if (!(code & 15) && *left > 2)
        return palette_of[kind] | ((*left > 6 ? T_FLAT : T_TALL) + place_of[kind] * 4);
    return tile_of[code];
}

/* A row's cells that have changed, that bounce or blink; 0: there is no time for all of them. */
static u8 draw_row(const struct seat *s, u8 seat, u8 row, u8 *budget)
{
    u8 cell = row * COLUMNS, x = FIELD_COLUMN(seat), end = x + 2 * COLUMNS, y = FIELD_ROW + 2 * (row - TOP), lively = 0;
    const u16 *code = field_of(seat) + cell;
    const u16 *marked = searches[seat].marked + cell;
    u16 *was = before[seat] + cell, *seen = shown[seat] + cell;
    u8 *left = bounce[seat] + cell, blinks = s->phase == CLEAR || vanished[seat];

    for (; x < end; x += 2, ++code, ++was, ++marked, ++left, ++seen) {
        u8 mark = blinks && *marked;
        u16 tile = 0, now = *code;

        if (now == *was && !*left && !mark)
            continue;
        if (!*budget)
            return 0;
        if (now) {
            if (!*was && s->phase != LOST && (row + 1 == ROWS || code[COLUMNS]))
                *left = BOUNCE_FRAMES;
            if (mark || *left)
                tile = lively_look(s, seat, (u8)now, mark, left);
            else
                tile = tile_of[(u8)now];
            lively |= *left;
        } else {
            *left = 0;
            if (mark && *was)
                begin_burst(8 * x, 8 * y, KIND(*was) - 8);
        }
        *was = now;
        if (tile != *seen) {
            *seen = tile;
            put_block(x, y, tile);
            --*budget;
        }
    }
    bouncing[seat][row] = lively;
    return 1;
}

/* Most rows look as in the frame before. Blinking changes every fourth frame. What there is no time for comes in the
   next frame. */
static void draw_field(const struct seat *s, u8 seat)
{
    const u32 *now = (const u32 *)(field_of(seat) + TOP * COLUMNS);
    const u32 *was = (const u32 *)(before[seat] + TOP * COLUMNS);
    u8 row, budget = CELLS_A_FRAME, all = vanished[seat] || (s->phase == CLEAR && !(blink_left(seat) & 3));

    for (row = TOP; row < ROWS; ++row, now += 3, was += 3)
        if (all || bouncing[seat][row] || now[0] != was[0] || now[1] != was[1] || now[2] != was[2])
            if (past(LAST_LINE) || !draw_row(s, seat, row, &budget))
                return;
    vanished[seat] = 0;
}

static void wink(u8 seat)
{
    u8 cell = winker[seat], kind, y = FIELD_ROW, i;
    u16 code = field_of(seat)[cell], tile;

    kind = (KIND(code) - 8) & 7;
    tile = palette_of[kind] | (T_SLEEPY + place_of[kind] * 4);
    if (code != before[seat][cell] || bounce[seat][cell] || code & 15 || !code || kind >= 6)
        return;
    if (shown[seat][cell] != (wink_left[seat] ? tile_of[(u8)code] : tile))
        return;
    if (!wink_left[seat])
        tile = tile_of[(u8)code];
    shown[seat][cell] = tile;
    for (i = cell - TOP * COLUMNS; i >= COLUMNS; i -= COLUMNS)
        y += 2;
    put_block(FIELD_COLUMN(seat) + 2 * i, y, tile);
}

/* Now and then one of them, joined to no other, shuts its eyes. */
static void wink_frame(const struct seat *s, u8 seat)
{
    if (wink_left[seat]) {
        if (--wink_left[seat] == 0)
            wink(seat);
    } else if ((u8)(game.frame - 8 * seat) % 16 == 0 && s->phase != LOST && s->phase != CLEAR) {
        winker[seat] = TOP * COLUMNS + modulo((u16)game.frame * 37u + (u16)(game.frame >> 4) * 11u, WINKERS);
        wink_left[seat] = WINK_FRAMES;
        wink(seat);
    }
}

static s16 towards(s16 from, s16 to, s16 by)
{
    if (from < to)
        return from + by < to ? from + by : to;
    return from - by > to ? from - by : to;
}

static void puyo(u8 color, s16 x, s16 y, u8 seat)
{
    sprite(FIELD_X(seat) + x, FIELD_Y - 16 * TOP + y, SIZE(2, 2), puyo_tile(color, 0));
}

/* The pair glides after its cells; what is above the field is behind the tray. */
static void draw_pair(const struct seat *s, u8 seat)
{
    s16 to_x = 16 * (s->x - 1), to_y = 16 * s->y;
    u16 glow = 0;

    if (s->spawns != last_spawn[seat]) {
        last_spawn[seat] = s->spawns;
        at_x[seat] = to_x;
        at_y[seat] = to_y - 16;
        swing_x[seat] = 0;
        swing_y[seat] = -16;
    }
    at_x[seat] = towards(at_x[seat], to_x, 8);
    at_y[seat] = towards(at_y[seat], to_y, to_y - at_y[seat] > 16 || pad[seat] & DOWN ? 8 : s->grounded ? 4 : 2);
    swing_x[seat] = towards(swing_x[seat], 16 * turn_x[s->orientation], 4);
    swing_y[seat] = towards(swing_y[seat], 16 * turn_y[s->orientation], 4);
    if (game.frame & 8)
        glow = T_GLOW;
    if (glow)
        sprite(FIELD_X(seat) + at_x[seat], FIELD_Y - 16 * TOP + at_y[seat], SIZE(2, 2), PAL(1) | glow);
    puyo(s->axis, at_x[seat], at_y[seat], seat);
    puyo(s->partner, at_x[seat] + swing_x[seat], at_y[seat] + swing_y[seat], seat);
}

static void draw_halves(u8 seat)
{
    u8 i;

    for (i = 0; i < 2; ++i) {
        const struct half *h = &halves[seat][i];

        if (h->code)
            puyo((h->code >> 4) - 8, 16 * (h->x - 1), h->y, seat);
    }
}

static void draw_bursts(void)
{
    u8 i;

    for (i = 0; i < BURSTS; ++i) {
        struct burst *b = &bursts[i];

        if (!b->left)
            continue;
        --b->left;
        sprite(b->x, b->y, SIZE(2, 2),
               palette_of[b->kind] | (T_BURST + (place_of[b->kind] * 2 + (b->left < BURST_FRAMES / 2)) * 4));
    }
}

static void draw_call(u8 seat)
{
    s16 x = FIELD_X(seat), y = FIELD_Y + 44;
    u8 left = call_left[seat];
    char digits[3];

    if (!left)
        return;
    --call_left[seat];
    if (left > CALL_FRAMES - 8)
        y += 2 * (left - (CALL_FRAMES - 8));
    if (call[seat] == CALL_ALL_CLEAR) {
        big(x + 26, y - 16, left & 8 ? PAL(0) : PAL(1), "ALL");
        big(x + 11, y, left & 8 ? PAL(0) : PAL(1), "CLEAR");
        return;
    }
    if (call[seat] == CALL_WIN) {
        call_left[seat] = left > 8 ? left - 1 : 8;
        big(x + 26, y, game.frame & 8 ? PAL(0) : PAL(1), "WIN!");
        return;
    }
    if (call[seat] == CALL_LOSE) {
        call_left[seat] = left > 8 ? left - 1 : 8;
        big(x + 18, y, PAL(1), "LOSE");
        return;
    }
    digits[0] = call[seat] >= 10 ? '0' + (call[seat] / 10) % 10 : '0' + call[seat];
    digits[1] = call[seat] >= 10 ? '0' + call[seat] % 10 : 0;
    digits[2] = 0;
    big(x + 2, y, PAL(0), digits);
    big(x + (digits[1] ? 32 : 18), y, PAL(1), "CHAIN");
}

/* What a chain has earned flies in an arc to the tray it counts for. */
static void draw_orb(const struct seat *s, u8 seat)
{
    s16 from = FIELD_X(seat) + 40, x, y;
    u8 age, i;

    if (s->rests != last_rest[seat]) {
        last_rest[seat] = s->rests;
        if (s->sent || s->offset) {
            orb[seat] = ORB_FRAMES;
            orb_to[seat] = s->sent ? seat ^ 1 : seat;
        }
    }
    if (!orb[seat])
        return;
    age = ORB_FRAMES - orb[seat]--;
    for (i = 0; i < 3 && age >= 2 * i; ++i) {
        u8 t = age - 2 * i;

        x = from + (s16)(FIELD_X(orb_to[seat]) - FIELD_X(seat)) / (s16)(ORB_FRAMES) * t;
        y = 96 - 3 * t + (t > 20 ? t - 20 : 0);
        sprite(x, y, SIZE(2, 2), i == 0 ? PAL(1) | T_GLOW : PAL(0) | (T_BURST + 8 + 4 * (i == 2)));
    }
}

/* Signs come first, for they lie in front. */
void draw_seat(struct seat *s, u8 seat)
{
    draw_call(seat);
    draw_orb(s, seat);
    if (!seat)
        draw_bursts();
    if (s->phase == SPAWN || s->phase == CONTROL)
        draw_pair(s, seat);
    else
        draw_halves(seat);
    draw_field(s, seat);
    if (!past(LAST_LINE))
        wink_frame(s, seat);
}
