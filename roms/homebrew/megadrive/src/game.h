/* What the parts of the game know of each other. `s` is the seat that a routine works for, `seat` its number, 0 or 1. */
#ifndef GAME_H
#define GAME_H

#include "ram.h"

/* pools.c */
void make_pools(void);                          /* from the random state */
u32 step_random(u32 state, u32 d0, u32 stack);
void deal_first(u8 seat);
void deal_next(u8 seat);
u8 random_below(u8 n);

/* pair.c */
extern const s8 turn_x[4], turn_y[4];           /* the partner's place seen from the axis */
void spawn(struct seat *s, u8 seat);
void pair_frame(struct seat *s, u8 seat);

/* settle.c */
struct half {
    u8 code;                                    /* 0: has come to rest */
    u8 x, row;
    s16 y;                                      /* pixels from the top of row 0 */
};
extern struct half halves[2][2];
void lock_pair(struct seat *s, u8 seat);
void settle_frame(struct seat *s, u8 seat);
void settle_reset(void);
u8 blink_left(u8 seat);                         /* frames until the groups vanish */

/* groups.c: what takes long, done while the picture is drawn */
struct search {
    u8 wanted;
    u8 count;                                   /* puyos in groups, nuisance not counted */
    u8 bonus;                                   /* of the groups' sizes */
    u8 colors;                                  /* a bit for each */
    u8 room[COLUMNS];                           /* free rows of each column, from row 1 down */
    u16 marked[CELLS];                          /* 1 in a group, 2 nuisance beside one */
    u16 linked[CELLS];                          /* the field with its links */
    u16 seen[CELLS];                            /* right behind: cell[CELLS] of a cell of linked */
};
extern struct search searches[2];
void search_groups(void);

/* nuisance.c */
void send(struct seat *s, struct seat *other, u8 emptied);
void nuisance_begin(struct seat *s, u8 seat);
u8 nuisance_row(u8 seat);                       /* one row lower; 0: all is at rest */
u8 fall_row(u8 seat);                           /* what has nothing below it, one row lower; 0: nothing */
void margin_frame(void);
void margin_reset(void);

/* draw.c */
extern u8 vanished[2];
void draw_reset(void);
void draw_seat(struct seat *s, u8 seat);
void call_out(u8 seat, u8 what);                /* a sign over the field: a chain's step, or one of these */
enum { CALL_ALL_CLEAR = 100, CALL_WIN, CALL_LOSE };

/* panel.c */
void panel_reset(void);
void panel_frame(void);

/* actors.c */
void actors_reset(void);
void actors_frame(void);

/* round.c, screens.c */
void play_round(void);
u8 round_over(void);                            /* 1: another round; 0: back to the title */
void title(void);
void menu(void);

#endif
