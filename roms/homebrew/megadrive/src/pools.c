/* Chance: the pools of pairs as Puyo Puyo Tsu makes them on this machine, and the columns that nuisance falls in. The
   original's draws also depend on a register and on its stack pointer, which are numbers here. */
#include "game.h"

#define SET_STACK  0x00FF7FE8
#define POOL_STACK 0x00FF7FF4

static const u8 first_set[8] = { 0, 1, 3, 5, 4, 6, 2, 0 };

u32 step_random(u32 state, u32 d0, u32 stack)
{
    u32 sum = state + d0 + stack;

    return (sum << 5 | sum >> 27) + state + 1;
}

static void exchange(u8 *a, u8 *b)
{
    u8 kept = *a;

    *a = *b;
    *b = kept;
}

/* The set repeated, n colours of it. */
static void lay_out(u8 *pool, u8 n)
{
    u8 i = 0, next = 0;

    do {
        pool[i] = color_set[next];
        if (++next == n)
            next = 0;
    } while (++i);
}

/* Shuffles one pool, or two by the same draws; the register goes on. */
static u32 shuffle(u8 *pool, u8 *other, u32 d0)
{
    u32 r = random_state;
    s16 i;

    for (i = 255; i >= 0; --i) {
        u8 j;

        r = step_random(r, d0, POOL_STACK);
        j = (u8)r;
        d0 = r & 0xFFFF00FF;
        exchange(&pool[i], &pool[j]);
        if (other)
            exchange(&other[i], &other[j]);
    }
    random_state = r;
    return d0;
}

void make_pools(void)
{
    u8 k;
    u32 d0 = 0;

    for (k = 0; k < 8; ++k)
        color_set[k] = first_set[k];
    for (k = 0; k < 5; ++k) {
        u32 product;

        random_state = step_random(random_state, 4, SET_STACK);
        product = (random_state & 0xFFFF) << 2;
        exchange(&color_set[k], &color_set[product >> 16]);
        d0 = product << 16 | product >> 16;
    }
    lay_out(pools[1], 4);
    d0 = shuffle(pools[1], NULL, d0 & 0xFFFF0000);
    lay_out(pools[0], 3);
    lay_out(pools[2], 5);
    shuffle(pools[0], pools[2], d0 | 0xFFFF);
    for (k = 0; k < 4; ++k)
        pools[1][k] = pools[2][k] = pools[0][k];
    for (; k < 8; ++k)
        pools[2][k] = pools[1][k];
}

/* The first three pairs dealt are the pool's third, second and first. */
void deal_first(u8 seat)
{
    const u8 *pool = pools[game.colors - 3];
    u8 *next = next_of(seat), i;

    for (i = 0; i < 6; ++i)
        next[i ^ (i & 2 ? 0 : 4)] = pool[i];
    seats[seat].dealt = 6;
}

/* The next pair is the current one; another comes from the pool, which goes round. */
void deal_next(u8 seat)
{
    const u8 *pool = pools[game.colors - 3];
    struct seat *s = &seats[seat];
    u8 *next = next_of(seat), i;

    s->axis = next[0];
    s->partner = next[1];
    for (i = 0; i < 4; ++i)
        next[i] = next[i + 2];
    next[4] = pool[s->dealt++];
    next[5] = pool[s->dealt++];
}

/* 0..n - 1, for nuisance */
u8 random_below(u8 n)
{
    random_state = step_random(random_state, n, SET_STACK);
    return (random_state & 0xFFFF) * n >> 16;
}
