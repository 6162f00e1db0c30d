/* The game's state in work RAM, at documented addresses: README.md has the table. */
#ifndef RAM_H
#define RAM_H

#include "hardware.h"

#define COLUMNS 6
#define ROWS    14      /* row 0: only for the partner, empty at rest; row 1 is hidden, row 2 the top one in sight */
#define TOP     2
#define CELLS   (ROWS * COLUMNS)
#define AT(x, y) ((y) * COLUMNS + (x) - 1)

/* A cell: its sprite's number twice. 80 red, 90 yellow, A0 and B0 green, C0 purple, D0 blue, E0 nuisance; the low digit
   are the links: 1 up, 2 right, 4 down, 8 left. */
#define NUISANCE 0xE0
#define PUYO(color) ((u8)(0x80 + ((color) << 4)))
#define CELL(id)    ((u16)((id) << 8 | (id)))
#define KIND(cell)  ((u8)((cell) >> 12))    /* 0 empty, 8.. */
enum { LINK_UP = 1, LINK_RIGHT = 2, LINK_DOWN = 4, LINK_LEFT = 8 };

enum { BOOT, TITLE, MENU, PLAYING, PAUSED, OVER };
enum { ENDLESS, VERSUS };
enum { IDLE, SPAWN, CONTROL, SETTLE, CLEAR, LOST };         /* a seat's phase */

struct game {                   /* FFB000 */
    u8 state;                   /* 00 */
    u8 mode;                    /* 01 */
    u8 difficulty;              /* 02: 1..5 */
    u8 menu_row;                /* 03 */
    u32 frame;                  /* 04 */
    u16 overruns;               /* 08 */
    u8 loser;                   /* 0A: 1, 2; 0 = none */
    u8 music;                   /* 0B */
    u32 seed;                   /* 0C: the random state as the round began */
    u16 rounds;                 /* 10: begun since power-on */
    u8 busy;                    /* 12: 1 while a frame's logic runs */
    u8 colors;                  /* 13: 3..5 */
    u16 time;                   /* 14: frames played in this round, stops at 65535 */
    u16 target;                 /* 16: points that make one nuisance puyo now */
    u16 before;                 /* 18: what target was before its last change */
    u8 margins;                 /* 1A: how often target has changed */
    u8 margin;                  /* 1B: 1 margin time, 0 none */
    u16 late;                   /* 1C: frames whose logic ended after the vertical blank */
    u16 latest;                 /* 1E: the last line of the picture at which a frame's work was done in this round */
};

struct seat {                   /* FFB100, FFB200 */
    u8 phase;                   /* 00 */
    u8 spawning;                /* 01 */
    u8 spawn_delay;             /* 02 */
    u8 grounded;                /* 03 */
    u8 x, y;                    /* 04: the axis, column 1..6, row 1..13 */
    u8 orientation;             /* 06: 0 down, 1 left, 2 up, 3 right */
    u8 chain;                   /* 07 */
    u8 axis, partner;           /* 08 */
    u8 drop_timer;              /* 0A */
    u8 lock_budget;             /* 0B */
    u16 spawns;                 /* 0C */
    u16 locks;                  /* 0E */
    u16 pending;                /* 10 */
    u8 fallen;                  /* 12 */
    u8 wins;                    /* 13 */
    u8 held;                    /* 14 */
    u8 all_clear;               /* 15 */
    u16 points;                 /* 16 */
    u32 score;                  /* 18 */
    u32 gained;                 /* 1C: by the chain of the last lock */
    u16 sent;                   /* 20 */
    u16 offset;                 /* 22 */
    u8 dealt;                   /* 24: the place in the pool of the next puyo */
    u8 best_chain;              /* 25 */
    u16 rests;                  /* 26 */
    u16 cleared;                /* 28 */
    u16 soft;                   /* 2A: rows sunk with DOWN by the pair */
    u16 sent_in_all;            /* 2C */
    u16 offset_in_all;          /* 2E */
    u16 fallen_in_all;          /* 30 */
    u8 unused[0xCE];
};

extern u16 field_1[CELLS], field_2[CELLS];
extern u8 next_1[6], next_2[6];
extern u32 random_state;
extern u8 color_set[8];
extern u8 pools[3][256];
extern struct game game;
extern struct seat seats[2];

static inline u16 *field_of(u8 seat) { return seat ? field_2 : field_1; }
static inline u8 *next_of(u8 seat) { return seat ? next_2 : next_1; }

_Static_assert(offsetof(struct game, seed) == 0x0C, "documented place");
_Static_assert(offsetof(struct game, late) == 0x1C, "documented place");
_Static_assert(offsetof(struct seat, score) == 0x18, "documented place");
_Static_assert(offsetof(struct seat, rests) == 0x26, "documented place");
_Static_assert(offsetof(struct seat, fallen_in_all) == 0x30, "documented place");
_Static_assert(sizeof(struct seat) == 0x100, "documented place");

#endif
