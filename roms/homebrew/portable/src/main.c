/* From power-on to the title, from there into rounds and back. */
#include "core.h"

u8 pad, fresh;
#if SEATS == 2
u8 pad2, fresh2, searched;
#define STARTS ((fresh | fresh2) & PAD_START)
#else
#define STARTS (fresh & PAD_START)
#endif

static void next_frame(void)
{
    u8 now;

    wait_frame();
    ++game.frame;
    now = read_pad();
    fresh = now & ~pad;
    pad = now;
#if SEATS == 2
    now = read_pad2();
    fresh2 = now & ~pad2;
    pad2 = now;
    searched = 0;
#endif
    sound_frame();
}

/* The random state moves with every frame, so that people get other pairs each time. */
static void title(void)
{
    screen_off();
    title_screen();
    screen_on();
    game.state = TITLE;
    do {
        next_frame();
        game.random += 0x9E37;
#if SEATS == 2
        if (fresh & PAD_UP)
            game.menu_row = game.menu_row ? game.menu_row - 1 : 2;
        else if (fresh & PAD_DOWN)
            game.menu_row = game.menu_row < 2 ? game.menu_row + 1 : 0;
        if (game.menu_row == 2) {
            if (fresh & (PAD_LEFT | PAD_RIGHT))
                game.players ^= 3;
        } else
#else
        if (fresh & (PAD_UP | PAD_DOWN))
            game.menu_row ^= 1;
#endif
        if (fresh & PAD_RIGHT) {
            if (game.menu_row)
                game.colors = game.colors < MOST_COLORS ? game.colors + 1 : 3;
            else
                game.level = game.level < 5 ? game.level + 1 : 1;
        } else if (fresh & PAD_LEFT) {
            if (game.menu_row)
                game.colors = game.colors > 3 ? game.colors - 1 : MOST_COLORS;
            else
                game.level = game.level > 1 ? game.level - 1 : 5;
        }
        if (fresh & (PAD_UP | PAD_DOWN | PAD_LEFT | PAD_RIGHT))
            sound(SOUND_MOVE);
        title_frame();
    } while (!(fresh & PAD_START));
    sound(SOUND_START);
}

static void hold(void)
{
    game.state = PAUSED;
    paused_sign(1);
    do
        next_frame();
    while (!STARTS);
    paused_sign(0);
    game.state = PLAYING;
}

static void round(void)
{
    screen_off();
    play_screen();
    screen_on();
    next_frame();
    round_begin();
    game.state = PLAYING;
    do {
        play_frame();
        next_frame();
        if (fresh & PAD_START)
            hold();
        else
            round_frame();
    } while (game.phase != LOST);
    game.state = OVER;
    sound(SOUND_OVER);
    over_sign();
    do {
        next_frame();
        play_frame();
    } while (!(fresh & PAD_START));
    game.phase = IDLE;
}

#if SEATS == 2
/* Both seats get the same pairs: each draws them from numbers of its own, which begin alike. */
static void begin_match(void)
{
    game.loser = 0;
    game2.random = game.random;
    game.noise = game.random | 1;
    margin_begin();
    round_begin2();
    round_begin();              /* the last: a frame of the console may end here, and seat 1's pair says that play has begun */
}

static void draw_match(void)
{
    if (searched)
        return;
    if (game.frame & 1)
        versus_frame();
    else
        versus_frame2();
}

static void match(void)
{
    screen_off();
    versus_screen();
    versus_screen2();
    screen_on();
    next_frame();
    begin_match();
    game.state = PLAYING;
    do {
        draw_match();
        next_frame();
        if (STARTS) {
            hold();
        } else {
            margin_frame();
            round_frame();
            round_frame2();
        }
    } while (game.phase != LOST && game2.phase != LOST);
    if (game.phase == game2.phase)
        game.loser = game.frame & 1 ? 2 : 1;
    else
        game.loser = game.phase == LOST ? 1 : 2;
    game.state = OVER;
    sound(SOUND_OVER);
    versus_over();
    versus_over2();
    do {
        next_frame();
        draw_match();
    } while (!STARTS);
    game.phase = game2.phase = IDLE;
}
#endif

void main(void)
{
    game.level = 1;
    game.colors = MOST_COLORS;
#if SEATS == 2
    game.players = 1;
#endif
    for (;;) {
        title();
#if SEATS == 2
        if (game.players == 2)
            match();
        else
#endif
            round();
    }
}
