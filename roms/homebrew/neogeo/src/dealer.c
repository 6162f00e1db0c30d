/* Chance: the generators of pairs and of the columns that nuisance falls in. */
#include "game.h"

static u32 step32(u32 x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}

/* Both seats get the same pairs; each has its own columns. */
void seed_generators(void)
{
    u32 seed = (game.frame * 0x9E3779B1) | 1;

    game.seed = seed;
    seats[0].pairs = seats[1].pairs = seed;
    seats[0].columns = (seed & 0xFFFF) | 1;
    seats[1].columns = seed >> 16 | 1;
}

u8 deal(struct seat *s)
{
    s->pairs = step32(s->pairs);
    return 1 + (s->pairs >> 30);
}

u8 roll(struct seat *s, u8 n)
{
    u16 x = s->columns;

    x ^= (u16)(x << 7);
    x ^= x >> 9;
    x ^= (u16)(x << 8);
    s->columns = x;
    return (u16)((x >> 8) * n) >> 8;
}
