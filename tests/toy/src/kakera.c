/* Kakera: stones in five columns, two at a time; three and more in a row vanish. README.md has rules and addresses. */
#include <string.h>

typedef unsigned char u8;
typedef unsigned int u16;

#define AT(address)     ((u8 *)(address))
#define PPUADDR         (*AT(0x2006))
#define PPUDATA         (*AT(0x2007))
#define JOY             AT(0x4016)

/* Fields: index f + 8 * row + column. Columns 5 to 7 are always 0: no search has to care for the edges. */
#define FIELD           AT(0x0300)
#define MARK            AT(0x0400)      /* 1: stone of a run, 2: grey beside one */
#define SHOWN           AT(0x0500)      /* what the screen shows there */

/* One block of bytes a seat: index p, 0 or SEAT2. */
#define PHASE           AT(0x0600)[p]
#define ANNOUNCE        AT(0x0601)[p]
#define X               AT(0x0602)[p]
#define Y               AT(0x0603)[p]   /* of the lower stone */
#define UPPER           AT(0x0604)[p]
#define LOWER           AT(0x0605)[p]
#define NEXT_UPPER      AT(0x0606)[p]
#define NEXT_LOWER      AT(0x0607)[p]
#define SCORE_LOW       (*(u16 *)(0x0608 + p))
#define SCORE_HIGH      AT(0x060A)[p]
#define PENDING         AT(0x060B)[p]
#define LOCKED          (*(u16 *)(0x060C + p))
#define GREY_COLUMN     AT(0x060E)[p]   /* where the next grey falls */
#define CHAIN           AT(0x060F)[p]
#define RANDOM          (*(u16 *)(0x0610 + p))
#define TIMER           AT(0x0612)[p]
#define FALL            AT(0x0613)[p]   /* frames since the last row */
#define REST            AT(0x0614)[p]   /* frames on the ground */
#define STEP            AT(0x0615)[p]
#define DUE             AT(0x0616)[p]   /* greys that fall now */
#define CLEARED         AT(0x0617)[p]   /* stones in this step's runs */
#define DIGITS          AT(0x0618 + p)  /* the score's six, lowest first */
#define SCORE_DRAWN     AT(0x061E)[p]
#define PENDING_DRAWN   AT(0x061F)[p]
#define END_DRAWN       AT(0x0620)[p]

#define MODE            (*AT(0x0680))
#define LOSER           (*AT(0x0681))
#define FRAME           (*(u16 *)0x0682)
#define FRAME_LOW       (*AT(0x0682))
#define OVERRUNS        (*(u16 *)0x0684)
#define PAD             AT(0x0686)      /* [0] first pad, [1] second */
#define FRESH           AT(0x0688)

enum { IDLE, ANNOUNCED, CONTROL, SETTLING, OVER };              /* PHASE */
enum { SEARCH, CLEAR, DROP, GREYS };                            /* STEP of SETTLING */
enum { SOLO, VERSUS };                                          /* MODE */
enum { A = 0x80, SELECT = 0x20, START = 0x10, DOWN = 0x04, LEFT = 0x02, RIGHT = 0x01 };

#define SEAT2           0x40
#define COLUMNS         5
#define ROWS            10
#define GREY            0x44
#define SPAWN_X         2
#define ANNOUNCE_TIME   10
#define FALL_TIME       20
#define FALL_TIME_DOWN  2
#define REST_TIME       12
#define REST_TIME_DOWN  2
#define SEARCH_TIME     6               /* lock to search */
#define FLASH_TIME      18              /* search to clearing */
#define HANG_TIME       4               /* clearing to the first row of falling */
#define ROW_TIME        2               /* row to row, grey to grey */
#define QUEUE_CELLS     50              /* no further cell beyond this: the longest list is 80 bytes */

void show(void);                        /* crt0.s */
extern u8 queue[];
extern u8 mask;
#pragma zpsym ("mask")

#pragma bss-name (push, "ZEROPAGE")
u8 p, f;                                /* the seat at work: 0 or SEAT2, its field: 0 or 0x80 */
u8 i, n, at, code, run, q;
u8 *to;
u16 word;
#pragma bss-name (pop)

