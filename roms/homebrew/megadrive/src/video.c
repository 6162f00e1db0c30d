#include "video.h"
#include "ram.h"
#include "tiles.h"

#define PLANE_A 0xC000
#define PLANE_B 0xE000
#define SPRITE_TABLE 0xF800
#define SCROLL  0xFC00
#define ROWS_A_FRAME 14     /* sent of plane A at most; the others wait */
#define LAST_ROW_LINE 0xFA  /* none is begun from this line on: the blank ends at 100 */
#define VBLANK  8           /* in the VDP's status */

volatile u8 tick;           /* vertical blanks since the last frame */
u8 pad[2], fresh[2];
static u16 plane[HEIGHT][WIDTH];
static u8 dirty[HEIGHT];
static u8 next_row;
static u16 list[SPRITES][4];
static u8 used, sent;
static const u16 *colours;
static u8 dimmed, colours_wanted;

static const u16 registers[] = {
    0x8004, 0x8134, 0x8200 | PLANE_A >> 10, 0x8300, 0x8400 | PLANE_B >> 13, 0x8500 | SPRITE_TABLE >> 9, 0x8700,
    0x8AFF, 0x8B00, 0x8C81, 0x8D00 | SCROLL >> 10, 0x8F02, 0x9001, 0x9100, 0x9200,
};

static void display(u8 on)
{
    VDP_CTRL16 = on ? 0x8174 : 0x8134;
}

static void address(u32 kind, u16 to)
{
    VDP_CTRL32 = kind | (u32)(to & 0x3FFF) << 16 | to >> 14;
}

#define VRAM_WRITE 0x40000000
#define CRAM_WRITE 0xC0000000
#define VSRAM_WRITE 0x40000010

static void dma(const void *from, u16 to, u16 words)
{
    u32 source = (u32)from >> 1;

    VDP_CTRL16 = 0x9300 | (words & 0xFF);
    VDP_CTRL16 = 0x9400 | words >> 8;
    VDP_CTRL16 = 0x9500 | (source & 0xFF);
    VDP_CTRL16 = 0x9600 | (source >> 8 & 0xFF);
    VDP_CTRL16 = 0x9700 | (source >> 16 & 0x7F);
    address(VRAM_WRITE | 0x80, to);
}

void video_start(void)
{
    u16 i;

    while (VDP_CTRL16 & 2)
        ;
    for (i = 0; i < sizeof registers / 2; ++i)
        VDP_CTRL16 = registers[i];
    address(VRAM_WRITE, 0);
    for (i = 0; i < 0x4000; ++i)
        VDP_DATA32 = 0;
    address(VSRAM_WRITE, 0);
    for (i = 0; i < 20; ++i)
        VDP_DATA32 = 0;
    dma(common_tiles, 0, COMMON_TILES * 16);
    interrupts_on();
}

static u8 read_pad(u8 seat)
{
    u8 high, low;

    PAD_DATA(seat) = 0x40;
    __asm__ volatile("nop\n\tnop\n\tnop\n\tnop");
    high = ~PAD_DATA(seat) & 0x3F;
    PAD_DATA(seat) = 0;
    __asm__ volatile("nop\n\tnop\n\tnop\n\tnop");
    low = ~PAD_DATA(seat) & 0x30;
    PAD_DATA(seat) = 0x40;
    return high | low << 2;
}

void frame_begin(void)
{
    u8 seat;

    u8 line = VDP_LINE;

    if (tick)
        ++game.overruns;
    else if (line < 224 && line > game.latest)
        game.latest = line;
    while (!tick)
        ;
    tick = 0;
    game.busy = 1;
    ++game.frame;
    for (seat = 0; seat < 2; ++seat) {
        u8 now = read_pad(seat);

        fresh[seat] = now & ~pad[seat];
        pad[seat] = now;
    }
}

static void send_colours(void)
{
    u8 i;

    address(CRAM_WRITE, 0);
    for (i = 0; i < 64; ++i)
        VDP_DATA16 = dimmed ? colours[i] >> 1 & 0x0666 : colours[i];
    colours_wanted = 0;
}

