/* The two characters: they breathe, cheer at chains and wince at nuisance. */
#include "game.h"
#include "tiles.h"
#include "video.h"

#define DANGER_ROW (TOP + 3)    /* what lies here in the third column makes them nervous */

enum { CALM, BREATH, CHEER, WINCE };

static u8 mood[2], left[2];
static u16 last_fallen[2];
static u8 last_chain[2];

void actors_reset(void)
{
    mood[0] = mood[1] = CALM;
    left[0] = left[1] = 0;
    last_fallen[0] = last_fallen[1] = 0;
    last_chain[0] = last_chain[1] = 0;
}

void show_actor(u8 actor, u8 pose, s16 x, s16 y)
{
    u16 tile = PAL(3) | (T_ACTOR + (actor * 4 + pose) * 36);

    sprite(x, y, SIZE(3, 3), tile);
    sprite(x + 24, y, SIZE(3, 3), tile + 9);
    sprite(x, y + 24, SIZE(3, 3), tile + 18);
    sprite(x + 24, y + 24, SIZE(3, 3), tile + 27);
}

static void feel(u8 seat)
{
    const struct seat *s = &seats[seat];

    if (s->phase == LOST || (game.state == OVER && game.loser == seat + 1)) {
        mood[seat] = WINCE;
        left[seat] = 2;
    } else if (game.state == OVER) {
        mood[seat] = CHEER;
        left[seat] = 2;
    } else if (s->chain && s->chain != last_chain[seat]) {
        mood[seat] = CHEER;
        left[seat] = 60;
    } else if (s->fallen_in_all != last_fallen[seat]) {
        mood[seat] = WINCE;
        left[seat] = 60;
    }
    last_chain[seat] = s->chain;
    last_fallen[seat] = s->fallen_in_all;
    if (left[seat] && --left[seat] == 0)
        mood[seat] = CALM;
}

void actors_frame(void)
{
    u8 actor;

    for (actor = 0; actor < 2; ++actor) {
        u8 seat = game.mode == VERSUS ? actor : 0, phase = (u8)(game.frame + 20 * actor), pose;
        s16 y = actor ? 136 : 104;

        if (game.mode == VERSUS || !actor)
            feel(seat);
        pose = mood[seat];
        if (pose == CALM && field_of(seat)[AT(3, DANGER_ROW)] && game.state == PLAYING)
            pose = phase & 16 ? WINCE : BREATH;
        else if (pose == CALM)
            pose = phase & 32 ? BREATH : CALM;
        else if (pose == CHEER)
            y -= phase & 8 ? 4 : 0;
        show_actor(actor, pose, actor ? 156 : 116, y);
    }
}