static const u8 palette[] = { 0x0F, 0x16, 0x2A, 0x22, 0x0F, 0x30, 0x30, 0x30 };

static void __fastcall__ seat(u8 second)
{
    p = second ? SEAT2 : 0;
    f = second ? 0x80 : 0;
}

/* The end of a step: draw in the coming vblank, then read the pads for the next step. */
static void frame(void)
{
    queue[q] = 0;
    show();
    q = 0;
    JOY[0] = 1;
    JOY[0] = 0;
    for (i = 0; i < 2; ++i) {
        code = 0;
        for (n = 8; n; --n) {
            code <<= 1;
            if (JOY[i] & 3)             /* bit 1: a pad at the Famicom's expansion port */
                ++code;
        }
        FRESH[i] = code & ~PAD[i];
        PAD[i] = code;
    }
}

/* ---- Picture ---- */

/* Begin an entry of the list; its bytes go to to[0], to[1] ... */
static void __fastcall__ entry(u16 address, u8 count)
{
    to = queue + q;
    to[0] = address >> 8;
    to[1] = (u8)address;
    to[2] = count;
    to += 3;
    q += 3 + count;
}

static void text(u16 address, const char *s)
{
    entry(address, strlen(s));
    for (n = 0; s[n]; ++n)
        to[n] = s[n] - ' ';
}

/* One cell, two tiles by two. */
static void __fastcall__ stone(u16 address)
{
    u8 tile = 0x3C + ((code >> 2) & 0x3C);

    entry(address, 2);
    to[0] = tile;
    to[1] = tile + 2;
    entry(address + 32, 2);
    to[0] = tile + 1;
    to[1] = tile + 3;
}

/* Cell i is to show code: queued when it shows something else, unless the queue is full. */
static void cell(void)
{
    if (code == SHOWN[i] || q > QUEUE_CELLS)
        return;
    SHOWN[i] = code;
    stone((p ? 0x2090 : 0x2081) + ((i & 0x78) << 3) + ((i & 7) << 1));
}

static void draw(void)
{
    u8 row, column, flash = TIMER & 4;

    at = 0xFF;                          /* the lower stone; 0xFF is no cell, nor is the one above it */
    if (PHASE == ANNOUNCED || PHASE == CONTROL)
        at = f + (Y << 3) + X;
    n = at - 8;
    i = f;
    for (row = ROWS; row; --row, i += 8 - COLUMNS)
        for (column = COLUMNS; column; --column, ++i) {
            code = FIELD[i];
            if (i == at)
                code = LOWER;
            else if (i == n)
                code = UPPER;
            else if (flash && MARK[i])
                code = 0;
            if (code != SHOWN[i])
                cell();
        }
    i = f + 6;                          /* NEXT: columns 6 of the rows 0 and 1 */
    code = NEXT_UPPER;
    cell();
    i += 8;
    code = NEXT_LOWER;
    cell();
    if (!SCORE_DRAWN) {
        SCORE_DRAWN = 1;
        entry(p ? 0x2050 : 0x2041, 6);
        for (i = 0; i < 6; ++i)
            to[i] = DIGITS[5 - i] + ('0' - ' ');
    }
    if (PENDING != PENDING_DRAWN) {
        PENDING_DRAWN = PENDING;
        entry(p ? 0x2059 : 0x204A, 1);
        to[0] = '0' - ' ' + (PENDING < 9 ? PENDING : 9);
    }
    if (PHASE == OVER && !END_DRAWN) {
        END_DRAWN = 1;
        text(p ? 0x2330 : 0x2321, !LOSER ? "OVER" : (LOSER == 2) == (p != 0) ? "LOSE" : "WIN");
    }
}

/* An empty screen, shown with the next frame(). Bit r of white: text colours in the tile rows 4r to 4r + 3. */
static void __fastcall__ screen(u8 white)
{
    mask = 0;
    frame();
    PPUADDR = 0x20;
    PPUADDR = 0x00;
    for (word = 960; word; --word)
        PPUDATA = 0;
    for (i = 0; i < 64; ++i) {
        PPUDATA = white & 1 ? 0x55 : 0;
        if ((i & 7) == 7)
            white >>= 1;
    }
    PPUADDR = 0x3F;
    PPUADDR = 0x00;
    for (i = 0; i < sizeof palette; ++i)
        PPUDATA = palette[i];
    mask = 0x0A;
}

