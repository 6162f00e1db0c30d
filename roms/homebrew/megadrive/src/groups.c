/* What takes long: links between neighbours, and groups of four and more. It is done while the picture is drawn, for
   each seat that asks; the result is used in the next vertical blank. */
#include "game.h"

#define BOTH(links) ((u16)((links) << 8 | (links)))

struct search searches[2];

static const u8 group_bonus[12] = { 0, 0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 10 };

/* Links to equal neighbours in rows that are in sight; nuisance has none. Each cell looks right and down. */
static void link(const u16 *field, u16 *to)
{
    const u32 *from = (const u32 *)field;
    u32 *bare = (u32 *)to;
    u8 x, y;

    for (x = CELLS / 2; x; --x)
        *bare++ = *from++ & 0xF0F0F0F0;
    to += TOP * COLUMNS;
    for (y = ROWS - TOP; y; --y)
        for (x = COLUMNS; x; --x, ++to) {
            u16 code = *to & 0xF0F0;

            if (!code || code == CELL(NUISANCE))
                continue;
            if (x > 1 && code == (to[1] & 0xF0F0)) {    /* it may be linked upwards already */
                *to |= BOTH(LINK_RIGHT);
                to[1] |= BOTH(LINK_LEFT);
            }
            if (y > 1 && code == to[COLUMNS]) {
                *to |= BOTH(LINK_DOWN);
                to[COLUMNS] |= BOTH(LINK_UP);
            }
        }
}

static const u8 column_of[CELLS] = {
    0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5,
    0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5,
    0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5,
};

/* Nuisance beside a cell that vanishes goes too. */
static void take_nuisance(struct search *to, const u16 *at)
{
    u16 *marked = to->marked + (at - to->linked);

    if (at >= to->linked + (TOP + 1) * COLUMNS && at[-COLUMNS] == CELL(NUISANCE))
        marked[-COLUMNS] = 2;
    if (at < to->linked + CELLS - COLUMNS && at[COLUMNS] == CELL(NUISANCE))
        marked[COLUMNS] = 2;
    /* beyond the first and the last column are other rows */
    if (at[-1] == CELL(NUISANCE) && column_of[at - to->linked] != 0)
        marked[-1] = 2;
    if (at[1] == CELL(NUISANCE) && column_of[at - to->linked] != COLUMNS - 1)
        marked[1] = 2;
}

/* All that is joined to a cell. */
static void one_group(struct search *to, u16 *first)
{
    static u16 *group[CELLS];
    u16 **next = group, **end = group;
    u8 size;

    *end++ = first;
    first[CELLS] = 1;
    do {
        u16 *cell = *next++;
        u8 links = (u8)*cell;

        if (links & LINK_UP && !cell[CELLS - COLUMNS]) {
            cell[CELLS - COLUMNS] = 1;
            *end++ = cell - COLUMNS;
        }
        if (links & LINK_RIGHT && !cell[CELLS + 1]) {
            cell[CELLS + 1] = 1;
            *end++ = cell + 1;
        }
        if (links & LINK_DOWN && !cell[CELLS + COLUMNS]) {
            cell[CELLS + COLUMNS] = 1;
            *end++ = cell + COLUMNS;
        }
        if (links & LINK_LEFT && !cell[CELLS - 1]) {
            cell[CELLS - 1] = 1;
            *end++ = cell - 1;
        }
    } while (next != end);
    size = end - group;
    if (size < 4)
        return;
    for (next = group; next != end; ++next) {
        to->marked[*next - to->linked] = 1;
        take_nuisance(to, *next);
    }
    to->count += size;
    to->bonus += group_bonus[size < 11 ? size : 11];
    to->colors |= 1 << (KIND(*first) - 8);
}

static void count_room(const u16 *field, u8 *room)
{
    u8 x;

    for (x = 0; x < COLUMNS; ++x) {
        const u16 *cell = field + COLUMNS + x;
        u8 rows = 0;

        while (rows < ROWS - 1 && !*cell) {
            ++rows;
            cell += COLUMNS;
        }
        room[x] = rows;
    }
}

static void clear(u16 *cells)
{
    u32 *pair = (u32 *)cells;
    u8 i;

    for (i = CELLS / 2; i; --i)
        *pair++ = 0;
}

static void copy(u32 *to, const u32 *from)
{
    u8 i;

    for (i = CELLS / 2; i; --i)
        *to++ = *from++;
}

static void search_seat(u8 seat)
{
    struct search *to = &searches[seat];
    u16 *cell;

    to->wanted = 0;
    to->count = to->bonus = to->colors = 0;
    clear(to->marked);
    clear(to->seen);
    link(field_of(seat), to->linked);
    for (cell = to->linked + TOP * COLUMNS; cell < to->linked + CELLS; ++cell)
        if (*cell & 15 && !cell[CELLS])
            one_group(to, cell);
    count_room(field_of(seat), to->room);
    copy((u32 *)field_of(seat), (const u32 *)to->linked);
}

void search_groups(void)
{
    if (searches[0].wanted)
        search_seat(0);
    if (searches[1].wanted)
        search_seat(1);
}
