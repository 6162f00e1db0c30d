/* One program for many games of the family. All that is drawn of a game is read from a block of parameters in the ROM,
   and all of its state lies where the maker's machine in Python has it. See ../../cartridge.py.
   N_x: a number; A_x: a place in RAM; T_x: a table. Columns and rows count from 0, rows from the top. */
typedef unsigned char u8;
typedef unsigned int u16;
typedef signed char s8;
typedef unsigned long u32;
#include "params.h"

#define MOST 84                 /* cells of a field at most */
#define NUISANCE 7
enum { IDLE, SPAWN, ANNOUNCE, CONTROL, BOUNCE, LOCK, FALL, POP, GARBAGE, ENDED };
enum { M_BOOT, M_TITLE, M_DEMO, M_MENU, M_OPTIONS, M_READY, M_PLAY, M_PAUSED, M_OVER, M_ENTRY };
#define BA 128
#define BB 64
#define SEL 32
#define ST 16
#define UP 8
#define DN 4
#define LF 2
#define RT 1

/* family.s */
extern u8 pad, warm;            /* warm: the program begins again after a reset */
#pragma zpsym("pad")
#pragma zpsym("warm")
extern u8 *at_cell;             /* the place that set_value writes */
#pragma zpsym("at_cell")
extern u8 rests, wide;          /* whether what is written rests; whether a cell has two bytes there */
#pragma zpsym("rests")
#pragma zpsym("wide")
extern u8 cells[MOST];
void wait(void);
void __fastcall__ read_from(const u8 *places);
void __fastcall__ write_to(const u8 *places);
void __fastcall__ set_value(u8 value);
u8 random(void);
void stir(void);

/* field.c */
extern u8 gone[MOST], sizes[24], groups, colors_gone;
void board_put(s8 column, s8 row, u8 value, u8 rest);
void board_changed(void);
void board_settled(void);
void board_write(void);
void board_late(void);
void board_clean(void);
u8 solid(s8 column, s8 row);
u8 find(void);
u8 fall(void);
u8 sink(void);
void link_cells(void);
u32 points(u8 step);

/* piece.c */
extern s8 column, row;
extern u8 turn, kind[2];
void hand_begin(void);
void hand_draw(void);
void hand_get(void);
void load_place(void);
void lift(void);
void stamp(u8 there);
u8 enter(void);
void appear(void);
void shake(s8 by);
void show_next(void);
u8 control(u8 held, u8 new);

/* seat.c */
u32 __fastcall__ number_get(u8 *at);
void number_set(u8 *at, u32 value);
u8 phase_of(void);
void set_phase(u8 phase);
void seat_begin(void);
void seat_tick(void);
void pay(u32 more);
void curtain(u16 frame);
