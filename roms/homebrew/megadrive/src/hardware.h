/* The machine: registers, pads, the routines of start.S. */
#ifndef HARDWARE_H
#define HARDWARE_H

#include <stddef.h>

typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef signed short s16;
typedef unsigned int u32;
typedef signed int s32;

#define REG8(address)  (*(volatile u8 *)(address))
#define REG16(address) (*(volatile u16 *)(address))
#define REG32(address) (*(volatile u32 *)(address))

#define VDP_DATA16  REG16(0xC00000)
#define VDP_DATA32  REG32(0xC00000)
#define VDP_CTRL16  REG16(0xC00004)
#define VDP_CTRL32  REG32(0xC00004)
#define VDP_LINE    REG8(0xC00008)
#define PSG         REG8(0xC00011)
#define PAD_DATA(seat) REG8(0xA10003 + 2 * (seat))
#define FM_CTRL(part)  REG8(0xA04000 + 2 * (part))
#define FM_DATA(part)  REG8(0xA04001 + 2 * (part))
#define Z80_RESET   REG16(0xA11200)

enum { UP = 1, DOWN = 2, LEFT = 4, RIGHT = 8, B = 16, C = 32, A = 64, START = 128 };

/* start.S */
void interrupts_on(void);
u16 divide(u32 a, u16 b);
u16 modulo(u32 a, u16 b);
void fill(void *to, u8 value, u16 count);

#endif
