/* The machine: registers, pads, and the system's variables (all from the NeoGeo Development Wiki). */
#ifndef HARDWARE_H
#define HARDWARE_H

typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef signed short s16;
typedef unsigned int u32;

#define REG8(address)  (*(volatile u8 *)(address))
#define REG16(address) (*(volatile u16 *)(address))

#define VRAM_ADDRESS REG16(0x3C0000)
#define VRAM_DATA    REG16(0x3C0002)
#define VRAM_STEP    REG16(0x3C0004)
#define LSPC_MODE    REG16(0x3C0006)    /* read: the line being drawn, in bits 15..7 */
#define SOUND        REG8(0x320000)
#define PALETTES     ((volatile u16 *)0x400000)
#define BACKDROP     REG16(0x401FFE)
#define CREDITS      REG8(0xD00034)     /* BCD */

#define PAD(seat)       REG8(0x10FD96 + 6 * (seat))
#define PAD_FRESH(seat) REG8(0x10FD97 + 6 * (seat))
#define STARTS          REG8(0x10FDAC)
#define STARTS_FRESH    REG8(0x10FDAD)
#define USER_MODE       REG8(0x10FDAF)
#define CREDIT_DEC      REG8(0x10FDB0)
#define PLAYER_MOD(seat) REG8(0x10FDB6 + (seat))

enum { UP = 1, DOWN = 2, LEFT = 4, RIGHT = 8, A = 16, B = 32, C = 64, D = 128 };
enum { START_1 = 1, SELECT_1 = 2, START_2 = 4, SELECT_2 = 8 };

/* start.S */
void read_pads(void);
void credit_down(void);
void send_queue(const u32 *first, const u32 *end);
u16 divide(u32 a, u16 b);
void fill(void *to, u8 value, u16 count);
extern volatile u8 coin_heard;

#endif
