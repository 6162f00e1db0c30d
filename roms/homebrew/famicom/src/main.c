/* Ochidama: title, menu, game, for ever. */
#include "ram.h"

u8 players;                 /* seats in play, 1 or 2 */
u8 busy;                    /* this frame's time is spent: no redraw, no decimals */
u8 heavy;                   /* with two players: one has done something long in this frame, the other waits */
u8 finder;                  /* 1 + the seat that is half through its search for groups */

/* The end of a frame: the picture goes out, then the pads are read. */
void frame(void)
{
    spr_end();
    sound_frame();
    TELL
    wait_frame();
    read_pads();
    LISTEN
    spr_begin();
}

void __fastcall__ seat(u8 player)
{
    p = player;
#ifdef LAYOUT
    fetch_field();
#else
    fptr = player ? FIELD2 : FIELD1;
#endif
}

/* Picture off; until screen_on the NMI only counts and the PPU is ours. */
void screen_off(void)
{
    ppumask = 0;
    spr_begin();
    spr_end();
    wait_frame();
    nmi_load(1);
}

void __fastcall__ screen_on(const u8 *nametable, const u8 *palette, u8 ctrl)
{
    load_screen(nametable);
    load_palette(palette);
    ppuctrl = ctrl;
    ppumask = 0x1E;
    nmi_load(0);
    read_pads();
    spr_begin();
}

void __fastcall__ text(u16 addr, const char *s)
{
    str_begin(addr);
    while (*s) {
        str_byte(*s - 32);
        ++s;
    }
    str_end();
}

/* The background's palettes, with the next frame. 19 bytes of the queue. */
void __fastcall__ queue_palette(const u8 *bytes16)
{
    u8 i;

    str_begin(0x3F00);
    for (i = 0; i < 16; ++i)
        str_byte(bytes16[i]);
    str_end();
}

void main(void)
{
    LEVEL = 1;
    COLOURS = 4;
    MUSIC = 1;
    ppuctrl = 0x80;
    BYTE(0x2000) = 0x80;    /* NMI on, picture still off */
    nmi_load(0);
    for (;;) {
        title();
        menu();
        WINS[0] = WINS[1] = 0;
        do
            play();
        while (LOSER);      /* 2 PLAYER: the next round */
    }
}
