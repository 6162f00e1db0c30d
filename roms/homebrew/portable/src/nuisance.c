/* Chains send nuisance, which first takes away what is due on the own side; it falls; margin time makes it cheaper. */
#include "core.h"

#define ALL_CLEAR    2100       /* points that come with the chain after an emptied field */
#define MOST_DUE     9999
#define MOST_MADE    50000U     /* by one chain; points beyond it are lost */
#define MOST_FALL    30
#define MARGIN_FIRST 5760       /* frames: 96 seconds */
#define MARGIN_NEXT  960        /* 16 seconds */
#define TARGETS      12

static u8 above[COLUMNS + 1];   /* by column: still to appear in row 1 */

#if SEAT == 1
/* Points that make one nuisance puyo. Source: puyonexus.com, "Margin time": first 3/4, then half of the value before the
   last. */
static const u8 targets[TARGETS] = { 70, 52, 35, 26, 17, 13, 8, 6, 4, 3, 2, 1 };
static u8 margins;
static u16 margin_at;

void margin_begin(void)
{
    margins = 0;
    margin_at = MARGIN_FIRST;
    game.time = 0;
    game.target = targets[0];
}

void margin_frame(void)
{
    if (game.time != 0xFFFF)
        ++game.time;
    if (game.time == margin_at && margins < TARGETS - 1) {
        ++margins;
        margin_at += MARGIN_NEXT;
        game.target = targets[margins];
    }
}
#endif

static u8 is_empty(void)
{
    static u8 cell;

    for (cell = AT(0, 1); cell < FLOOR; ++cell)
        if (me.field[cell] && me.field[cell] != WALL)
            return 0;
    return 1;
}

/* What the chain has earned goes to the other side. */
static void send(void)
{
    static u32 points, most;
    static u16 made, off;

    points = me.gained + me.points;
    if (me.all_clear)
        points += ALL_CLEAR;
    me.all_clear = is_empty();
    most = (u32)(MOST_MADE + 1) * game.target - 1;
    if (points > most)
        points = most;
    made = (u16)(points / game.target);
    me.points = (u8)(points - (u32)made * game.target);
    off = made < me.pending ? made : me.pending;
    me.pending -= off;
    made -= off;
    me.sent_in_all += made;
    made += other.pending;
    other.pending = made < MOST_DUE ? made : MOST_DUE;
}

/* A column from 0 to 5, each as likely as any other. Both seats draw from the same numbers. */
static u8 draw_column(void)
{
    static u16 r;

    do {
        r = game.noise;
        r ^= r << 7;
        r ^= r >> 9;
        r ^= r << 8;
        game.noise = r;
    } while ((r >> 5 & 7) >= COLUMNS);
    return r >> 5 & 7;
}

/* The columns are shuffled, then filled in turn up to row 1; full ones are left out. What has no room is lost. */
static void rain_begin(void)
{
    static u8 order[COLUMNS], room[COLUMNS + 1];
    static u8 left, placed, i, j, x, cell;

    left = me.pending < MOST_FALL ? (u8)me.pending : MOST_FALL;
    me.pending -= left;
    me.fallen = left;
    for (x = 1; x <= COLUMNS; ++x) {
        order[x - 1] = x;
        above[x] = room[x] = 0;
        for (cell = AT(0, 1) + x; me.field[cell] == 0; cell += STRIDE)
            ++room[x];
    }
    for (i = COLUMNS; i;) {
        --i;
        j = draw_column();
        x = order[j];
        order[j] = order[i];
        order[i] = x;
    }
    do {
        placed = 0;
        for (i = 0; i < COLUMNS && left; ++i) {
            x = order[i];
            if (above[x] == room[x])
                continue;
            ++above[x];
            --left;
            placed = 1;
        }
    } while (left && placed);
}

/* When all is at rest: the attack counts. Returns whether nuisance falls now; once after each lock. */
u8 nuisance_falls(void)
{
    if (game.players != 2 || me.fallen)
        return 0;
    if (me.chain)
        send();
    if (me.pending == 0 || me.field[AT(3, TOP)])
        return 0;
    rain_begin();
    return 1;
}

/* All sinks by a row, and more nuisance appears above. Returns 0 when nothing did. */
u8 rain_row(void)
{
    static u8 moved, x;

    moved = fall_row();
    for (x = 1; x <= COLUMNS; ++x)
        if (above[x] && me.field[AT(0, 1) + x] == 0) {
            --above[x];
            me.field[AT(0, 1) + x] = NUISANCE;
            moved = 1;
        }
    if (moved)
        dirty = 1;
    return moved;
}
