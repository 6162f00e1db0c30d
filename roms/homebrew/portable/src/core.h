/* What the game and the layers of the consoles share. Compilers for 8-bit processors need small types and few locals. */
#ifndef CORE_H
#define CORE_H

typedef unsigned char u8;
typedef signed char s8;
#if defined(__SDCC) || defined(__CC65__)
typedef unsigned int u16;
#else
typedef unsigned short u16;
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
#define POPPING    5            /* only drawn, never in the field */
#define WALL       8

#define SCORE_DIGITS 8

/* All that the game plays by. README.md has the offsets; there are no gaps, whatever the compiler. */
struct game {
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
};

extern struct game game;

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
