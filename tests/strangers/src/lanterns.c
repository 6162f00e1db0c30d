/* LANTERNS, and with -DCRATES the game CRATES: pairs drop, four or more of a kind go out, what is above falls.
   Both are written in the way that homebrew often is. They share the flow of the game and differ in how they keep it.

   LANTERNS: rows of sixteen bytes with a border around the field, row 0 is the floor. A cell that has come to rest has
   bit 7 set. Height is counted upwards, as a row and a fraction. The rotation counter runs against the clock. A ring
   of eight pairs holds what comes next. The score is in digits, the ones first. SELECT pauses.
   CRATES: the field is in the cartridge's RAM as two arrays, kinds and joins, from the top. The pair is at a place in
   pixels, glides, starts lying down, and turns one way only. Both colours of the next pair are in one byte. BCD score. */
#include "rt.h"

#define COLS 6
#define LEFT 96                 /* pixels */
#define TOP 48
#ifdef CRATES
#define ROWS 12
#define KINDS 5
#else
#define ROWS 13                 /* the highest is out of sight */
#define KINDS 4
#endif
#define SEEN 12
#define EMPTY 0
#define BORDER 0xFF
#define RESTS 0x80

enum { TITLE, OPTIONS, READY, FALLING, SETTLING, CLEARING, OVER, PAUSED };

u8 state;
u8 line;                        /* of the options' cursor */
u8 speed, music;
u16 lfsr;
u8 chain, wait_left, repeat, best;
u8 rot, flash;

#ifdef CRATES
u8 px, py;                      /* the axis, in pixels of the screen */
u8 glide, touch;
u8 color[2];
u8 preview;                     /* low nibble: the axis */
u8 bcd[4];                      /* hundreds of thousands last */
static const s8 across[4] = { 1, 0, -1, 0 }, above[4] = { 0, -1, 0, 1 };
#pragma bss-name(push, "CART")
u8 saved[16];                   /* what a battery would keep: a mark and the best level */
u8 kind[ROWS * 8];
u8 join[ROWS * 8];
#pragma bss-name(pop)
#else
struct { u8 fraction, row, column, color[2]; } piece;
u8 pairs[8][2];
u8 head;
u8 digits[6];
u8 board[(ROWS + 2) * 16];
static const s8 across[4] = { 0, -1, 0, 1 }, above[4] = { 1, 0, -1, 0 };
#endif
u8 mark[ROWS * 8];
u8 todo_c[ROWS * COLS], todo_r[ROWS * COLS];

static u8 roll(void) {
  u8 i;
  for (i = 0; i < 7; ++i) lfsr = (lfsr >> 1) ^ ((lfsr & 1) ? 0xA1A1u : 0);
  return (u8)((lfsr & 0xFF) % KINDS) + 1;
}

/* ---- the field: rows are counted from the lowest in here, whatever the store does ---- */
#ifdef CRATES
#define AT(c, r) (((ROWS - 1 - (r)) << 3) + (c))
static u8 get(s8 c, s8 r) {
  if (c < 0 || c >= COLS || r < 0) return BORDER;
  if (r >= ROWS) return EMPTY;
  return kind[AT(c, r)];
}
static void draw(u8 c, u8 r) {
  u8 k = kind[AT(c, r)];
  put(LEFT / 8 + c, TOP / 8 + SEEN - 1 - r, k ? (k << 4) + join[AT(c, r)] : 1);
}
static void set(s8 c, s8 r, u8 k) {
  if (r < ROWS) { kind[AT(c, r)] = k; join[AT(c, r)] = 0; draw(c, r); }
}
#else
#define AT(c, r) (((r) + 1 << 4) + (c) + 1)
static u8 get(s8 c, s8 r) {
  if (r > ROWS) return EMPTY;
  return board[AT(c, r)] & 0xFF;
}
static void draw(u8 c, u8 r) {
  u8 k = board[AT(c, r)];
  if (r < SEEN) put(LEFT / 8 + c, TOP / 8 + SEEN - 1 - r, k ? (k & 7) * 16 + (k >> 7) : 1);
}
static void set(s8 c, s8 r, u8 k) {
  if (r < ROWS) { board[AT(c, r)] = k; draw(c, r); }
}
#endif
#define COLOR(v) ((v) & 7)

