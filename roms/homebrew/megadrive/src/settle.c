/* After the lock: the halves drop, groups blink and vanish, the rest falls; then nuisance is sent and falls. */
#include "game.h"
#include "sound.h"

enum { HALVES, CHECK, BLINK, FALLING, RAIN };

#define BLINK_FRAMES 30
#define FALL_FRAMES  2      /* per row */
#define HALF_SPEED   8      /* pixels per frame */
#define SCORE_CAP    99999999
#define LOST_ROW     0      /* what ends in row 0 is gone */

struct half halves[2][2];
static u8 stage[2], timer[2];
static u16 factor[2];

static const u16 chain_power[25] = {
    0, 0, 8, 16, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480, 512, 544, 576, 608, 640, 672
};
static const u8 color_bonus[7] = { 0, 0, 3, 6, 12, 24, 48 };

void settle_reset(void)
{
    fill(halves, 0, sizeof halves);
    fill(searches, 0, sizeof searches);
    stage[0] = stage[1] = HALVES;
    timer[0] = timer[1] = 0;
}

u8 blink_left(u8 seat)
{
    return timer[seat];
}

/* The lowest free row of a column at or below y. */
static u8 landing(const u16 *field, u8 x, u8 y)
{
    while (y + 1 < ROWS && field[AT(x, y + 1)] == 0)
        ++y;
    return y;
}

static void add_score(struct seat *s, u32 points)
{
    s->score += points;
    if (s->score > SCORE_CAP)
        s->score = SCORE_CAP;
}

void lock_pair(struct seat *s, u8 seat)
{
    struct half *a = &halves[seat][0], *b = &halves[seat][1];
    const u16 *field = field_of(seat);
    u8 o = s->orientation;

    a->code = PUYO(s->axis);
    b->code = PUYO(s->partner);
    a->x = s->x;
    b->x = s->x + turn_x[o];
    a->y = s->y * 16;
    b->y = (s->y + turn_y[o]) * 16;
    a->row = landing(field, a->x, s->y + (o == 0));
    b->row = o & 1 ? landing(field, b->x, s->y) : a->row;
    if (o == 0)
        --a->row;
    else if (o == 2)
        --b->row;
    ++s->locks;
    s->fallen = 0;
    s->chain = 0;
    s->gained = 0;
    s->sent = s->offset = 0;
    add_score(s, s->soft);
    stage[seat] = HALVES;
    s->phase = SETTLE;
    sound(SOUND_LOCK);
}

/* 0 when it has come to rest */
static u8 half_falls(u16 *field, struct half *h)
{
    if (!h->code)
        return 0;
    if (h->y + HALF_SPEED < h->row * 16) {
        h->y += HALF_SPEED;
        return 1;
    }
    if (h->row != LOST_ROW)
        field[AT(h->x, h->row)] = CELL(h->code);
    h->code = 0;
    return 0;
}

static void end_turn(struct seat *s, u8 seat)
{
    if (field_of(seat)[AT(3, TOP)])
        s->phase = LOST;
    else
        spawn(s, seat);
}

static u8 is_empty(const u16 *field)
{
    const u32 *pair = (const u32 *)field;
    u8 i;

    for (i = CELLS / 2; i; --i)
        if (*pair++)
            return 0;
    return 1;
}

/* The attack counts; then the end, or nuisance, or the next pair. */
static void at_rest(struct seat *s, u8 seat)
{
    ++s->rests;
    if (s->chain > s->best_chain)
        s->best_chain = s->chain;
    if (s->chain) {
        u8 emptied = is_empty(field_of(seat));

        if (emptied) {
            call_out(seat, CALL_ALL_CLEAR);
            sound(SOUND_ALL_CLEAR);
        }
        send(s, game.mode == VERSUS ? &seats[seat ^ 1] : NULL, emptied);
    }
    if (s->pending && !field_of(seat)[AT(3, TOP)]) {
        nuisance_begin(s, seat);
        stage[seat] = RAIN;
        timer[seat] = FALL_FRAMES;
        return;
    }
    end_turn(s, seat);
}

/* What the search that ran while the picture was drawn has found. (It has also written the field's links.) */
static void check(struct seat *s, u8 seat)
{
    const struct search *found = &searches[seat];
    u8 n = 0, colors;
    u16 sum;

    if (!found->count) {
        at_rest(s, seat);
        return;
    }
    if (s->chain < 255)
        ++s->chain;
    for (colors = found->colors; colors; colors >>= 1)
        n += colors & 1;
    sum = chain_power[s->chain < 24 ? s->chain : 24] + color_bonus[n] + found->bonus;
    factor[seat] = sum == 0 ? 1 : sum > 999 ? 999 : sum;
    timer[seat] = BLINK_FRAMES;
    stage[seat] = BLINK;
    s->phase = CLEAR;
    call_out(seat, s->chain);
    sound_chain(s->chain);
}

static void vanish(struct seat *s, u8 seat)
{
    const struct search *found = &searches[seat];
    u16 *field = field_of(seat);
    u32 points = (u32)(10 * found->count) * factor[seat];
    const u16 *marked = found->marked;
    u8 i, n = 0;

    for (i = CELLS; i; --i, ++field)
        if (*marked++) {
            *field = 0;
            ++n;
        }
    s->cleared += n;
    vanished[seat] = 1;
    s->gained += points;
    add_score(s, points);
}

static void look_again(u8 seat)
{
    stage[seat] = CHECK;
    searches[seat].wanted = 1;
}

/* One frame of SETTLE or CLEAR. */
void settle_frame(struct seat *s, u8 seat)
{
    u16 *field = field_of(seat);

    switch (stage[seat]) {
    case HALVES:
        if (!(half_falls(field, &halves[seat][0]) | half_falls(field, &halves[seat][1])))
            look_again(seat);
        break;
    case CHECK:
        check(s, seat);
        break;
    case BLINK:
        if (--timer[seat])
            break;
        vanish(s, seat);
        stage[seat] = FALLING;
        s->phase = SETTLE;
        timer[seat] = FALL_FRAMES;
        break;
    case FALLING:
        if (--timer[seat])
            break;
        timer[seat] = FALL_FRAMES;
        if (!fall_row(seat))
            look_again(seat);
        break;
    case RAIN:
        if (--timer[seat])
            break;
        timer[seat] = FALL_FRAMES;
        if (!nuisance_row(seat))
            end_turn(s, seat);
        break;
    }
}
