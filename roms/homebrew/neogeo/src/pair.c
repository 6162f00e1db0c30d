/* The falling pair: dealing, moving, turning, needles, gravity, until it locks. */
#include "game.h"
#include "sound.h"

#define SPAWN_DELAY  12
#define LOCK_FRAMES  28
#define LOCK_HURRY   4      /* per frame with DOWN held */
#define DROP_HURRY   2      /* frames per row with DOWN held */
#define DROP_VERSUS  24
#define REPEAT_FIRST 12
#define REPEAT_NEXT  3

static const u8 drop_solo[5] = { 40, 40, 28, 18, 11 };
const s8 turn_x[4] = { 0, -1, 0, 1 };
const s8 turn_y[4] = { 1, 0, -1, 0 };

static u8 frames_per_row(void)
{
    return game.mode == VERSUS ? DROP_VERSUS : drop_solo[game.level <= 4 ? game.level : 4];
}

void spawn(struct seat *s)
{
    s->axis = s->next1_axis;
    s->partner = s->next1_partner;
    s->next1_axis = s->next2_axis;
    s->next1_partner = s->next2_partner;
    s->next2_axis = deal(s);
    s->next2_partner = deal(s);
    s->x = 4;
    s->y = 1;
    s->orientation = 2;
    s->needle = 0;
    s->grounded = 0;
    s->held = 0;
    s->drop_timer = frames_per_row();
    s->lock_budget = LOCK_FRAMES;
    s->spawn_delay = SPAWN_DELAY;
    s->spawning = 1;
    ++s->spawns;
    s->phase = SPAWN;
}

static u8 open(const struct seat *s, s8 x, s8 y)
{
    return x >= 1 && x <= COLUMNS && y >= 0 && y < ROWS && s->field[AT(x, y)] == EMPTY;
}

static u8 fits(const struct seat *s, s8 x, s8 y, u8 orientation)
{
    return open(s, x, y) && open(s, x + turn_x[orientation], y + turn_y[orientation]);
}

/* Turn into a free cell; else push the axis the other way; else nothing. */
static void turn(struct seat *s, u8 by)
{
    u8 to = (s->orientation + by) & 3;

    if (!open(s, s->x + turn_x[to], s->y + turn_y[to])) {
        s8 x = s->x - turn_x[to], y = s->y - turn_y[to];

        if (!open(s, x, y))
            return;
        s->x = x;
        s->y = y;
    }
    s->orientation = to;
    sound(SOUND_TURN);
}

static void steer(struct seat *s, u8 seat)
{
    u8 fresh = PAD_FRESH(seat), direction = PAD(seat) & (LEFT | RIGHT);
    s8 by;

    if (fresh & (C | UP)) {
        s->needle ^= 1;
        sound(s->needle ? SOUND_NEEDLE : SOUND_BLUNT);
    }
    if (fresh & A)
        turn(s, 1);
    else if (fresh & B)
        turn(s, 3);
    if (direction == 0 || direction == (LEFT | RIGHT)) {
        s->held = 0;
        return;
    }
    if (fresh & direction)
        s->held = 0;
    else if (++s->held == REPEAT_FIRST)
        s->held = REPEAT_FIRST - REPEAT_NEXT;
    else
        return;
    by = direction == LEFT ? -1 : 1;
    if (fits(s, s->x + by, s->y, s->orientation)) {
        s->x += by;
        sound(SOUND_MOVE);
    }
}

static void gravity(struct seat *s, u8 seat)
{
    u8 hurry = PAD(seat) & DOWN;

    s->grounded = !fits(s, s->x, s->y + 1, s->orientation);
    if (s->grounded) {
        u8 by = hurry ? LOCK_HURRY : 1;

        s->lock_budget = s->lock_budget > by ? s->lock_budget - by : 0;
        if (s->lock_budget == 0)
            lock_pair(s, seat);
        return;
    }
    if (hurry && s->drop_timer > DROP_HURRY)
        s->drop_timer = DROP_HURRY;
    if (--s->drop_timer == 0) {
        ++s->y;
        s->drop_timer = frames_per_row();
    }
}

/* One frame of spawn delay or control. */
void pair_frame(struct seat *s, u8 seat)
{
    if (s->phase == SPAWN) {
        if (--s->spawn_delay == 0) {
            s->spawning = 0;
            s->phase = CONTROL;
        }
        return;
    }
    steer(s, seat);
    gravity(s, seat);
}