/* ---- score ---- */
#ifdef CRATES
static const u16 power[] = { 0, 8, 16, 32, 64, 96, 128, 160, 192, 224, 256, 288 };
static const u8 crowd[] = { 0, 2, 3, 4, 5, 6, 7, 10 };
static const u8 many[] = { 0, 0, 3, 6, 12, 24 };
static void add_tens(u16 tens) {
  u8 i, carry, low;
  while (tens) {                /* 10 points at a time, 1000 while there are many */
    i = 0; carry = 0x10;
    if (tens >= 100) { i = 1; tens -= 100; } else --tens;
    for (; i < 4; ++i) {
      low = bcd[i] + carry;
      if ((low & 0x0F) > 9) low += 6;
      carry = 0;
      if (low >= 0xA0) { low -= 0xA0; carry = 1; }
      bcd[i] = low;
      if (!carry) break;
    }
  }
}
static void show_score(void) {
  u8 i;
  for (i = 0; i < 4; ++i) { put(26 - i * 2, 24, 240 + (bcd[i] & 15)); put(25 - i * 2, 24, 240 + (bcd[i] >> 4)); }
}
#else
static void add(u8 place, u16 amount) {
  u8 i;
  while (amount--) for (i = place; i < 6; ++i) { if (++digits[i] < 10) break; digits[i] = 0; }
}
static void show_score(void) {
  u8 i;
  for (i = 0; i < 6; ++i) put(26 - i, 24, 240 + digits[i]);
}
#endif

static void pause_frames(u8 n) { while (n--) wait(); }

/* ---- the piece ---- */
#ifdef CRATES
static u8 is_free(u8 x, u8 y, u8 turn) {   /* a glide between two rows needs both */
  s8 c = (s8)((x - LEFT) >> 3), r = (s8)(SEEN - 1 - ((s8)(y - TOP) >> 3)), n;
  if (x < LEFT) return 0;
  for (n = (y & 7) ? 1 : 0; n >= 0; --n) {
    if (get(c, r - n)) return 0;
    if (get(c + across[turn], r - n - above[turn])) return 0;
  }
  return 1;
}
static void show_piece(void) {
  spr(0, px, py, (color[0] << 4));
  spr(1, px + across[rot] * 8, py + above[rot] * 8, (color[1] << 4));
}
static void spawn(void) {
  color[0] = preview & 15; color[1] = preview >> 4;
  preview = roll(); preview |= roll() << 4;
  spr(2, 200, 64, (preview & 15) << 4); spr(3, 208, 64, preview & 0xF0);
  px = LEFT + 16; py = TOP; rot = 0; glide = touch = 0;
}
static void lock(void) {
  s8 c = (px - LEFT) >> 3, r = SEEN - 1 - ((s8)(py - TOP) >> 3);
  spr(0, 0, 0xF0, 0); spr(1, 0, 0xF0, 0);
  set(c, r, color[0]); set(c + across[rot], r - above[rot], color[1]);
}
/* one frame of play; 1 when the piece is to lock */
static u8 step(void) {
  u8 n;
  if (held & (LF | RT)) {
    if (!repeat || repeat >= 14) { n = (held & LF) ? px - 8 : px + 8; if (is_free(n, py, rot)) px = n; if (repeat) repeat = 8; }
    ++repeat;
  } else repeat = 0;
  if (pad & BA) { n = (rot + 1) & 3; if (is_free(px, py, n)) rot = n; }
  if (!(py & 7) && !is_free(px, py + 8, rot)) return ++touch >= 20 || (held & DN);
  n = (held & DN) ? 2 : 0;
  if (n && (py & 1)) n = 1;
  if (!n && ++glide >= 4 - speed) { glide = 0; n = 1; }
  py += n;
  return 0;
}
#else
static u8 is_free(u8 column, u8 row, u8 turn) {
  return !board[((row + 1) << 4) + column] && !board[((u8)(row + 1 + above[turn]) << 4) + column + across[turn]];
}
static void show_piece(void) {
  u8 y = TOP + (SEEN - 1 - piece.row) * 8 + (piece.fraction >> 5);
  u8 x = LEFT + piece.column * 8 - 8;
  if (piece.fraction && !is_free(piece.column, piece.row - 1, rot)) y &= 0xF8;
  spr(0, x, y, piece.color[0] << 4);
  spr(1, x + across[rot] * 8, y - above[rot] * 8, piece.color[1] << 4);
}
static void spawn(void) {
  u8 i;
  for (i = 0; i < 2; ++i) { piece.color[i] = pairs[head][i]; pairs[head][i] = roll(); }
  head = (head + 1) & 7;
  spr(2, 200, 72, pairs[head][0] << 4); spr(3, 200, 64, pairs[head][1] << 4);
  i = (head + 1) & 7;
  spr(4, 216, 80, pairs[i][0] << 4); spr(5, 216, 72, pairs[i][1] << 4);
  piece.column = 3; piece.row = SEEN - 1; piece.fraction = 0; rot = 0;
}
static void lock(void) {
  s8 c = piece.column - 1, r = piece.row;
  spr(0, 0, 0xF0, 0); spr(1, 0, 0xF0, 0);
  set(c, r, piece.color[0]); set(c + across[rot], r + above[rot], piece.color[1]);
}
static void turn(u8 to) {
  if (is_free(piece.column, piece.row, to)) rot = to;
  else if (is_free(piece.column - across[to], piece.row - above[to], to)) {
    piece.column -= across[to]; piece.row -= above[to]; rot = to;
  }
}
static u8 step(void) {
  u8 before, n;
  if (held & (LF | RT)) {
    if (!repeat || repeat >= 12) { n = (held & LF) ? piece.column - 1 : piece.column + 1; if (is_free(n, piece.row, rot)) piece.column = n; if (repeat) repeat = 7; }
    ++repeat;
  } else repeat = 0;
  if (pad & BA) turn((rot - 1) & 3);
  if (pad & BB) turn((rot + 1) & 3);
  before = piece.fraction;
  piece.fraction += (held & DN) ? 128 : 8 + speed * 4;
  if (piece.fraction < before) {
    piece.fraction = 0;
    if (!is_free(piece.column, piece.row - 1, rot)) return 1;
    --piece.row;
    if (held & DN) { add(0, 1); show_score(); }
  }
  return 0;
}
#endif

