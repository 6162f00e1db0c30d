/* Chains send nuisance, which first takes away what is due on the own side; it falls; margin time makes it cheaper. */
#include "game.h"
#include "sound.h"

#define TARGET        70    /* points that make one nuisance puyo */
#define ALL_CLEAR     2100  /* points that come with the chain after an emptied field */
#define MOST_DUE      9999
#define MOST_FALL     30
#define KEPT_ROWS     13
#define MARGIN_FIRST  5760  /* frames: 96 seconds */
#define MARGIN_NEXT   960   /* 16 seconds */
#define MARGIN_STEPS  14

static u8 above[2][COLUMNS];    /* per column: still to appear in row 1 */
static u16 margin_at;

void margin_reset(void)
{
    game.time = 0;
    game.target = TARGET;
    game.before = 0;
    game.margins = 0;
    margin_at = MARGIN_FIRST;
}

/* Source of the steps: puyonexus.com, "Margin time": first times 3/4, then half of the value before the last. */
void margin_frame(void)
{
    u16 now = game.target;

    if (game.time < 0xFFFF)
        ++game.time;
    if (!game.margin || game.mode != VERSUS || game.time != margin_at || now <= 1 || game.margins >= MARGIN_STEPS)
        return;
    margin_at += MARGIN_NEXT;
    game.target = game.margins ? game.before >> 1 : TARGET * 3 / 4;
    game.before = now;
    ++game.margins;
}

/* What the chain has earned goes to the other side (NULL: alone, only the account is kept). */
void send(struct seat *s, struct seat *other, u8 emptied)
{
    u32 points = s->gained + s->points + (s->all_clear ? ALL_CLEAR : 0);
    u16 made, off;

    s->all_clear = emptied;
    if (points >= (u32)game.target << 16)       /* would not fit: far more than can ever be due */
        points = ((u32)game.target << 16) - 1;
    made = divide(points, game.target);
    s->points = modulo(points, game.target);
    if (!other)
        return;
    off = made < s->pending ? made : s->pending;
    s->pending -= off;
    s->offset = off;
    s->offset_in_all += off;
    made -= off;
    s->sent = made;
    s->sent_in_all += made;
    if (off)
        sound(SOUND_OFFSET);
    if (!made)
        return;
    sound(SOUND_SEND);
    other->pending = other->pending + (u32)made > MOST_DUE ? MOST_DUE : other->pending + made;
}

static u8 has_room(const u8 *room, u8 rows)
{
    u8 i;

    for (i = 0; i < COLUMNS; ++i)
        if (room[i] < rows)
            return 0;
    return 1;
}

/* The columns are shuffled, then filled in turn up to row 1; full ones are left out. What has no room is lost. The search
   has counted the room. */
void nuisance_begin(struct seat *s, u8 seat)
{
    u8 order[COLUMNS], *room = searches[seat].room, n = s->pending < MOST_FALL ? s->pending : MOST_FALL, left = n, i;
    u8 *to = above[seat], rows, placed;

    s->pending -= n;
    s->fallen = n;
    s->fallen_in_all += n;
    for (i = 0; i < COLUMNS; ++i)
        order[i] = i;
    for (i = COLUMNS; i-- > 0;) {
        u8 j = random_below(COLUMNS), column = order[j];

        order[j] = order[i];
        order[i] = column;
    }
    for (rows = 0; left >= COLUMNS && has_room(room, rows + 1); ++rows)
        left -= COLUMNS;
    for (i = 0; i < COLUMNS; ++i)
        to[i] = rows;
    do {
        placed = 0;
        for (i = 0; i < COLUMNS && left; ++i) {
            u8 column = order[i];

            if (to[column] == room[column])
                continue;
            ++to[column];
            --left;
            placed = 1;
        }
    } while (left && placed);
    sound(n > 6 ? SOUND_ROCKS : SOUND_NUISANCE);
}

/* A cell that leaves its neighbours takes its links along. */
u8 fall_row(u8 seat)
{
    u16 *cell = field_of(seat) + CELLS - COLUMNS - 1, *top = field_of(seat) + COLUMNS;
    u8 moved = 0;

    for (; cell >= top; --cell) {
        u16 code = *cell;

        if (!code || cell[COLUMNS])
            continue;
        cell[COLUMNS] = code & 0xF0F0;
        *cell = 0;
        moved = 1;
        if (code & LINK_LEFT)
            cell[-1] &= ~(u16)(LINK_RIGHT << 8 | LINK_RIGHT);
        if (code & LINK_RIGHT)
            cell[1] &= ~(u16)(LINK_LEFT << 8 | LINK_LEFT);
    }
    return moved;
}

u8 nuisance_row(u8 seat)
{
    u16 *row = field_of(seat) + COLUMNS;
    u8 i, moved = fall_row(seat);

    for (i = 0; i < COLUMNS; ++i)
        if (above[seat][i] && !row[i]) {
            --above[seat][i];
            row[i] = CELL(NUISANCE);
            moved = 1;
        }
    return moved;
}
