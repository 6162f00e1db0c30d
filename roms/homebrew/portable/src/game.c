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

enum { FALLING, CHECK, BLINK };

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
    u16 r = game.random;

    r ^= r << 7;
    r ^= r >> 9;
    r ^= r << 8;
    game.random = r;
}

/* A colour, each as likely as any other. */
static u8 deal(void)
{
    u8 color;

    do {
        step_random();
        color = (u8)(game.random >> 5) & 7;
    } while (color >= game.colors);
    return color + 1;
}

static void spawn(void)
{
    game.axis = game.next_axis;
    game.partner = game.next_partner;
    game.next_axis = game.next2_axis;
    game.next_partner = game.next2_partner;
    game.next2_axis = deal();
    game.next2_partner = deal();
    game.x = 3;
    game.y = TOP;
    game.orientation = 2;
    game.grounded = 0;
    game.held = 0;
    game.soft = 0;
    game.drop_timer = frames_per_row[game.level];
    game.lock_budget = LOCK_FRAMES;
    game.spawn_delay = SPAWN_DELAY;
    dirty = 1;
    game.phase = SPAWN;
}

void round_begin(void)
{
    static u8 i;

    for (i = 0; i < CELLS; ++i) {
        u8 x = i & (STRIDE - 1);

        game.field[i] = x == 0 || x == STRIDE - 1 || i >= FLOOR ? WALL : 0;
    }
    for (i = 0; i < SCORE_DIGITS; ++i)
        game.score[i] = 0;
    game.chain = game.best_chain = 0;
    game.locks = 0;
    if (game.random == 0)
        game.random = 1;
    game.next_axis = deal();
    game.next_partner = deal();
    game.next2_axis = deal();
    game.next2_partner = deal();
    score_dirty = 1;
    spawn();
}

/* Whether the pair could be with its axis in this cell. The axis can't be in row 0, for what locks there is lost. */
static u8 fits(u8 cell, u8 orientation)
{
    return cell >= AT(0, 1) && game.field[cell] == 0 && game.field[(u8)(cell + step_to[orientation])] == 0;
}

/* Turn into a free cell; else push the axis the other way; else 0. */
static u8 turn_to(u8 to)
{
    static u8 cell;

    cell = AT(game.x, game.y);
    if (!fits(cell, to)) {
        cell -= step_to[to];
        if (!fits(cell, to))
            return 0;
    }
    game.x = cell & (STRIDE - 1);
    game.y = cell >> 3;
    game.orientation = to;
    dirty = 1;
    sound(SOUND_TURN);
    return 1;
}

/* An upright pair without room on either side turns over. */
static void turn(u8 by)
{
    u8 from = game.orientation;

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
        game.held = 0;
        return;
    }
    if (fresh & direction)
        game.held = 0;
    else if (++game.held == REPEAT_FIRST)
        game.held = REPEAT_FIRST - REPEAT_NEXT;
    else
        return;
    by = direction == PAD_LEFT ? 255 : 1;
    if (fits((u8)(AT(game.x, game.y) + by), game.orientation)) {
        game.x += by;
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
                game.score[at] = 9;
            break;
        }
        digit = game.score[at] + ten;
        if (i < 3)
            digit += addend[i];
        ten = 0;
        if (digit >= 10) {
            digit -= 10;
            ten = 1;
        }
        game.score[at] = digit;
        --at;
    }
    score_dirty = 1;
}

/* The halves become cells of the field where they are, and fall from there. A partner in row 0 stands on its axis: it
   is lost at once. */
void lock_pair(void)
{
    u8 cell = AT(game.x, game.y);

    game.field[cell] = game.axis;
    cell += step_to[game.orientation];
    if (cell >= AT(0, 1))
        game.field[cell] = game.partner;
    game.chain = 0;
    ++game.locks;
    if (game.soft) {
        split(game.soft);
        add(SCORE_DIGITS - 1);
    }
    game.stage = FALLING;
    game.timer = 1;
    dirty = 1;
    game.phase = SETTLE;
    sound(SOUND_LOCK);
}

