/* The rules: dealing, the falling pair, what follows its lock, groups, chains and the score. */
#include "core.h"

#define SPAWN_DELAY  12
#define LOCK_FRAMES  28
#define LOCK_HURRY   4          /* per frame with DOWN held */
#define DROP_HURRY   2          /* frames per row with DOWN held */
#define REPEAT_FIRST 12
#define REPEAT_NEXT  3
#define BLINK_FRAMES 30
#define FALL_FRAMES  2          /* per row */
#define MOST_STEPS   24

enum { FALLING, CHECK, BLINK, RAIN };

u8 mark[CELLS];
u8 dirty, score_dirty;
u8 count;
static u8 colors_seen, bonus;
static u8 group[COLUMNS * ROWS];
static u8 addend[3];

static const u8 frames_per_row[6] = { 40, 40, 32, 24, 18, 11 };
static const s8 step_to[4] = { STRIDE, -1, -STRIDE, 1 };    /* down, left, up, right */
static const u16 chain_power[MOST_STEPS + 1] = {
    0, 0, 8, 16, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480, 512, 544, 576, 608, 640, 672
};
static const u8 color_bonus[MOST_COLORS + 1] = { 0, 0, 3, 6, 12 };
static const u8 group_bonus[12] = { 0, 0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 10 };

/* A generator of 16 bits, which never becomes 0 (George Marsaglia, "Xorshift RNGs"). */
static void step_random(void)
{
    u16 r = me.random;

    r ^= r << 7;
    r ^= r >> 9;
    r ^= r << 8;
    me.random = r;
}

/* A colour, each as likely as any other. */
static u8 deal(void)
{
    u8 color;

    do {
        step_random();
        color = (u8)(me.random >> 5) & 7;
    } while (color >= game.colors);
    return color + 1;
}

static void spawn(void)
{
    me.axis = me.next_axis;
    me.partner = me.next_partner;
    me.next_axis = me.next2_axis;
    me.next_partner = me.next2_partner;
    me.next2_axis = deal();
    me.next2_partner = deal();
    me.x = 3;
    me.y = TOP;
    me.orientation = 2;
    me.grounded = 0;
    me.held = 0;
    me.soft = 0;
    me.drop_timer = frames_per_row[game.level];
    me.lock_budget = LOCK_FRAMES;
    me.spawn_delay = SPAWN_DELAY;
    dirty = 1;
    me.phase = SPAWN;
}

void round_begin(void)
{
    static u8 i;

    for (i = 0; i < CELLS; ++i) {
        u8 x = i & (STRIDE - 1);

        me.field[i] = x == 0 || x == STRIDE - 1 || i >= FLOOR ? WALL : 0;
    }
    for (i = 0; i < SCORE_DIGITS; ++i)
        me.score[i] = 0;
    me.chain = me.best_chain = 0;
    me.locks = 0;
#if SEATS == 2
    me.pending = me.sent_in_all = 0;
    me.fallen = me.points = me.all_clear = 0;
#endif
    if (me.random == 0)
        me.random = 1;
    me.next_axis = deal();
    me.next_partner = deal();
    me.next2_axis = deal();
    me.next2_partner = deal();
    score_dirty = 1;
    spawn();
}

/* Whether the pair could be with its axis in this cell. The axis can't be in row 0, for what locks there is lost. */
static u8 fits(u8 cell, u8 orientation)
{
    return cell >= AT(0, 1) && me.field[cell] == 0 && me.field[(u8)(cell + step_to[orientation])] == 0;
}

/* Turn into a free cell; else push the axis the other way; else 0. */
static u8 turn_to(u8 to)
{
    static u8 cell;

    cell = AT(me.x, me.y);
    if (!fits(cell, to)) {
        cell -= step_to[to];
        if (!fits(cell, to))
            return 0;
    }
    me.x = cell & (STRIDE - 1);
    me.y = cell >> 3;
    me.orientation = to;
    dirty = 1;
    sound(SOUND_TURN);
    return 1;
}

/* An upright pair without room on either side turns over. */
static void turn(u8 by)
{
    u8 from = me.orientation;

    if (!turn_to((from + by) & 3) && !(from & 1))
        turn_to((from + 2) & 3);
}

