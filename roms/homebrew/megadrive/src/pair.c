/* The falling pair: moving, turning, gravity, until it locks. */
#include "game.h"
#include "sound.h"
#include "video.h"

#define SPAWN_DELAY  12
#define LOCK_FRAMES  28
#define LOCK_HURRY   4      /* per frame with DOWN held */
#define DROP_HURRY   2      /* frames per row with DOWN held */
#define REPEAT_FIRST 12
#define REPEAT_NEXT  3

static const u8 frames_per_row[6] = { 40, 40, 32, 24, 18, 11 };
const s8 turn_x[4] = { 0, -1, 0, 1 };
const s8 turn_y[4] = { 1, 0, -1, 0 };

static u8 row_frames(void)
{
    return frames_per_row[game.difficulty <= 5 ? game.difficulty : 5];
}

void spawn(struct seat *s, u8 seat)
{
    deal_next(seat);
    s->x = 3;
    s->y = TOP;
    s->orientation = 2;
    s->grounded = 0;
    s->held = 0;
    s->soft = 0;
    s->drop_timer = row_frames();
    s->lock_budget = LOCK_FRAMES;
    s->spawn_delay = SPAWN_DELAY;
    s->spawning = 1;
    ++s->spawns;
    s->phase = SPAWN;
}

static u8 open(const u16 *field, s8 x, s8 y)
{
    return x >= 1 && x <= COLUMNS && y >= 0 && y < ROWS && field[AT(x, y)] == 0;
}

/* The axis can't be in row 0, for what locks there is gone. */
static u8 fits(const u16 *field, s8 x, s8 y, u8 orientation)
{
    return y >= 1 && open(field, x, y) && open(field, x + turn_x[orientation], y + turn_y[orientation]);
}

/* Turn into a free cell; else push the axis the other way; else 0. */
static u8 turn_to(struct seat *s, const u16 *field, u8 to)
{
    s8 x = s->x, y = s->y;

    if (!fits(field, x, y, to)) {
        x -= turn_x[to];
        y -= turn_y[to];
        if (!fits(field, x, y, to))
            return 0;
    }
    s->x = x;
    s->y = y;
    s->orientation = to;
    sound(SOUND_TURN);
    return 1;
}

/* An upright pair without room on either side turns over: the quick turn. */
static void turn(struct seat *s, const u16 *field, u8 by)
{
    u8 from = s->orientation;

    if (!turn_to(s, field, (from + by) & 3) && !(from & 1))
        turn_to(s, field, (from + 2) & 3);
}

static void steer(struct seat *s, const u16 *field, u8 seat)
{
    u8 press = fresh[seat], direction = pad[seat] & (LEFT | RIGHT);
    s8 by;

    if (press & (A | C))
        turn(s, field, 1);
    else if (press & B)
        turn(s, field, 3);
    if (direction == 0 || direction == (LEFT | RIGHT)) {
        s->held = 0;
        return;
    }
    if (press & direction)
        s->held = 0;
    else if (++s->held == REPEAT_FIRST)
        s->held = REPEAT_FIRST - REPEAT_NEXT;
    else
        return;
    by = direction == LEFT ? -1 : 1;
    if (fits(field, s->x + by, s->y, s->orientation)) {
        s->x += by;
        sound(SOUND_MOVE);
    }
}

static void gravity(struct seat *s, const u16 *field, u8 seat)
{
    u8 hurry = pad[seat] & DOWN;

    s->grounded = !fits(field, s->x, s->y + 1, s->orientation);
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
        if (hurry)
            ++s->soft;
        s->drop_timer = row_frames();
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
    steer(s, field_of(seat), seat);
    gravity(s, field_of(seat), seat);
}
