/* Game Boy, with colours where the console has them. Facts: Pan Docs. */
#include "core.h"
#include "tiles.h"

#define REGISTER(address) (*(volatile u8 *)(address))
#define P1   REGISTER(0xFF00)
#define IF   REGISTER(0xFF0F)
#define IE   REGISTER(0xFFFF)
#define LCDC REGISTER(0xFF40)
#define STAT REGISTER(0xFF41)
#define SCY  REGISTER(0xFF42)
#define SCX  REGISTER(0xFF43)
#define LY   REGISTER(0xFF44)
#define BGP  REGISTER(0xFF47)
#define VBK  REGISTER(0xFF4F)
#define BCPS REGISTER(0xFF68)
#define BCPD REGISTER(0xFF69)
#define NR10 REGISTER(0xFF10)
#define NR11 REGISTER(0xFF11)
#define NR12 REGISTER(0xFF12)
#define NR13 REGISTER(0xFF13)
#define NR14 REGISTER(0xFF14)
#define NR50 REGISTER(0xFF24)
#define NR51 REGISTER(0xFF25)
#define NR52 REGISTER(0xFF26)
#define MAP  ((volatile u8 *)0x9800)
#define VRAM ((u8 *)0x8000)

u8 gray;                        /* 0: a console with colours */
static u8 started;

void wait_frame(void)
{
    while (!(IF & 1))
        __asm__("halt\n nop");
    IF = 0;
}

u8 read_pad(void)
{
    u8 held, found = 0;

    P1 = 0x20;
    held = P1;
    held = ~P1;
    if (held & 1)
        found |= PAD_RIGHT;
    if (held & 2)
        found |= PAD_LEFT;
    found |= held & (PAD_UP | PAD_DOWN);
    P1 = 0x10;
    held = P1;
    held = P1;
    held = ~P1;
    if (held & 1)
        found |= PAD_A;
    if (held & 2)
        found |= PAD_B;
    if (held & 8)
        found |= PAD_START;
    P1 = 0x30;
    return found;
}

/* The screen's memory can be written except while a line is being drawn. */
void put(u8 column, u8 row, u8 tile)
{
    volatile u8 *to = MAP + ((u16)row << 5) + column;

    if (!gray) {
        u8 colors = tile_palette[tile];

        VBK = 1;
        while (STAT & 2)
            ;
        *to = colors;
        VBK = 0;
    }
    while (STAT & 2)
        ;
    *to = tile;
}

static void start(void)
{
    const u8 *from = gray ? tiles_gray : tiles;
    u8 *to = VRAM;
    u16 i;

    for (i = TILES_SIZE; i; --i)
        *to++ = *from++;
    BGP = 0x63;                 /* 0 black, 1 white, 2 light, 3 dark */
    if (!gray) {
        BCPS = 0x80;
        for (i = 0; i < PALETTE_SIZE; ++i)
            BCPD = palette[i];
    }
    SCX = SCY = 0;
    NR52 = 0x80;
    NR50 = 0x77;
    NR51 = 0xFF;
    IE = 1;
    started = 1;
}

void screen_off(void)
{
    while (LY < 144)
        ;
    LCDC = 0;
    if (!started)
        start();
}

void screen_on(void)
{
    LCDC = 0x91;
    IF = 0;
}

static const u16 tones[8] = { 1547, 1602, 1650, 1673, 1714, 1750, 1767, 1797 };

void sound(u8 which)
{
    u16 tone = tones[which & 7];

    NR10 = which == SOUND_OVER ? 0x7D : which >= SOUND_CHAIN ? 0x15 : 0;
    NR11 = 0x80;
    NR12 = which == SOUND_MOVE ? 0x41 : which == SOUND_TURN ? 0x51 : which == SOUND_LOCK ? 0x82 : 0xA3;
    if (which > SOUND_CHAIN)
        tone = tones[which - SOUND_CHAIN - 1 < 7 ? which - SOUND_CHAIN - 1 : 7];
    NR13 = (u8)tone;
    NR14 = 0x80 | (u8)(tone >> 8);
}

void sound_frame(void)
{
}
