/* Where everything lives (the README's table says what is documented). Per-player bytes are indexed by p. */
#ifndef RAM_H
#define RAM_H
typedef unsigned char u8;
typedef unsigned int u16;

#define BYTE(a)     (*(u8 *)(a))
#define AT(a)       ((u8 *)(a))

#ifdef VARIANT
#include "variant.h"                /* a game for tests: the linker knows the places (tests/variants/README.md) */
#else
#define SPAWN_FLAG  BYTE(0x004A)
#define NEXT        AT(0x0067)      /* 2 * p: bottom; 2 * p + 1: top */
#define MODE        BYTE(0x006F)
#define LEVEL       BYTE(0x0070)
#define SCORE       AT(0x007A)      /* 3 * p */
#define DIGITS      AT(0x0087)
#define FIELD1      AT(0x0300)
#define FIELD2      AT(0x0400)
#define SPAWNING    AT(0x0605)
#define DELAY       AT(0x0615)
#define DROP        AT(0x0631)
#define SPRITE_X    AT(0x0645)
#define SPRITE_Y    AT(0x064D)
#define X           AT(0x0669)
#define Y           AT(0x066D)
#define BOTTOM      AT(0x0679)
#define TOP         AT(0x067D)
#define BLOCKS_LOW  AT(0x0695)
#define BLOCKS_HIGH AT(0x0699)
#define TURN        AT(0x06D5)

#define ATTR        AT(0x0500)      /* copy of the attribute table */
#define STATE       BYTE(0x0700)
#define COLOURS     BYTE(0x0701)
#define FRAME       BYTE(0x0702)
#define PHASE       AT(0x0705)
#define CHAIN       AT(0x0707)
#define MENU_ROW    BYTE(0x0709)
#define ITEMS       BYTE(0x070E)    /* 0 off, 1 big, 2 carbuncle, 3 both */
#define INTERVAL    BYTE(0x070F)    /* one piece in so many is an item */
#define LIMIT       BYTE(0x071B)    /* nuisance that falls at a time, at most; 0: no limit */
#define PENDING     AT(0x0715)      /* nuisance that will fall on p */
#define WINS        AT(0x0717)      /* rounds won by p */
#define REMAINDER   AT(0x0719)      /* stored points of p below one nuisance, 0..6 */
#define LOSER       BYTE(0x071C)    /* of the finished round: 0 none, 1, 2 */
#define DICE        ((u16 *)0x06E0) /* p's generator of nuisance columns */
#define OTHER_RANDOM AT(0x06E4)     /* P2's generator of pairs, while P1's is in use */
#define RANDOM      AT(0x0710)
#define MUSIC       BYTE(0x0714)    /* 1: the tune plays during a game */
#define SPRITES     AT(0x0200)      /* the list the NMI sends */

#define CELL(code)  (code)          /* a colour as the field's byte */
#define COLOUR(byte) (byte)         /* and back */
#define CELL_CHANGED                /* the field is about to be written */
#define TELL                        /* before and after the frame's end */
#define LISTEN
#define PHASE_STEP  1
#define SCORE_TILE(player, digit) (DIGITS[digit] + 16)
#define CLOCKWISE   PAD_A
#define COUNTER_CLOCKWISE PAD_B
#endif

enum { BOOT, TITLE, MENU, PLAYING, PAUSED, GAME_OVER };         /* STATE */
enum { IDLE, SPAWNS = PHASE_STEP, CONTROL = 2 * PHASE_STEP, SETTLING = 3 * PHASE_STEP, BLINKING = 4 * PHASE_STEP,
       OVER = 5 * PHASE_STEP };                                 /* PHASE */
enum { BLANK = '_' - 32 };                                      /* the tile of a panel with nothing on it */
enum { BIG = 9, CARBUNCLE = 10 };                               /* items, in a pair's place */
enum { SND_NONE, SND_MOVE, SND_TURN, SND_LOCK, SND_ITEM, SND_CHAIN, SND_LEVEL, SND_OVER, SND_SINK, SND_SEND };
enum { ENDLESS, MISSION, TWO_PLAYER };                          /* MODE */

#define PAD_A       0x80
#define PAD_B       0x40
#define PAD_SELECT  0x20
#define PAD_START   0x10
#define PAD_UP      0x08
#define PAD_DOWN    0x04
#define PAD_LEFT    0x02
#define PAD_RIGHT   0x01