/* ---- Rules ---- */

static void random_step(void)
{
    word = word & 1 ? word >> 1 ^ 0xB400 : word >> 1;
}

static u8 deal(void)
{
    word = RANDOM;
    do {
        random_step();
        random_step();
        n = word & 3;
    } while (!n);
    RANDOM = word;
    return n * 0x11;
}

static void deal_next(void)
{
    NEXT_UPPER = deal();
    NEXT_LOWER = deal();
}

static void spawn(void)
{
    UPPER = NEXT_UPPER;
    LOWER = NEXT_LOWER;
    deal_next();
    X = SPAWN_X;
    Y = 1;
    FALL = REST = 0;
    PHASE = ANNOUNCED;
    ANNOUNCE = 1;
    TIMER = ANNOUNCE_TIME;
}

/* The field is settled, all greys have fallen. */
static void finish(void)
{
    if (!FIELD[f + SPAWN_X] && !FIELD[f + 8 + SPAWN_X]) {
        spawn();
        return;
    }
    PHASE = OVER;
    if (MODE == VERSUS && !LOSER)
        LOSER = p ? 2 : 1;
}

static void control(void)
{
    u8 fresh = FRESH[p != 0], down = PAD[p != 0] & DOWN;

    at = f + (Y << 3) + X;
    if (fresh & LEFT) {
        if (X && !FIELD[at - 1] && !FIELD[at - 9]) {
            --X;
            --at;
        }
    } else if (fresh & RIGHT) {
        if (X < COLUMNS - 1 && !FIELD[at + 1] && !FIELD[at - 7]) {
            ++X;
            ++at;
        }
    }
    if (fresh & A) {
        n = UPPER;
        UPPER = LOWER;
        LOWER = n;
    }
    if (Y < ROWS - 1 && !FIELD[at + 8]) {
        REST = 0;
        if (++FALL >= (down ? FALL_TIME_DOWN : FALL_TIME)) {
            FALL = 0;
            ++Y;
        }
        return;
    }
    FALL = 0;
    if (++REST < (down ? REST_TIME_DOWN : REST_TIME))
        return;
    FIELD[at] = LOWER;
    FIELD[at - 8] = UPPER;
    ++LOCKED;
    CHAIN = 0;
    PHASE = SETTLING;
    STEP = SEARCH;
    TIMER = SEARCH_TIME;
}

/* Mark all runs and the greys beside them. CLEARED: how many stones, without greys. */
static void find_runs(void)
{
    u8 last = 0, end = f + 8 * ROWS;

    CLEARED = 0;
    for (i = f; i != end; ++i) {
        code = FIELD[i];
        if (!code) {
            last = 0;
            continue;
        }
        if (code != last) {
            last = code;
            run = 1;
            continue;
        }
        if (++run < 3 || code == GREY)
            continue;
        if (run == 3) {
            n = i;
            MARK[--n] = 1;
            MARK[--n] = 1;
            CLEARED += 2;
            if (FIELD[--n] == GREY)
                MARK[n] = 2;
        }
        n = i;
        MARK[n] = 1;
        ++CLEARED;
        if (FIELD[++n] == GREY)
            MARK[n] = 2;
    }
}

static void clear_runs(void)
{
    for (i = f, n = 8 * ROWS; n; ++i, --n)
        if (MARK[i])
            MARK[i] = FIELD[i] = 0;
    word = (u16)CLEARED * CHAIN;
    for (i = 1; word && i < 6; ++i) {   /* shown in decimal; the last digit stays 0 */
        word += DIGITS[i];
        DIGITS[i] = word % 10;
        word /= 10;
    }
    SCORE_DRAWN = 0;
    word = (u16)CLEARED * CHAIN * 10;
    SCORE_LOW += word;
    if (SCORE_LOW < word)
        ++SCORE_HIGH;
}

/* All stones with a hole below them fall one row; 0 when there are none. */
static u8 fall_row(void)
{
    run = 0;
    i = f + 8 * (ROWS - 1);
    do {                                /* no "i-- != f": cc65 2.18 takes it for "--i != f" */
        --i;
        n = i + 8;
        if (FIELD[i] && !FIELD[n]) {
            FIELD[n] = FIELD[i];
            FIELD[i] = 0;
            run = 1;
        }
    } while (i != f);
    return run;
}

