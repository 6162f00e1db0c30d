/* The game's state in work RAM, at documented addresses: README.md has the table. */
#ifndef RAM_H
#define RAM_H

#include <stddef.h>
#include "hardware.h"

#define COLUMNS 7
#define ROWS    13      /* row 0 is hidden and only for the falling pair */
#define STRIDE  8       /* the eighth byte of a row is wall */
#define CELLS   (ROWS * STRIDE)
#define AT(x, y) ((y) * STRIDE + (x) - 1)

enum { EMPTY = 0, NUISANCE = 5, NEEDLE = 8, WALL = 15 };    /* 1..4 colours; NEEDLE + colour: a needle at rest */
enum { BOOT, TITLE, MENU, PLAYING, PAUSED, OVER };
enum { SOLO, VERSUS };
enum { IDLE, SPAWN, CONTROL, SETTLE, WAVE, LOST };          /* a seat's phase */

struct game {                   /* 100100 */
    u8 state;                   /* 00 */
    u8 mode;                    /* 01 */
    u8 level;                   /* 02: 1..4, solo */
    u8 menu_row;                /* 03 */
    u32 frame;                  /* 04 */
    u16 overruns;               /* 08 */
    u8 loser;                   /* 0A: 1, 2; 0 = none */
    u8 music;                   /* 0B */
    u32 seed;                   /* 0C */
    u16 rounds;                 /* 10: begun since power-on */
    u16 latest;                 /* 12: the last raster line that a frame's logic has reached */
    u8 busy;                    /* 14: 1 while a frame's logic runs */
    u8 credits;                 /* 15: as the menus show them */
};

struct seat {                   /* 100200, 100600 */
    u8 phase;                   /* 00 */
    u8 spawning;                /* 01 */
    u8 spawn_delay;             /* 02 */
    u8 grounded;                /* 03 */
    u8 x, y;                    /* 04: the axis, column 1..7, row 0..12 */
    u8 orientation;             /* 06: 0 down, 1 left, 2 up, 3 right */
    u8 needle;                  /* 07 */
    u8 axis, partner;           /* 08 */
    u8 next1_axis, next1_partner;
    u8 next2_axis, next2_partner;
    u8 drop_timer;              /* 0E */
    u8 lock_budget;             /* 0F */
    u16 spawns;                 /* 10 */
    u16 locks;                  /* 12 */
    u8 pending;                 /* 14 */
    u8 fallen;                  /* 15 */
    u8 wins;                    /* 16 */
    u8 held;                    /* 17 */
    u32 score;                  /* 18 */
    u16 attack;                 /* 1C */
    u16 s1, s0;                 /* 1E, 20 */
    u16 tails;                  /* 22: most tails of one start */
    u16 tail_count;             /* 24 */
    u16 most_tails;             /* 26 */
    u16 sent;                   /* 28 */
    u8 starts;                  /* 2A */
    u8 step;                    /* 2B */
    u8 popped;                  /* 2C */
    u8 best_tail;               /* 2D */
    u16 columns;                /* 2E */
    u32 pairs;                  /* 30 */
    u16 rests;                  /* 34: locks whose field has come to rest and whose attack has counted */
    u8 unused[0x22];
    u8 ceiling[STRIDE];         /* 58 */
    u8 field[CELLS];            /* 60 */
    u8 floor[STRIDE];           /* C8 */
    u8 unused2[0x30];
    u8 steps[CELLS];            /* 100: step at which a block popped in the last ignition, 0 = it didn't */
    u8 unused3[0x18];
    u8 values[CELLS];           /* 180: value of the tail that ended there, 0 = none */
    u8 unused4[0x18];
    u8 owners[CELLS];           /* 200: the start that a popped block belongs to */
    u8 unused5[0x198];
};

extern struct game game;
extern struct seat seats[2];

_Static_assert(offsetof(struct game, latest) == 0x12, "documented place");
_Static_assert(offsetof(struct seat, score) == 0x18, "documented place");
_Static_assert(offsetof(struct seat, pairs) == 0x30, "documented place");
_Static_assert(offsetof(struct seat, field) == 0x60, "documented place");
_Static_assert(offsetof(struct seat, steps) == 0x100, "documented place");
_Static_assert(offsetof(struct seat, values) == 0x180, "documented place");
_Static_assert(offsetof(struct seat, owners) == 0x200, "documented place");
_Static_assert(sizeof(struct seat) == 0x400, "documented place");

#endif