/* ---- falling and clearing ---- */
static void settle(void) {
  u8 c, r, moved;
  state = SETTLING;
  do {
    moved = 0;
    for (c = 0; c < COLS; ++c) for (r = 1; r < ROWS; ++r)
      if (get(c, r) && !get(c, r - 1)) { set(c, r - 1, COLOR(get(c, r))); set(c, r, EMPTY); moved = 1; }
    pause_frames(2);
  } while (moved);
  for (r = 0; r < ROWS; ++r) for (c = 0; c < COLS; ++c) if (get(c, r)) {
#ifdef CRATES
    u8 k = get(c, r), j = 0;
    if (get(c, r + 1) == k) j |= 1;
    if (get(c, r - 1) == k) j |= 2;
    if (get(c - 1, r) == k) j |= 4;
    if (get(c + 1, r) == k) j |= 8;
    if (join[AT(c, r)] != j) { join[AT(c, r)] = j; draw(c, r); }
#else
    if (!(get(c, r) & RESTS)) set(c, r, get(c, r) | RESTS);
#endif
  }
}
static u8 clear(void) {
  u8 c, r, n, i, k, total = 0, sorts = 0, groups = 0, x, y;
  for (i = 0; i < ROWS * 8; ++i) mark[i] = 0;
  for (c = 0; c < COLS; ++c) for (r = 0; r < SEEN; ++r) {
    if (!get(c, r) || mark[(r << 3) + c]) continue;
    k = COLOR(get(c, r)); n = 1; todo_c[0] = c; todo_r[0] = r; mark[(r << 3) + c] = 1;
#define LOOK(a, b) if (!mark[((b) << 3) + (a)] && COLOR(get(a, b)) == k) { mark[((b) << 3) + (a)] = 1; todo_c[n] = a; todo_r[n++] = b; }
    for (i = 0; i < n; ++i) {
      x = todo_c[i]; y = todo_r[i];
      if (x) LOOK(x - 1, y)
      if (x < COLS - 1) LOOK(x + 1, y)
      if (y) LOOK(x, y - 1)
      if (y < SEEN - 1) LOOK(x, y + 1)
    }
    if (n < 4) continue;
    total += n;
    if (!(sorts >> k & 1)) sorts |= 1 << k;
    groups += n < 11 ? n - 4 : 7;       /* LANTERNS has no use for it */
#ifdef CRATES
    flash += crowd[n < 11 ? n - 4 : 7];
#endif
    for (i = 0; i < n; ++i) mark[(todo_r[i] << 3) + todo_c[i]] = 2;
  }
  if (!total) return 0;
  state = CLEARING;
#ifdef CRATES
  { u16 bonus = power[chain < 11 ? chain : 11] + flash; u8 s = 0;
    for (i = 1; i <= KINDS; ++i) s += sorts >> i & 1;
    bonus += many[s]; if (!bonus) bonus = 1; if (bonus > 999) bonus = 999;
    pause_frames(24);
    add_tens((u16)total * bonus); flash = 0; }
#else
  for (flash = 24; flash; --flash) wait();
  add(1, (u16)total << (chain < 9 ? chain : 9));
#endif
  for (c = 0; c < COLS; ++c) for (r = 0; r < SEEN; ++r) if (mark[(r << 3) + c] == 2) set(c, r, EMPTY);
  show_score();
  ++chain;
  return total;
}