static void fall_grey(void)
{
    at = f + GREY_COLUMN;
    if (++GREY_COLUMN == COLUMNS)
        GREY_COLUMN = 0;
    --DUE;
    --PENDING;
    if (FIELD[at])
        return;                         /* the column is full: lost */
    for (n = ROWS - 1; n && !FIELD[at + 8]; --n)
        at += 8;
    FIELD[at] = GREY;
}

static void settle(void)
{
    if (--TIMER)
        return;
    TIMER = ROW_TIME;
    switch (STEP) {
    case SEARCH:
        find_runs();
        if (CLEARED) {
            ++CHAIN;
            STEP = CLEAR;
            TIMER = FLASH_TIME;
            break;
        }
        if (MODE == VERSUS) {
            n = CHAIN;
            p ^= SEAT2;                 /* to the other seat */
            PENDING = PENDING > 255 - n ? 255 : PENDING + n;
            p ^= SEAT2;
        }
        DUE = PENDING;
        STEP = GREYS;
        if (!DUE)
            finish();
        break;
    case CLEAR:
        clear_runs();
        STEP = DROP;
        TIMER = HANG_TIME;
        break;
    case DROP:
        if (!fall_row()) {
            STEP = SEARCH;
            TIMER = 1;
        }
        break;
    case GREYS:
        fall_grey();
        if (!DUE)
            finish();
    }
}

static void step(void)
{
    if (PHASE == CONTROL) {
        control();
    } else if (PHASE == SETTLING) {
        settle();
    } else if (PHASE == ANNOUNCED && !--TIMER) {
        ANNOUNCE = 0;
        PHASE = CONTROL;
    }
}

/* ---- Title, game, for ever ---- */

static void title(void)
{
    screen(0xFD);
    for (i = 0; i < 4; ++i) {
        code = 0x11 * (i + 1);
        stone(0x2088 + (i << 2));
    }
    text(0x214D, "KAKERA");
    text(0x2228, "SELECT   MODE");
    text(0x2268, "START    PLAY");
    for (;;) {
        text(0x21CD, MODE == VERSUS ? "VERSUS" : " SOLO ");
        frame();
        if (FRESH[0] & START)
            return;
        if (FRESH[0] & SELECT)
            MODE ^= 1;
    }
}

static void play(void)
{
    u16 seed = FRAME | 1;
    u8 s, then;

    memset(FIELD, 0, 0x100);
    memset(MARK, 0, 0x100);
    memset(SHOWN, 0xFF, 0x100);         /* nothing yet: all cells will be drawn */
    memset(AT(0x0600), 0, 2 * SEAT2);
    screen(0x41);
    text(0x206C, "NEXT");
    if (MODE == VERSUS)
        text(0x207B, "NEXT");
    for (s = 0; s <= MODE; ++s) {
        seat(s);
        word = seed;
        for (i = 0; i < 16; ++i)
            random_step();
        RANDOM = word;
        deal_next();
        PENDING_DRAWN = MODE == SOLO ? 0 : 0xFF;
    }
    frame();
    for (s = 0; s <= MODE; ++s) {
        seat(s);
        spawn();
    }
    then = FRAME_LOW;
    do {
        seat(MODE == VERSUS && then & 1);
        draw();                         /* one field a frame: in VERSUS they take turns */
        if (FRAME_LOW != then)
            ++OVERRUNS;                 /* the step took too long: a frame passed without one */
        frame();
        then = FRAME_LOW;
        for (s = 0; s <= MODE; ++s) {
            seat(s);
            step();
        }
        if (LOSER)
            for (s = 0; s <= MODE; ++s) {
                seat(s);
                PHASE = OVER;
                ANNOUNCE = 0;
            }
        seat(0);
    } while (PHASE != OVER || !(FRESH[0] & START));
    LOSER = 0;
    for (s = 0; s <= MODE; ++s) {
        seat(s);
        PHASE = IDLE;
    }
}

void main(void)
{
    for (;;) {
        title();
        play();
    }
}
