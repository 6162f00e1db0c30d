/* What the game and the layers of the consoles share. Compilers for 8-bit processors need small types and few locals. */
#ifndef CORE_H
#define CORE_H

typedef unsigned char u8;
typedef signed char s8;
#if defined(__SDCC) || defined(__CC65__)
typedef unsigned int u16;
typedef unsigned long u32;
#else
typedef unsigned short u16;
typedef unsigned int u32;
#endif

#ifndef SEATS
#define SEATS 1                 /* 2 on consoles with two pads */
#endif
#ifndef SEAT
#define SEAT 1                  /* seat2.c compiles the rules once more, with 2 */
#endif

enum { POWER_ON, TITLE, PLAYING = 3, PAUSED, OVER };
enum { IDLE, SPAWN, CONTROL, SETTLE, CLEAR, LOST };

/* A cell is one byte: 0 empty, a colour from 1, or a wall. A row has eight: a wall, six columns, a wall. */
#define COLUMNS    6
#define ROWS       14           /* row 0 stays empty, row 1 is hidden, rows 2 to 13 are in sight */
#define STRIDE     8
#define TOP        2
#define AT(x, y)   ((u8)((y) << 3 | (x)))
#define FLOOR      AT(0, ROWS)
#define CELLS      AT(0, ROWS + 1)
#define MOST_COLORS 4
#if SEATS == 2
#define NUISANCE   5
#define POPPING    6            /* only drawn, never in the field */
#define IS_COLOR(cell) ((cell) < NUISANCE)
#else
#define POPPING    5
#define IS_COLOR(cell) ((cell) != WALL)
#endif
#define WALL       8

#define SCORE_DIGITS 8

/* All that the game plays by, for each seat. README.md has the offsets; there are no gaps, whatever the compiler. What
   both seats share is in the first one's. */
struct state {
    u8 state, menu_row, level, colors;
    u8 phase, x, y, orientation;
    u8 axis, partner, next_axis, next_partner;
    u8 next2_axis, next2_partner, drop_timer, lock_budget;
    u8 spawn_delay, held, chain, best_chain;
    u8 soft, grounded, stage, timer;
    u16 random;
    u16 locks;
    u16 frame;
    u16 factor;
    u8 score[SCORE_DIGITS];     /* decimal, the highest digit first */
    u8 field[CELLS];
#if SEATS == 2
    u8 players, loser;
    u8 fallen, all_clear;
    u16 pending, sent_in_all;
    u32 gained;
    u8 points, target;
    u16 time, noise;
#endif
};

extern struct state game;
#if SEATS == 2
extern struct state game2;
#endif

/* The seat that a file is compiled for. */
#if SEAT == 2
#define me game2
#define other game
#define pad pad2
#define fresh fresh2
#define mark mark2
#define dirty dirty2
#define score_dirty score_dirty2
#define count count2
#define round_begin round_begin2
#define round_frame round_frame2
#define find_groups find_groups2
#define fall_row fall_row2
#define lock_pair lock_pair2
#define clear_groups clear_groups2
#define nuisance_falls nuisance_falls2
#define rain_row rain_row2
#define versus_screen versus_screen2
#define versus_frame versus_frame2
#define versus_over versus_over2
#else
#define me game
#define other game2
#endif

/* game.c */
extern u8 mark[CELLS];          /* 2: the cell clears */
extern u8 dirty;                /* the picture of the field is out of date */
extern u8 score_dirty;
extern u8 count;                /* what find_groups found */
void round_begin(void);
void round_frame(void);
u8 find_groups(void);
u8 fall_row(void);
void lock_pair(void);
void clear_groups(void);

#if SEATS == 2
/* nuisance.c */
void margin_begin(void);
void margin_frame(void);
u8 nuisance_falls(void);
u8 rain_row(void);

/* versus.c */
void versus_screen(void);
void versus_frame(void);
void versus_over(void);
void versus_paused(u8 shown);

/* seat2.c: the same for seat 2 */
extern u8 pad2, fresh2;
extern u8 searched;             /* a seat has looked for groups in this frame: there is no time for the other one, or to draw */
#if SEAT == 1
void round_begin2(void);
void round_frame2(void);
void versus_screen2(void);
void versus_frame2(void);
void versus_over2(void);
#endif

/* the parts of screen.c that versus.c uses */
#define PART
void say(u8 column, u8 row, const char *text);
void blobs(u8 column, u8 row, u8 upper, u8 lower);
void fill(u8 column, u8 row, u8 columns, u8 rows, u8 tile);
void window(u8 column, u8 row, u8 columns, u8 rows);
void picture(u8 column, u8 row, u8 columns, u8 rows, u8 tile);
u8 read_pad2(void);             /* after read_pad */
#else
#define PART static
#endif

/* screen.c */
void title_screen(void);
void title_frame(void);
void play_screen(void);
void play_frame(void);
void over_sign(void);
void paused_sign(u8 shown);

/* The layer of a console. The pad has these bits, whatever the console's own are. */
#define PAD_LEFT  1
#define PAD_RIGHT 2
#define PAD_UP    4
#define PAD_DOWN  8
#define PAD_A     16            /* turns clockwise */
#define PAD_B     32            /* turns counter-clockwise */
#define PAD_START 64
extern u8 pad, fresh;           /* held now; pressed on this frame */
u8 read_pad(void);
void wait_frame(void);
void put(u8 column, u8 row, u8 tile);
void screen_off(void);          /* while a whole screen is written */
void screen_on(void);

enum { SOUND_MOVE, SOUND_TURN, SOUND_LOCK, SOUND_START, SOUND_OVER, SOUND_CHAIN };
void sound(u8 which);           /* SOUND_CHAIN + step for a chain */
void sound_frame(void);

#endif
