/* A round: set up, played frame by frame, paused, lost. */
#include "game.h"
#include "layout.h"
#include "sound.h"
#include "tiles.h"
#include "video.h"

#define HOLD_FRAMES 45
#define SAG_FRAMES  3
#define SOLO_FRAMES 600     /* until the title comes back by itself */

static u8 playing_seats(void)
{
    return game.mode == VERSUS ? 2 : 1;
}

static void reset_seat(struct seat *s)
{
    u8 wins = s->wins, row;
    u32 pairs = s->pairs;
    u16 columns = s->columns;

    fill(s, 0, sizeof *s);
    s->wins = wins;
    s->pairs = pairs;
    s->columns = columns;
    fill(s->ceiling, WALL, STRIDE);
    fill(s->floor, WALL, STRIDE);
    for (row = 0; row < ROWS; ++row)
        s->field[row * STRIDE + COLUMNS] = WALL;
    s->next1_axis = deal(s);
    s->next1_partner = deal(s);
    s->next2_axis = deal(s);
    s->next2_partner = deal(s);
}

static void border(u8 seat)
{
    u8 left = (FIELD_X(seat) >> 3) - 1, right = left + 2 * COLUMNS + 1, y, x;

    for (y = 0; y < 26; ++y) {
        put(FIX(left, y), INK_FRAME << 12 | (FRAME + 3));
        put(FIX(right, y), INK_FRAME << 12 | (FRAME + 4));
    }
    put(FIX(left, 26), INK_FRAME << 12 | (FRAME + 5));
    for (x = left + 1; x < right; ++x)
        put(FIX(x, 26), INK_FRAME << 12 | (FRAME + 6));
    put(FIX(right, 26), INK_FRAME << 12 | (FRAME + 7));
}

static void field_strips(u8 seat)
{
    u8 x, y;

    for (x = 0; x < COLUMNS; ++x) {
        u16 panel = PANEL_SPRITE + COLUMNS * seat + x, field = FIELD_SPRITE + COLUMNS * seat + x;

        strip(panel, FIELD_X(seat) + 16 * x, FIELD_Y, ROWS - 1);
        strip(field, FIELD_X(seat) + 16 * x, FIELD_Y, ROWS - 1);
        for (y = 0; y < ROWS - 1; ++y)
            strip_tile(panel, y, PANEL + (x == 3 && y == 0), PALETTE_PANEL);
    }
}

static void set_up(void)
{
    u8 seat;

    letters = 0;
    clear_screen();
    draw_reset();
    settle_reset();
    backdrop();
    for (seat = 0; seat < playing_seats(); ++seat) {
        frame();
        border(seat);
        field_strips(seat);
    }
    frame();
    panel_reset();
}

static void draw(void)
{
    u8 seat;

    for (seat = 0; seat < playing_seats(); ++seat)
        draw_seat(&seats[seat], seat);
    panel_frame();
    sound_frame();
}

static void pause(void)
{
    game.state = PAUSED;
    sound(SOUND_PAUSE);
    word(MIDDLE, 26, INK_WHITE, WORD_PAUSE, WORD_PAUSE_ROWS);
    do {
        sound_frame();
        frame();
    } while (!(STARTS_FRESH & (START_1 | START_2)));
    text(MIDDLE, 26, INK_WHITE, "      ");
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

    seed_generators();
    ++game.rounds;
    game.loser = 0;
    for (seat = 0; seat < 2; ++seat)
        reset_seat(&seats[seat]);
    set_up();
    frame();
    game.latest = 0;
    for (seat = 0; seat < playing_seats(); ++seat)
        spawn(&seats[seat]);
    if (game.music)
        sound(SOUND_MUSIC);
    game.state = PLAYING;
    for (;;) {
        draw();
        frame();
        if (STARTS_FRESH & (START_1 | START_2)) {
            pause();
            continue;
        }
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
static void sag(struct seat *s)
{
    u8 cell;

    for (cell = CELLS - 1; cell >= 2 * STRIDE; --cell)
        if ((cell & 7) != 7)
            s->field[cell] = s->field[cell - STRIDE];
    fill(&s->field[STRIDE], EMPTY, COLUMNS);
}

static void sign(u8 seat, u8 palette, const char *string)
{
    u8 x = (FIELD_X(seat) >> 3) + 1;

    frame_box(x, 9, 12, 5);
    letters = BOXED;
    text(x + 2, 11, palette, string);
    letters = 0;
}

u8 round_over(void)
{
    struct seat *s = &seats[game.loser - 1];
    u8 rows = 12, wait = HOLD_FRAMES, winner = game.loser ^ 3, fresh;
    u16 frames = 0;

    game.state = OVER;
    s->phase = LOST;
    sound(SOUND_MUSIC_OFF);
    sound(SOUND_OVER);
    if (game.mode == VERSUS && ++seats[winner - 1].wins == 0)
        seats[winner - 1].wins = 255;
    draw();
    frame();
    if (game.mode == VERSUS)
        sign(winner - 1, INK_GOLD, "YOU WIN!");
    for (;;) {
        draw();
        frame();
        if (rows && --wait == 0) {
            wait = SAG_FRAMES;
            sag(s);
            if (rows == 12 && game.mode == VERSUS)
                sound(SOUND_WIN);
            if (--rows == 0)
                sign(game.loser - 1, INK_WHITE, game.mode == VERSUS ? "YOU LOSE" : "THE END!");
        }
        if (!rows)
            text((FIELD_X(game.loser - 1) >> 3) + 2, 16, INK_WHITE, game.frame & 32 ? "PRESS START" : "           ");
        fresh = STARTS_FRESH;
        if (fresh & (START_1 | START_2))
            return game.mode == VERSUS;
        if (fresh & (SELECT_1 | SELECT_2) || (PAD_FRESH(0) | PAD_FRESH(1)) & D)
            return 0;
        if (game.mode == SOLO && ++frames == SOLO_FRAMES)
            return 0;
    }
}
