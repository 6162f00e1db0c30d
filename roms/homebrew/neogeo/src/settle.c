/* After the lock: the halves drop, needles ignite, the rest falls, the attack is sent, nuisance falls, the next pair. */
#include "game.h"
#include "settle.h"
#include "sound.h"

enum { HALVES, LIT, POPPING, SHOWN, FALLING, AT_REST, RAIN };

#define STEP_FRAMES  5      /* of a wave */
#define HOLD_FRAMES  36     /* the tails' values stay on the screen */
#define FALL_FRAMES  2      /* per row */
#define HALF_SPEED   8      /* pixels per frame */
#define SCORE_CAP    99999990

struct half halves[2][2];
static u8 stage[2], timer[2];

void settle_reset(void)
{
    halves[0][0].code = halves[0][1].code = halves[1][0].code = halves[1][1].code = EMPTY;
}

/* The lowest free row of a column at or below y. */
static u8 landing(const struct seat *s, u8 x, u8 y)
{
    while (s->field[AT(x, y + 1)] == EMPTY)
        ++y;
    return y;
}

void lock_pair(struct seat *s, u8 seat)
{
    struct half *a = &halves[seat][0], *b = &halves[seat][1];
    u8 o = s->orientation, sharp = s->needle ? NEEDLE : 0, i;

    a->code = s->axis + sharp;
    b->code = s->partner + sharp;
    a->x = s->x;
    b->x = s->x + turn_x[o];
    a->y = s->y * 16;
    b->y = (s->y + turn_y[o]) * 16;
    a->row = landing(s, a->x, s->y + (o == 0));
    b->row = o & 1 ? landing(s, b->x, s->y) : a->row;
    if (o == 0)
        --a->row;
    else if (o == 2)
        --b->row;
    for (i = 0; i < 2; ++i)
        if (halves[seat][i].row == 0)
            halves[seat][i].row = LOST_ROW;
    ++s->locks;
    s->fallen = 0;
    stage[seat] = HALVES;
    s->phase = SETTLE;
    sound(SOUND_LOCK);
}

/* 0 when it has come to rest */
static u8 half_falls(struct seat *s, struct half *h)
{
    if (h->code == EMPTY)
        return 0;
    if (h->row != LOST_ROW && h->y + HALF_SPEED < h->row * 16) {
        h->y += HALF_SPEED;
        return 1;
    }
    if (h->row != LOST_ROW)
        s->field[AT(h->x, h->row)] = h->code;
    h->code = EMPTY;
    return 0;
}

static void ignite(struct seat *s, u8 seat)
{
    if (!wave_begin(s, seat)) {
        wave_end(s);
        stage[seat] = AT_REST;
        return;
    }
    s->phase = WAVE;
    stage[seat] = LIT;
    timer[seat] = STEP_FRAMES;
    sound_step(s->step);
}

static void end_turn(struct seat *s)
{
    if (s->field[AT(4, 1)] != EMPTY)
        s->phase = LOST;
    else
        spawn(s);
}

/* The attack counts; then the end, or nuisance, or the next pair. */
static void at_rest(struct seat *s, u8 seat)
{
    ++s->rests;
    s->score += s->attack * 10;
    if (s->score > SCORE_CAP)
        s->score = SCORE_CAP;
    if (game.mode == VERSUS) {
        send(s, &seats[seat ^ 1]);
        if (s->field[AT(4, 1)] == EMPTY && s->starts == 0 && s->pending) {
            nuisance_begin(s, seat);
            stage[seat] = RAIN;
            timer[seat] = FALL_FRAMES;
            return;
        }
    }
    end_turn(s);
}

/* How far the step being shown has come: frames since it began. */
u8 wave_age(u8 seat)
{
    return STEP_FRAMES - timer[seat];
}

/* One frame of SETTLE or WAVE. */
void settle_frame(struct seat *s, u8 seat)
{
    switch (stage[seat]) {
    case HALVES:
        if (!(half_falls(s, &halves[seat][0]) | half_falls(s, &halves[seat][1])))
            ignite(s, seat);
        break;
    case LIT:
        if (--timer[seat])
            break;
        timer[seat] = STEP_FRAMES;
        if (wave_next(s, seat)) {
            sound_step(s->step);
            break;
        }
        wave_end(s);
        stage[seat] = SHOWN;
        timer[seat] = HOLD_FRAMES;
        sound(SOUND_TAILS);
        break;
    case SHOWN:
        if (--timer[seat])
            break;
        stage[seat] = FALLING;
        s->phase = SETTLE;
        timer[seat] = FALL_FRAMES;
        break;
    case FALLING:
        if (--timer[seat])
            break;
        timer[seat] = FALL_FRAMES;
        if (!fall_row(s))
            stage[seat] = AT_REST;
        break;
    case AT_REST:
        at_rest(s, seat);
        break;
    case RAIN:
        if (--timer[seat])
            break;
        timer[seat] = FALL_FRAMES;
        if (!nuisance_row(s, seat))
            end_turn(s);
        break;
    }
}