/* page zero, shared with the assembly (zp.s) */
extern u8 oam_pos, p, lx, ly, str_len, ppuctrl, ppumask, grp_cleared, grp_nuis, grp_colours, grp_bonus, sx, sy, stile, sattr;
extern u8 *fptr;
extern u16 mult;
extern u8 pad[2], fresh[2], num[3], blink_style[2], sign[2], danger[2], tiles[4];
extern u8 due_shown[2], due_rest[2], due_slot[2];
#pragma zpsym ("oam_pos")
#pragma zpsym ("p")
#pragma zpsym ("lx")
#pragma zpsym ("ly")
#pragma zpsym ("str_len")
#pragma zpsym ("ppuctrl")
#pragma zpsym ("ppumask")
#pragma zpsym ("grp_cleared")
#pragma zpsym ("grp_nuis")
#pragma zpsym ("grp_colours")
#pragma zpsym ("grp_bonus")
#pragma zpsym ("sx")
#pragma zpsym ("sy")
#pragma zpsym ("stile")
#pragma zpsym ("sattr")
#pragma zpsym ("fptr")
#pragma zpsym ("mult")
#pragma zpsym ("pad")
#pragma zpsym ("fresh")
#pragma zpsym ("num")
#pragma zpsym ("blink_style")
#pragma zpsym ("sign")
#pragma zpsym ("danger")
#pragma zpsym ("tiles")
#pragma zpsym ("due_shown")
#pragma zpsym ("due_rest")
#pragma zpsym ("due_slot")

/* assembly */
void wait_frame(void);
void __fastcall__ nmi_load(u8 on);
void __fastcall__ load_screen(const void *nametable);
void __fastcall__ load_palette(const void *bytes);
void __fastcall__ str_begin(u16 addr);
void __fastcall__ str_byte(u8 tile);
void str_end(void);
void __fastcall__ cell_tiles(u8 code);
void read_pads(void);
void __fastcall__ queue_palette(const u8 *bytes16);
void forget_field(void);
void draw_field(void);
u8 legal(void);
u8 lowest(void);
void make_links(void);
void find_groups(void);
void find_begin(void);
void find_rest(void);
void clear_marked(void);
u8 fall_one(void);
void to_decimal(void);
void add_score(void);
void add_blocks(void);
void seed(void);
u8 __fastcall__ deal(u8 colours);
void sound_frame(void);
void __fastcall__ sound(u8 effect);
void __fastcall__ sound_chain(u8 step);
extern u8 music;
void spr_begin(void);
void spr_end(void);
void spr_16(void);
void spr_32(void);
void spr_8(void);

/* data.s */
extern const u8 screen_title[], screen_menu[], screen_endless[], screen_versus[];
extern const u8 palette_title[], palette_game[], palette_dim[];
extern const u8 cell_palette[], sprite_of[], moods[];

/* C */
void frame(void);
void screen_off(void);
void __fastcall__ screen_on(const u8 *nametable, const u8 *palette, u8 ctrl);
void __fastcall__ text(u16 addr, const char *s);
void __fastcall__ seat(u8 player);
void title(void);
void menu(void);
void play(void);
void spawn(void);
void pair_frame(void);
void pair_sprites(void);
void links_next(void);
void count_cleared(void);
void items_reset(void);
void deal_next(void);
u8 item_fits(void);
void lock_item(void);
void item_frame(void);
void item_sprite(void);
u8 pair_shape(void);
void settle_frame(void);
void settle_reset(void);
u8 take(void);
void nuisance_reset(void);
void nuisance_earned(void);
u8 send_nuisance(void);
enum { NOTHING_DUE, DUE, WAIT };
u8 nuisance_due(void);
u8 nuisance_falls(void);
void __fastcall__ four_tiles(u16 at);
void __fastcall__ next_half(u16 at, u8 code);
void __fastcall__ two_digits(u16 at, u8 n);
void duel_reset(void);
void duel_frame(void);
void duel_over(void);
void show_reset(void);
void show_frame(void);
void chain_sign(void);
void thin_out(void);
u8 wide(void);
extern u8 first_sprite[2];
void panel_reset(void);
void panel_frame(void);
void hud_reset(void);
void hud_frame(void);
extern u8 players, busy, heavy, finder;
extern u8 touched[2];
#endif