void frame_end(void)
{
    u8 i, left = ROWS_A_FRAME;

    game.busy = 0;
    if (!(VDP_CTRL16 & VBLANK))
        ++game.late;
    if (used)
        list[used - 1][1] &= 0xFF00;
    else
        list[0][0] = list[0][1] = 0;
    sent = used ? used : 1;
    dma(list, SPRITE_TABLE, sent * 4);
    used = 0;
    for (i = 0; i < HEIGHT && left; ++i) {
        if (dirty[next_row]) {
            u8 line = VDP_LINE;

            if (line < 224 || line >= LAST_ROW_LINE)
                break;
            dirty[next_row] = 0;
            dma(plane[next_row], PLANE_A + next_row * 128, WIDTH);
            --left;
        }
        if (++next_row == HEIGHT)
            next_row = 0;
    }
    if (colours_wanted)
        send_colours();
}

void resume(void)
{
    tick = 0;
}

void dim(u8 on)
{
    dimmed = on;
    colours_wanted = 1;
}

void load_scene(const struct scene *scene)
{
    u16 y, x;

    tick = 0;
    while (!tick)
        ;
    display(0);
    fill(plane, 0, sizeof plane);
    fill(dirty, 0, sizeof dirty);
    used = 0;
    address(VRAM_WRITE, PLANE_A);
    for (x = 0; x < 64 * 32 / 2; ++x)
        VDP_DATA32 = 0;
    address(VRAM_WRITE, SPRITE_TABLE);
    VDP_DATA32 = 0;
    VDP_DATA32 = 0;
    dma(scene->tiles, SCENE_TILE * 32, scene->count * 16);
    for (y = 0; y < HEIGHT; ++y)
        dma(scene->map + y * WIDTH, PLANE_B + y * 128, WIDTH);
    if (scene->logo)
        for (y = 0; y < LOGO_HEIGHT; ++y)
            for (x = 0; x < LOGO_WIDTH; ++x)
                put((WIDTH + 1 - LOGO_WIDTH) / 2 + x, 1 + y, scene->logo[y * LOGO_WIDTH + x]);
    colours = scene->palette;
    dimmed = 0;
    send_colours();
    display(1);
    tick = 0;
    game.busy = 0;
}

void put(u8 x, u8 y, u16 tile)
{
    plane[y][x] = tile;
    dirty[y] = 1;
}

void put_block(u8 x, u8 y, u16 tile)
{
    u16 *at = &plane[y][x];

    if (tile) {
        at[0] = tile;
        at[1] = tile + 2;
        at[WIDTH] = tile + 1;
        at[WIDTH + 1] = tile + 3;
    } else
        at[0] = at[1] = at[WIDTH] = at[WIDTH + 1] = 0;
    dirty[y] = dirty[y + 1] = 1;
}

void text(u8 x, u8 y, u16 ink, const char *string)
{
    for (; *string; ++string)
        plane[y][x++] = ink + *string - 32;
    dirty[y] = 1;
}

void centred(u8 y, u16 ink, const char *string)
{
    u8 length = 0;

    while (string[length])
        ++length;
    text((WIDTH - length) >> 1, y, ink, string);
}

static const u32 powers[8] = { 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1 };

void number(u8 x, u8 y, u16 ink, u32 value, u8 digits)
{
    u8 i, seen = 0;

    for (i = 8 - digits; i < 8; ++i) {
        u8 digit = 0;
        u16 tile;

        while (value >= powers[i] && digit < 9) {
            value -= powers[i];
            ++digit;
        }
        seen |= digit || i == 7;
        tile = seen ? ink + '0' - 32 + digit : 0;
        if (plane[y][x] != tile)
            put(x, y, tile);
        ++x;
    }
}

void sprite(s16 x, s16 y, u8 size, u16 tile)
{
    u16 *at = list[used];

    if (used == SPRITES || x <= -32 || x >= 320 || y <= -32 || y >= 224)
        return;
    at[0] = y + 128;
    at[1] = size << 8 | ++used;
    at[2] = tile;
    at[3] = x + 128;
}

void big(s16 x, s16 y, u16 attr, const char *string)
{
    for (; *string; ++string, x += 15) {
        u8 i;

        for (i = 0; big_letters[i] && big_letters[i] != *string; ++i)
            ;
        if (big_letters[i])
            sprite(x, y, SIZE(2, 2), attr | (T_BIG + 4 * i));
    }
}
