/* PC Engine. Facts: Archaic Pixels (VDC, VCE, PSG, I/O port). */
#include "core.h"
#include "tiles.h"

#define PORT(address) (*(volatile u8 *)(address))
#define COLOR_LOW   PORT(0x0402)
#define COLOR_HIGH  PORT(0x0403)
#define COLOR_DATA  PORT(0x0404)
#define COLOR_DATA2 PORT(0x0405)
#define CHANNEL     PORT(0x0800)
#define LOUDNESS    PORT(0x0801)
#define TONE_LOW    PORT(0x0802)
#define TONE_HIGH   PORT(0x0803)
#define CHANNEL_ON  PORT(0x0804)
#define BALANCE     PORT(0x0805)
#define WAVE        PORT(0x0806)
#define PAD_PORT    PORT(0x1000)

extern volatile u8 ticked;
extern u16 video_address;
extern u8 video_tile, control;
void video_write(void);
void video_start(void);
void video_control(void);

static u8 started, loudness;

void wait_frame(void)
{
    while (!ticked)
        ;
    ticked = 0;
}

static void settle(void)
{
    static u8 i;

    for (i = 0; i < 4; ++i)
        ;
}

static u8 find_held(void)
{
    static u8 held, found;

    settle();
    held = ~PAD_PORT;
    found = 0;
    if (held & 1)
        found |= PAD_UP;
    if (held & 2)
        found |= PAD_RIGHT;
    if (held & 4)
        found |= PAD_DOWN;
    if (held & 8)
        found |= PAD_LEFT;
    PAD_PORT = 0;
    settle();
    held = ~PAD_PORT;
    if (held & 1)
        found |= PAD_A;
    if (held & 2)
        found |= PAD_B;
    if (held & 8)
        found |= PAD_START;
    return found;
}

u8 read_pad(void)
{
    PAD_PORT = 1;
    PAD_PORT = 3;               /* the multitap begins with the first pad */
    PAD_PORT = 1;
    return find_held();
}

/* The multitap goes on to its next pad. */
u8 read_pad2(void)
{
    PAD_PORT = 1;
    return find_held();
}

void put(u8 column, u8 row, u8 tile)
{
    video_address = ((u16)row << 5) | column;
    video_tile = tile;
    video_write();
}

static void start(void)
{
    static u8 i;

    video_start();
    PORT(0x0400) = 0;
    COLOR_LOW = COLOR_HIGH = 0;
    for (i = 0; i < PALETTE_SIZE; i += 2) {
        COLOR_DATA = palette[i];
        COLOR_DATA2 = palette[i + 1];
    }
    COLOR_LOW = 0;              /* the border has the first colour of the sprites */
    COLOR_HIGH = 1;
    COLOR_DATA = palette[0];
    COLOR_DATA2 = palette[1];
    CHANNEL = 0;
    LOUDNESS = 0xFF;
    BALANCE = 0xFF;
    CHANNEL_ON = 0;
    for (i = 0; i < 32; ++i)
        WAVE = i < 16 ? 28 : 3;
    started = 1;
}

void screen_off(void)
{
    if (!started)
        start();
    control = 0x08;
    video_control();
}

void screen_on(void)
{
    control = 0x88;
    video_control();
}

static const u16 tones[8] = { 428, 381, 339, 320, 285, 254, 240, 214 };

void sound(u8 which)
{
    static u16 tone;

    if (which == SOUND_OVER || which == SOUND_LOCK)
        tone = 800;
    else if (which > SOUND_CHAIN)
        tone = tones[which - SOUND_CHAIN - 1 < 7 ? which - SOUND_CHAIN - 1 : 7];
    else
        tone = tones[which];
    CHANNEL = 0;
    TONE_LOW = (u8)tone;
    TONE_HIGH = (u8)(tone >> 8);
    loudness = which >= SOUND_START ? 31 : 24;
}

/* The note fades. */
void sound_frame(void)
{
    if (!loudness)
        return;
    --loudness;
    CHANNEL = 0;
    CHANNEL_ON = loudness ? 0x80 | loudness : 0;
}