static void steer(void)
{
    u8 direction = pad & (PAD_LEFT | PAD_RIGHT);
    u8 by;

    if (fresh & PAD_A)
        turn(1);
    else if (fresh & PAD_B)
        turn(3);
    if (direction == 0 || direction == (PAD_LEFT | PAD_RIGHT)) {
        me.held = 0;
        return;
    }
    if (fresh & direction)
        me.held = 0;
    else if (++me.held == REPEAT_FIRST)
        me.held = REPEAT_FIRST - REPEAT_NEXT;
    else
        return;
    by = direction == PAD_LEFT ? 255 : 1;
    if (fits((u8)(AT(me.x, me.y) + by), me.orientation)) {
        me.x += by;
        dirty = 1;
        sound(SOUND_MOVE);
    }
}

/* The number that add adds, by its digits, the lowest first. */
static void split(u16 number)
{
    for (addend[2] = 0; number >= 100; number -= 100)
        ++addend[2];
    for (addend[1] = 0; (u8)number >= 10; number -= 10)
        ++addend[1];
    addend[0] = (u8)number;
}

/* Adds it to the score, which stays at its highest number. from: the place of the lowest digit to add to. */
static void add(u8 from)
{
    static u8 at, digit, ten, i;

    at = from;
    ten = 0;
    for (i = 0; i < 3 || ten; ++i) {
        if (at == 255) {
            for (at = 0; at < SCORE_DIGITS; ++at)
                me.score[at] = 9;
            break;
        }
        digit = me.score[at] + ten;
        if (i < 3)
            digit += addend[i];
        ten = 0;
        if (digit >= 10) {
            digit -= 10;
            ten = 1;
        }
        me.score[at] = digit;
        --at;
    }
    score_dirty = 1;
}

/* The halves become cells of the field where they are, and fall from there. A partner in row 0 stands on its axis: it
   is lost at once. */
void lock_pair(void)
{
    u8 cell = AT(me.x, me.y);

    me.field[cell] = me.axis;
    cell += step_to[me.orientation];
    if (cell >= AT(0, 1))
        me.field[cell] = me.partner;
    me.chain = 0;
#if SEATS == 2
    me.fallen = 0;
    me.gained = 0;
#endif
    ++me.locks;
    if (me.soft) {
        split(me.soft);
        add(SCORE_DIGITS - 1);
    }
    me.stage = FALLING;
    me.timer = 1;
    dirty = 1;
    me.phase = SETTLE;
    sound(SOUND_LOCK);
}

static void gravity(void)
{
    u8 hurry = pad & PAD_DOWN;

    me.grounded = !fits((u8)(AT(me.x, me.y) + STRIDE), me.orientation);
    if (me.grounded) {
        u8 by = hurry ? LOCK_HURRY : 1;

        me.lock_budget = me.lock_budget > by ? me.lock_budget - by : 0;
        if (me.lock_budget == 0)
            lock_pair();
        return;
    }
    if (hurry && me.drop_timer > DROP_HURRY)
        me.drop_timer = DROP_HURRY;
    if (--me.drop_timer == 0) {
        ++me.y;
        if (hurry)
            ++me.soft;
        me.drop_timer = frames_per_row[game.level];
        dirty = 1;
    }
}

/* All that hangs in the air sinks by a row; row 0 isn't part of the field. Returns 0 when nothing did. */
u8 fall_row(void)
{
    static u8 x, cell, fell, gap;

    fell = 0;
    for (x = 1; x <= COLUMNS; ++x) {
        gap = 0;
        for (cell = AT(0, ROWS - 1) + x; cell >= AT(0, 2); cell -= STRIDE) {
            if (me.field[cell] == 0)
                gap = 1;
            if (gap) {
                u8 above = me.field[cell - STRIDE];

                me.field[cell] = above;
                if (above) {
                    me.field[cell - STRIDE] = 0;
                    fell = 1;
                }
            }
        }
    }
    if (fell)
        dirty = 1;
    return fell;
}

#if SEATS == 2
/* Nuisance beside a cell that clears goes, too. */
static void mark_nuisance(u8 cell)
{
    static u8 beside, way;

    for (way = 0; way < 4; ++way) {
        beside = cell + step_to[way];
        if (beside >= AT(0, TOP) && me.field[beside] == NUISANCE)
            mark[beside] = 2;
    }
}
#endif

