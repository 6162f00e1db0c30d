/* A round: set up, played frame by frame, paused, lost. */
#include "game.h"
#include "layout.h"
#include "sound.h"
#include "tiles.h"
#include "video.h"

#define HOLD_FRAMES 45
#define SAG_FRAMES  3
#define ENDLESS_FRAMES 600  /* until the title comes back by itself */

static const u8 colors_of[6] = { 3, 3, 3, 4, 5, 5 };

static u8 playing_seats(void)
{
    return game.mode == VERSUS ? 2 : 1;
}

static void reset_seat(u8 seat)
{
    struct seat *s = &seats[seat];
    u8 wins = s->wins;

    fill(s, 0, sizeof *s);
    fill(field_of(seat), 0, 2 * CELLS);
    fill(next_of(seat), 0, 6);
    s->wins = wins;
}

static void draw(void)
{
    u8 seat, i;

    search_groups();
    for (i = 0; i < playing_seats(); ++i) {     /* by turns first */
        seat = game.mode == VERSUS ? (u8)(game.frame ^ i) & 1 : 0;
        draw_seat(&seats[seat], seat);
    }
    actors_frame();
    panel_frame();
    sound_frame();
}

static u8 starts(void)
{
    return (fresh[0] | fresh[1]) & START;
}

static void pause(void)
{
    game.state = PAUSED;
    sound(SOUND_PAUSE);
    dim(1);
    do {
        frame_end();
        big(122, 104, PAL(1), "PAUSE");
        sound_frame();
        frame_begin();
    } while (!starts());
    dim(0);
    game.state = PLAYING;
}

static void seat_frame(u8 seat)
{
    struct seat *s = &seats[seat];

    if (s->phase == SPAWN || s->phase == CONTROL)
        pair_frame(s, seat);
    else
        settle_frame(s, seat);
}

/* From the START that began it to the frame on which a seat has lost. */
void play_round(void)
{
    u8 seat;

    game.seed = random_state;
    game.colors = colors_of[game.difficulty <= 5 ? game.difficulty : 5];
    ++game.rounds;
    game.loser = 0;
    reset_seat(0);
    reset_seat(1);
    game.busy = 0;
    make_pools();
    load_scene(game.mode == VERSUS ? &scene_versus : &scene_endless);
    draw_reset();
    settle_reset();
    margin_reset();
    panel_reset();
    actors_reset();
    if (game.music)
        sound(SOUND_MUSIC);
    resume();
    game.latest = 0;
    frame_begin();
    for (seat = 0; seat < playing_seats(); ++seat) {
        deal_first(seat);
        spawn(&seats[seat], seat);
    }
    game.state = PLAYING;
    for (;;) {
        frame_end();
        draw();
        frame_begin();
        if (starts()) {
            pause();
            continue;
        }
        margin_frame();
        for (seat = 0; seat < playing_seats(); ++seat)
            seat_frame(seat);
        if (seats[0].phase == LOST)
            game.loser = 1;
        if (seats[1].phase == LOST && (!game.loser || game.frame & 1))
            game.loser = 2;
        if (game.loser)
            return;
    }
}

/* The loser's field, one row lower; what leaves it at the floor is gone. */
static void sag(u8 seat)
{
    u16 *field = field_of(seat);
    u8 cell;

    for (cell = CELLS - 1; cell >= COLUMNS; --cell)
        field[cell] = field[cell - COLUMNS];
}

/* The round's last frame goes on here. */
u8 round_over(void)
{
    u8 rows = ROWS, wait = HOLD_FRAMES, loser = game.loser - 1, press;
    u16 frames = 0;

    game.state = OVER;
    seats[loser].phase = LOST;
    if (game.mode == VERSUS) {
        if (seats[loser ^ 1].wins < 255)
            ++seats[loser ^ 1].wins;
        call_out(loser ^ 1, CALL_WIN);
    }
    sound(SOUND_MUSIC_OFF);
    sound(SOUND_OVER);
    for (;;) {
        frame_end();
        draw();
        if (!rows)
            text(FIELD_COLUMN(loser), 16, INK_WHITE, game.frame & 32 ? "PRESS START " : "            ");
        frame_begin();
        if (rows && --wait == 0) {
            wait = SAG_FRAMES;
            sag(loser);
            if (--rows == 0) {
                call_out(loser, CALL_LOSE);
                if (game.mode == VERSUS)
                    sound(SOUND_WIN);
            }
        }
        press = fresh[0] | fresh[1];
        if (press & START)
            break;
        if (press & A || (game.mode == ENDLESS && ++frames == ENDLESS_FRAMES)) {
            frame_end();
            return 0;
        }
    }
    frame_end();
    return game.mode == VERSUS;
}