static void gravity(void)
{
    u8 hurry = pad & PAD_DOWN;

    game.grounded = !fits((u8)(AT(game.x, game.y) + STRIDE), game.orientation);
    if (game.grounded) {
        u8 by = hurry ? LOCK_HURRY : 1;

        game.lock_budget = game.lock_budget > by ? game.lock_budget - by : 0;
        if (game.lock_budget == 0)
            lock_pair();
        return;
    }
    if (hurry && game.drop_timer > DROP_HURRY)
        game.drop_timer = DROP_HURRY;
    if (--game.drop_timer == 0) {
        ++game.y;
        if (hurry)
            ++game.soft;
        game.drop_timer = frames_per_row[game.level];
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
            if (game.field[cell] == 0)
                gap = 1;
            if (gap) {
                u8 above = game.field[cell - STRIDE];

                game.field[cell] = above;
                if (above) {
                    game.field[cell - STRIDE] = 0;
                    fell = 1;
                }
            }
        }
    }
    if (fell)
        dirty = 1;
    return fell;
}

/* Marks all that is joined to a cell, and counts the group if it is large enough. */
static void one_group(u8 first)
{
    static u8 next, end, cell, beside, color, way;

    color = game.field[first];
    group[0] = first;
    mark[first] = 1;
    next = 0;
    end = 1;
    do {
        cell = group[next];
        ++next;
        for (way = 0; way < 4; ++way) {
            beside = cell + step_to[way];
            if (beside >= AT(0, TOP) && game.field[beside] == color && !mark[beside]) {
                mark[beside] = 1;
                group[end] = beside;
                ++end;
            }
        }
    } while (next != end);
    if (end < 4)
        return;
    for (next = 0; next < end; ++next)
        mark[group[next]] = 2;
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
        u8 color = game.field[cell];

        if (color && color != WALL && !mark[cell])
            one_group(cell);
    }
    return count;
}

/* The next step of a chain: counts it and sets its factor. */
static void chain_step(void)
{
    u8 n = 0, seen;
    u16 sum;

    if (game.chain < 255)
        ++game.chain;
    for (seen = colors_seen; seen; seen >>= 1)
        n += seen & 1;
    sum = chain_power[game.chain < MOST_STEPS ? game.chain : MOST_STEPS] + color_bonus[n] + bonus;
    game.factor = sum == 0 ? 1 : sum > 999 ? 999 : sum;
    if (game.chain > game.best_chain)
        game.best_chain = game.chain;
}

/* What is marked goes, and counts. */
void clear_groups(void)
{
    static u8 cell;

    split(game.factor);
    for (cell = AT(0, TOP); cell < FLOOR; ++cell)
        if (mark[cell] == 2) {
            game.field[cell] = 0;
            add(SCORE_DIGITS - 2);
        }
    dirty = 1;
}

static void check(void)
{
    if (find_groups()) {
        chain_step();
        game.timer = BLINK_FRAMES;
        game.stage = BLINK;
        game.phase = CLEAR;
        dirty = 1;
        sound(SOUND_CHAIN + game.chain);
    } else if (game.field[AT(3, TOP)]) {
        dirty = 1;
        game.phase = LOST;
    } else {
        spawn();
    }
}

static void settle_frame(void)
{
    if (game.stage == CHECK) {
        check();
        return;
    }
    if (--game.timer) {
        if (game.stage == BLINK && (game.timer & 3) == 0)
            dirty = 1;
        return;
    }
    if (game.stage == BLINK) {
        clear_groups();
        game.stage = FALLING;
        game.timer = FALL_FRAMES;
        game.phase = SETTLE;
    } else if (fall_row()) {
        game.timer = FALL_FRAMES;
    } else {
        game.stage = CHECK;
    }
}

/* One frame of a round. */
void round_frame(void)
{
    if (game.phase == SPAWN) {
        if (--game.spawn_delay == 0)
            game.phase = CONTROL;
    } else if (game.phase == CONTROL) {
        steer();
        if (game.phase == CONTROL)
            gravity();
    } else if (game.phase != LOST) {
        settle_frame();
    }
}
