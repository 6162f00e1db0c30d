/* One game: the frame loop, pause, the end. */
#include "ram.h"

enum { NO_SIGN, SIGN_PAUSE, SIGN_OVER };

static void clear_field(void)
{
    u8 i = 0;

    CELL_CHANGED
    do {
        fptr[i] = 0;
        fptr[i + 1] = (i & 0x0E) == 0 || (i & 0x0E) == 14 ? CELL(8) : 0;
        i += 2;
    } while (i != 0xE0);
}

static void reset_seat(void)
{
    u8 i = p + p;

    clear_field();
    forget_field();
    BLOCKS_LOW[p] = 0;
    BLOCKS_HIGH[p] = 0;
    CHAIN[p] = 0;
    PHASE[p] = IDLE;
    sign[p] = NO_SIGN;
    blink_style[p] = 0;
    danger[p] = 0;
#ifdef SCORE_ZERO
    for (i = p ? 7 : 0; i < (p ? 14 : 7); ++i)
        SCORE[i] = SCORE_ZERO;
#else
    i += p;
    SCORE[i] = 0;
    SCORE[i + 1] = 0;
    SCORE[i + 2] = 0;
#endif
}

static void __fastcall__ show_sign(u8 which)
{
    for (p = 0; p < players; ++p)
        sign[p] = which;
}

static u8 drawn;

static void draw(void)
{
    if (busy)
        return;
    if (players == 2) {
        duel_frame();
        drawn ^= 1;         /* one field a frame: both take too long */
        seat(drawn);
        draw_field();
        return;
    }
    hud_frame();
    panel_frame();
    seat(0);
    draw_field();
}

/* What pads may pause: with two players either. */
static u8 starts(void)
{
    return players == 2 ? fresh[0] | fresh[1] : fresh[0];
}

static void pause(void)
{
    STATE = PAUSED;
    show_sign(SIGN_PAUSE);
    queue_palette(palette_dim);
    music = 0;
    busy = 0;
    do {
        draw();
        frame();
    } while (!(starts() & PAD_START));
    show_sign(NO_SIGN);
    queue_palette(palette_game);
    music = MUSIC;
    STATE = PLAYING;
}

static void game_over(void)
{
    u8 wait = 180;

    STATE = GAME_OVER;
    show_sign(SIGN_OVER);
    music = 0;
    sound(SND_OVER);
    busy = 0;
    do {
        draw();
        frame();
    } while (--wait && !(fresh[0] & PAD_START));
}

void play(void)
{
    u8 wanted = 0;

    seed();
    screen_off();
    players = MODE == TWO_PLAYER ? 2 : 1;
    seat(1);
    reset_seat();
    seat(0);
    reset_seat();
    hud_reset();
    settle_reset();
    items_reset();
    show_reset();
    panel_reset();
    duel_reset();
    nuisance_reset();
    LOSER = finder = 0;
    screen_on(players == 2 ? screen_versus : screen_endless, palette_game, 0x88);
    for (p = 0; p < players; ++p) {
        deal_next();
        spawn();
    }
    music = MUSIC;
    STATE = PLAYING;
    for (;;) {
        busy = heavy = 0;
        touched[0] = touched[1] = 0;
        for (p = 0; p < players; ++p) {
            seat(p);
            switch (PHASE[p]) {
            case SPAWNS:
            case CONTROL:
                pair_frame();
                break;
            case SETTLING:
            case BLINKING:
                settle_frame();
                break;
            }
            pair_sprites();
            show_frame();
        }
        if (players == 2)
            thin_out();
        draw();
        frame();
        if (players == 2) {
            if (PHASE[0] == OVER)
                LOSER = PHASE[1] == OVER && FRAME & 1 ? 2 : 1;
            else if (PHASE[1] == OVER)
                LOSER = 2;
            if (LOSER) {
                duel_over();
                return;
            }
        } else if (PHASE[0] == OVER) {
            game_over();
            return;
        }
        if (starts() & PAD_START)
            wanted = 1;
        if (wanted && !finder) {    /* not between the halves of a search: drawing would use its scratch */
            wanted = 0;
            pause();
        }
    }
}