static void play(void) {
  u8 c, r;
  fill(0);
  state = READY;
#ifdef CRATES
  for (c = 0; c < ROWS * 8; ++c) kind[c] = join[c] = 0;
  for (c = 0; c < 4; ++c) bcd[c] = 0;
  preview = roll(); preview |= roll() << 4;
#else
  for (c = 0; c < (ROWS + 2) * 16; ++c) board[c] = (c < 16 || (c & 15) == 0 || (c & 15) > COLS) ? BORDER : EMPTY;
  for (c = 0; c < 6; ++c) digits[c] = 0;
  for (head = 0; head < 8; ++head) { pairs[head][0] = roll(); pairs[head][1] = roll(); }
  head = 0;
#endif
  for (r = 0; r <= SEEN; ++r) { put(LEFT / 8 - 1, TOP / 8 + r, 2); put(LEFT / 8 + COLS, TOP / 8 + r, 2); }
  for (c = 0; c < COLS; ++c) put(LEFT / 8 + c, TOP / 8 + SEEN, 2);
  for (r = 0; r < SEEN; ++r) for (c = 0; c < COLS; ++c) put(LEFT / 8 + c, TOP / 8 + r, 1);
  show_score();
  for (wait_left = 90; wait_left; --wait_left) { if (!(wait_left % 30)) put(15, 3, 240 + wait_left / 30); wait(); }
  put(15, 3, 0);
  for (;;) {
    spawn();
#ifdef CRATES
    if (!is_free(px, py, rot)) break;
#else
    if (get(2, SEEN - 1)) break;
#endif
    state = FALLING;
    do {
      show_piece();
      wait();
#ifdef CRATES
      if (pad & ST) { state = PAUSED; do wait(); while (!(pad & ST)); state = FALLING; continue; }
#else
      if (pad & SEL) { state = PAUSED; do wait(); while (!(pad & SEL)); state = FALLING; continue; }
#endif
    } while (!step());
    lock();
    chain = 0;
    do settle(); while (clear());
    pause_frames(6);
  }
  state = OVER;
  for (r = 0; r < SEEN; ++r) { for (c = 0; c < COLS; ++c) put(LEFT / 8 + c, TOP / 8 + SEEN - 1 - r, 3); pause_frames(4); }
  do wait(); while (!(pad & ST));
}

static void title(void) {
  u8 i;
  fill(0);
  state = TITLE;
  for (i = 0; i < 10; ++i) put(11 + i, 9, 100 + i);
  do { wait(); flash = (ticks >> 5) & 1; put(16, 18, flash ? 112 : 0); } while (!(pad & ST));
  flash = 0;
  lfsr = ticks | 0x100;
}
static void options(void) {
  u8 i;
  fill(0);
  state = OPTIONS;
  line = 0;
  for (i = 0; i < 6; ++i) { put(10 + i, 10, 120 + i); put(10 + i, 13, 130 + i); put(10 + i, 16, 140 + i); }
  for (;;) {
    wait();
    if ((pad & DN) && line < 2) ++line;
    if ((pad & UP) && line) --line;
    if (line == 0) { if ((pad & RT) && speed < 3) ++speed; if ((pad & LF) && speed) --speed; }
    if (line == 1 && (pad & (LF | RT))) music ^= 1;
    put(20, 10, 240 + speed); put(20, 13, 240 + music);
    spr(8, 64, 80 + line * 24, 16);
    if (line == 2 && (pad & (ST | BA))) return;
  }
}
void main(void) {
#ifdef CRATES
  if (saved[0] != 0x5A) { saved[0] = 0x5A; saved[1] = 0; }
#endif
  for (;;) { title(); options(); play(); }
}
