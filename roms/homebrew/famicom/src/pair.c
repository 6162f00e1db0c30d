/* The falling pair: dealing, moving, turning, gravity, locking. */
#include "ram.h"

#ifndef VARIANT
#define SPAWN_DELAY  12
#define LOCK_FRAMES  28
#define LOCK_HURRY   4      /* per frame with DOWN held */
#define DROP_HURRY   2      /* frames per row with DOWN held */
#define REPEAT_FIRST 12
#define REPEAT_NEXT  3
#define FRAMES_PER_ROW 40, 28, 18, 11       /* levels 1 to 4 */
#endif

void lock_pair(void);

static const u8 frames_per_row[5] = { 40, FRAMES_PER_ROW };
static const u8 glide[5] = { 1, 1, 1, 1, 2 };       /* pixels per frame on the screen */
const u8 turn_x[4] = { 0, 255, 0, 1 };              /* down, left, up, right */
const u8 turn_y[4] = { 1, 0, 255, 0 };

static u8 other_timer[2];   /* the lock budget while falling, the drop timer while grounded */
static u8 grounded[2];
static u8 held[2];          /* frames since the direction was pressed */
u8 swing_x[2], swing_y[2];  /* partner's place on the screen seen from the axis */

void spawn(void)
{
    u8 q = p + p;

    BOTTOM[p] = NEXT[q];
    TOP[p] = NEXT[q + 1];
    deal_next();
    X[p] = 3;
    Y[p] = 1;
    TURN[p] = 2;
    SPAWNING[p] = 1;
    if (p == 0)
        SPAWN_FLAG = 1;
    DELAY[p] = SPAWN_DELAY;
    DROP[p] = frames_per_row[LEVEL];
    other_timer[p] = LOCK_FRAMES;
    grounded[p] = 0;
    held[p] = 0;
    SPRITE_X[p] = p ? 176 : 48;
    SPRITE_Y[p] = 4;
    swing_x[p] = 0;
    swing_y[p] = 240;
    PHASE[p] = SPAWNS;
}

/* May the whole piece be where its axis is at (lx, ly)? */
static u8 fits(void)
{
    if (BOTTOM[p] >= BIG)
        return item_fits();
    if (!legal())
        return 0;
    lx += turn_x[TURN[p]];
    ly += turn_y[TURN[p]];
    return legal();
}

static void __fastcall__ shift(u8 dx)
{
    lx = X[p] + dx;
    ly = Y[p];
    if (fits()) {
        X[p] += dx;
        sound(SND_MOVE);
    }
}

/* Turn into a free cell; else push the axis the other way; else nothing. */
static void __fastcall__ turn(u8 by)
{
    u8 to = (TURN[p] + by) & 3;

    lx = X[p] + turn_x[to];
    ly = Y[p] + turn_y[to];
    if (!legal()) {
#ifdef NO_KICKS
        return;
#endif
        lx = X[p] - turn_x[to];
        ly = Y[p] - turn_y[to];
        if (!legal())
            return;
        X[p] = lx;
        Y[p] = ly;
    }
    TURN[p] = to;
    sound(SND_TURN);
}

static void move(void)
{
    u8 direction = pad[p] & (PAD_LEFT | PAD_RIGHT);

    if (BOTTOM[p] >= BIG)
        ;                   /* items don't turn */
    else if (fresh[p] & CLOCKWISE)
        turn(1);
    else if (fresh[p] & COUNTER_CLOCKWISE)
        turn(3);

    if (direction == 0 || direction == (PAD_LEFT | PAD_RIGHT)) {
        held[p] = 0;
        return;
    }
    if (fresh[p] & direction)
        held[p] = 0;
    else if (++held[p] == REPEAT_FIRST)
        held[p] = REPEAT_FIRST - REPEAT_NEXT;
    else
        return;
    shift(direction == PAD_LEFT ? 255 : 1);
}

static void gravity(void)
{
    u8 was = grounded[p], t;

    lx = X[p];
    ly = Y[p] + 1;
    grounded[p] = !fits();
    t = DROP[p];
    if (grounded[p] != was) {       /* DROP shows whichever counts */
        DROP[p] = other_timer[p];
        other_timer[p] = t;
        t = DROP[p];
    }
    if (grounded[p]) {
        was = pad[p] & PAD_DOWN ? LOCK_HURRY : 1;
        DROP[p] = t > was ? t - was : 0;
        if (DROP[p] == 0)
            lock_pair();
        return;
    }
    if (pad[p] & PAD_DOWN && t > DROP_HURRY)
        t = DROP_HURRY;
    if (--t == 0) {
        ++Y[p];
        t = frames_per_row[LEVEL];
    }
    DROP[p] = t;
}

/* The picture follows the pair: a few pixels a frame, faster when it is behind. */
static void follow(void)
{
    u8 to = X[p] << 4, by;

    if (p)
        to += 128;
    if (SPRITE_X[p] < to)
        SPRITE_X[p] += 8;
    else if (SPRITE_X[p] > to)
        SPRITE_X[p] -= 8;

    to = Y[p] << 4;
    if (SPRITE_Y[p] < to) {
        by = to - SPRITE_Y[p];
        if (by <= 16)
            by = pad[p] & PAD_DOWN ? 8 : grounded[p] ? 4 : glide[LEVEL];
        else
            by = 8;
        if ((u8)(to - SPRITE_Y[p]) < by)
            by = to - SPRITE_Y[p];
        SPRITE_Y[p] += by;
    } else
        SPRITE_Y[p] = to;

    to = turn_x[TURN[p]] << 4;
    if (swing_x[p] != to)
        swing_x[p] += (u8)(to - swing_x[p]) < 128 ? 4 : -4;
    to = turn_y[TURN[p]] << 4;
    if (swing_y[p] != to)
        swing_y[p] += (u8)(to - swing_y[p]) < 128 ? 4 : -4;
}

/* One frame of spawn delay or control. */
void pair_frame(void)
{
    if (PHASE[p] == SPAWNS) {
        if (--DELAY[p] == 0) {
            SPAWNING[p] = 0;
            if (p == 0)
                SPAWN_FLAG = 0;
            PHASE[p] = CONTROL;
        }
    } else {
        move();
        gravity();
    }
    follow();
}

/* 0 round, 1 flat, 2 tall: the bounce of a grounded pair */
u8 pair_shape(void)
{
    if (!grounded[p] || SPRITE_Y[p] != (u8)(Y[p] << 4))
        return 0;
    if (DROP[p] > 22)
        return 1;
    if (DROP[p] > 18)
        return 0;
    if (DROP[p] > 14)
        return 2;
    return 0;
}