/* Marks all that is joined to a cell, and counts the group if it is large enough. */
static void one_group(u8 first)
{
    static u8 next, end, cell, beside, color, way;

    color = me.field[first];
    group[0] = first;
    mark[first] = 1;
    next = 0;
    end = 1;
    do {
        cell = group[next];
        ++next;
        for (way = 0; way < 4; ++way) {
            beside = cell + step_to[way];
            if (beside >= AT(0, TOP) && me.field[beside] == color && !mark[beside]) {
                mark[beside] = 1;
                group[end] = beside;
                ++end;
            }
        }
    } while (next != end);
    if (end < 4)
        return;
    for (next = 0; next < end; ++next) {
        mark[group[next]] = 2;
#if SEATS == 2
        mark_nuisance(group[next]);
#endif
    }
    count += end;
    bonus += group_bonus[end < 11 ? end : 11];
    colors_seen |= 1 << color;
}

/* Marks the groups in sight with 2. Returns how many cells they have. */
u8 find_groups(void)
{
    static u8 cell;

    count = bonus = colors_seen = 0;
    for (cell = 0; cell < CELLS; ++cell)
        mark[cell] = 0;
    for (cell = AT(0, TOP); cell < FLOOR; ++cell) {
        u8 color = me.field[cell];

        if (color && IS_COLOR(color) && !mark[cell])
            one_group(cell);
    }
    return count;
}

/* The next step of a chain: counts it and sets its factor. */
static void chain_step(void)
{
    u8 n = 0, seen;
    u16 sum;

    if (me.chain < 255)
        ++me.chain;
    for (seen = colors_seen; seen; seen >>= 1)
        n += seen & 1;
    sum = chain_power[me.chain < MOST_STEPS ? me.chain : MOST_STEPS] + color_bonus[n] + bonus;
    me.factor = sum == 0 ? 1 : sum > 999 ? 999 : sum;
    if (me.chain > me.best_chain)
        me.best_chain = me.chain;
}

/* What is marked goes, and counts. */
void clear_groups(void)
{
    static u8 cell;

    split(me.factor);
    for (cell = AT(0, TOP); cell < FLOOR; ++cell)
        if (mark[cell] == 2) {
#if SEATS == 2
            if (me.field[cell] == NUISANCE) {
                me.field[cell] = 0;
                continue;
            }
#endif
            me.field[cell] = 0;
            add(SCORE_DIGITS - 2);
        }
#if SEATS == 2
    me.gained += (u32)me.factor * count * 10;
#endif
    dirty = 1;
}

static void check(void)
{
    if (find_groups()) {
        chain_step();
        me.timer = BLINK_FRAMES;
        me.stage = BLINK;
        me.phase = CLEAR;
        dirty = 1;
        sound(SOUND_CHAIN + me.chain);
#if SEATS == 2
    } else if (nuisance_falls()) {
        me.stage = RAIN;
        me.timer = FALL_FRAMES;
#endif
    } else if (me.field[AT(3, TOP)]) {
        dirty = 1;
        me.phase = LOST;
    } else {
        spawn();
    }
}

static void settle_frame(void)
{
    if (me.stage == CHECK) {
#if SEATS == 2
        if (searched)
            return;
        searched = 1;
#endif
        check();
        return;
    }
    if (--me.timer) {
        if (me.stage == BLINK && (me.timer & 3) == 0)
            dirty = 1;
        return;
    }
    if (me.stage == BLINK) {
        clear_groups();
        me.stage = FALLING;
        me.timer = FALL_FRAMES;
        me.phase = SETTLE;
#if SEATS == 2
    } else if (me.stage == RAIN && rain_row()) {
        me.timer = FALL_FRAMES;
#endif
    } else if (fall_row()) {
        me.timer = FALL_FRAMES;
    } else {
        me.stage = CHECK;
    }
}

/* One frame of a round. */
void round_frame(void)
{
    if (me.phase == SPAWN) {
        if (--me.spawn_delay == 0)
            me.phase = CONTROL;
    } else if (me.phase == CONTROL) {
        steer();
        if (me.phase == CONTROL)
            gravity();
    } else if (me.phase != LOST) {
        settle_frame();
    }
}
