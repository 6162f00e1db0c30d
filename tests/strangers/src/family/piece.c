/* The falling piece and what comes next: where they are, and how the pad moves the piece. */
#include "family.h"

static const s8 across[4] = { 0, 1, 0, -1 }, down[4] = { -1, 0, 1, 0 };
s8 column, row;
u8 turn, kind[2];
static u8 sunk;

#define REST (*A_rest)

/* a number 0 to 255 */
u8 random(void) {
  static u8 i;
  for (i = 5; i; --i) stir();
  return ((u16)A_dice[0] * 5 + (u16)A_dice[1] * 3) >> 2;
}

/* ---- pieces in RAM ---- */
static void unpack(u8 *from, const u8 *first, const u8 *second, u8 bytes) {
  kind[0] = first[*from];
  kind[1] = second[bytes > 1 ? from[1] : *from];
}
static void pack(u8 *to, const u8 *table, u8 bytes, u8 side) {
  if (bytes > 1) {
    to[0] = table[side << 4 | kind[0]];
    to[1] = table[side << 4 | 8 | kind[1]];
  } else to[0] = table[kind[0] << 3 | kind[1]];
}
void hand_get(void) { unpack(A_piece, T_piece_first, T_piece_second, N_piece_bytes); }
static void hand_set(u8 side) { pack(A_piece, T_piece_pack, N_piece_bytes, side); }

static u8 *slot(u8 number) { return A_slots + number * N_next_bytes; }
static void deal(void) {
  kind[0] = random() % N_colors + 1;
  kind[1] = random() % N_colors + 1;
}
static void put_next(u8 *to) { pack(to, T_next_pack, N_next_bytes, 0); }

void hand_begin(void) {
  static u8 i;
  if (N_ring) *A_head = 0;
  for (i = 0; i < N_slots; ++i) { deal(); put_next(N_ring ? slot(i) : i ? A_slot1 : A_slots); }
}

/* takes the next piece */
void hand_draw(void) {
  static u8 head, first, second;
  if (!N_slots) { deal(); return; }
  head = N_ring ? *A_head % N_slots : 0;
  unpack(slot(head), T_next_first, T_next_second, N_next_bytes);
  first = kind[0];
  second = kind[1];
  if (!N_ring && N_slots > 1) {
    unpack(A_slot1, T_next_first, T_next_second, N_next_bytes);
    put_next(A_slots);
  }
  deal();
  put_next(N_ring ? slot(head) : N_slots > 1 ? A_slot1 : A_slots);
  if (N_ring) *A_head = (u8)(head + 1) % N_slots;
  kind[0] = first;
  kind[1] = second;
}

/* ---- the place ---- */
void load_place(void) {
  static u8 at, found;
  static u8 low, high;
  static s8 dx, dy;
  if (N_place == 3) {
    low = A_x[0];
    high = A_x[1];
    found = 0xFF;
    for (at = 0; at < N_count; ++at) if (T_store[at] == low && T_store[at + MOST] == high) found = at;
    if (found == 0xFF) { column = N_spawn_column; row = N_spawn_row; }
    else { column = T_column[found]; row = T_row[found]; }
  } else {
    column = T_columns[*A_x];
    row = T_rows[N_place == 2 ? *A_x : *A_y];
  }
  if (N_place == 1) {
    dx = (s8)T_columns[*A_x2] - column;
    dy = (s8)T_rows[*A_y2] - row;
    turn = 0;
    for (at = 1; at < 4; ++at) if (across[at] == dx && down[at] == dy) turn = at;
  } else turn = N_by_codes ? T_piece_turn[*A_piece] : T_sides[*A_turn];
}

static void store_place(u8 pixels) {
  static u8 at;
  if (N_place == 2) *A_x = row * N_row_length + column;
  else if (N_place == 3) {
    at = T_row_start[row] + column;
    A_x[0] = T_store[at];
    A_x[1] = T_store[at + MOST];
  } else {
    if (N_count_up) pixels = -pixels;
    *A_x = T_x[column + 2];
    *A_y = T_y[row + 2] + pixels;
    if (N_place == 1) {
      *A_x2 = T_x[column + across[turn] + 2];
      *A_y2 = T_y[row + down[turn] + 2] + pixels;
    }
  }
  if (N_has_turn) *A_turn = T_side_codes[turn];
}

static u8 level(void) { return N_pixels ? N_pixels - 1 : 0; }
static void note_sunk(void) { sunk = N_pixels ? T_sunk[*A_y] : 0; }

/* a pixel down, if the piece is not level yet */
static u8 deeper(void) {
  if (T_sunk[*A_y] == N_pixels - 1) return 0;
  shake(1);
  return 1;
}

void shake(s8 by) {
  if (N_count_up) by = -by;
  *A_y += by;
  if (N_place == 1) *A_y2 += by;
}

/* ---- moving ---- */
static u8 free_at(s8 c, s8 r) {
  if (c < 0 || c >= (s8)N_width || r >= (s8)N_height || r < -(s8)N_ceiling) return 0;
  return r < 0 || !solid(c, r);
}
static u8 fits(s8 c, s8 r, u8 side) {
  if (r < 0 || !free_at(c, r)) return 0;
  return free_at(c + across[side], r + down[side]);
}

static void sprite(u8 *at, u8 value, u8 y, u8 x) {
  at[0] = y;
  at[1] = 0x40 + value;
  at[2] = value & 3;
  at[3] = x;
}
static void sprites(void) {
  load_place();
  hand_get();
  sprite((u8*)0x210, kind[0], 24 + 8 * row, 40 + 8 * column);
  sprite((u8*)0x214, kind[1], 24 + 8 * (row + down[turn]), 40 + 8 * (column + across[turn]));
}
void show_next(void) {
  if (!N_slots) return;
  unpack(slot(N_ring ? *A_head % N_slots : 0), T_next_first, T_next_second, N_next_bytes);
  sprite((u8*)0x220, kind[0], 40, 208);
  sprite((u8*)0x224, kind[1], 48, 208);
}

static void put_inside(s8 c, s8 r, u8 value) {
  if (r >= 0 && r < (s8)N_height && c >= 0 && c < (s8)N_width) board_put(c, r, value, 0);
}
void stamp(u8 there) {
  load_place();
  hand_get();
  put_inside(column, row, there ? kind[0] : 0);
  put_inside(column + across[turn], row + down[turn], there ? kind[1] : 0);
}
void lift(void) { if (N_inside) stamp(0); }
static void shown(void) {
  if (N_inside) stamp(1);
  sprites();
}

static void reload(void) {
  static u8 frames;
  if (N_fraction) { *A_tick = 0; return; }
  frames = *A_speed >> N_pixel_shift;
  *A_tick = frames ? frames : 1;
}

/* a new piece at the top: kind. 0 when it doesn't fit */
u8 enter(void) {
  static u8 good, late;
  late = N_late_place && N_announce;
  hand_set(N_spawn_turn);
  column = N_spawn_column;
  row = N_spawn_row;
  turn = N_spawn_turn;
  if (!late) store_place(level());
  if (N_fresh_down) *A_fresh = 0;
  REST = 0;
  *A_repeat = N_repeat_after;
  reload();
  good = fits(N_spawn_column, N_spawn_row, N_spawn_turn);
  if (!late) {
    if (N_inside && good) stamp(1);
    sprites();
  }
  return good;
}

void appear(void) {
  if (!N_late_place) return;
  column = N_spawn_column;
  row = N_spawn_row;
  turn = N_spawn_turn;
  store_place(level());
  shown();
}

static void tested(s8 c, s8 r) { if (N_tested) { A_tested[0] = c; A_tested[1] = r; } }

static void move(s8 by) {
  static s8 to;
  load_place();
  note_sunk();
  lift();
  to = column + by;
  tested(to, row);
  if (fits(to, row, turn)) { column = to; store_place(sunk); }
  shown();
}

static u8 try(s8 c, s8 r, u8 side) {
  if (!fits(c, r, side)) return 0;
  hand_get();
  hand_set(side);
  column = c;
  row = r;
  turn = side;
  store_place(sunk);
  return 1;
}
static void rotate(u8 by) {
  static u8 side, over;
  static s8 c, r;
  load_place();
  note_sunk();
  lift();
  c = column;
  r = row;
  over = (turn + 2) & 3;
  side = (turn + by) & 3;
  if (!try(c, r, side) && !(N_kicks && try(c - across[side], r - down[side], side))
      && N_quick_turn && !(turn & 1)) {
    if (!try(c, r, over)) try(c - across[over], r - down[over], over);
  }
  shown();
}

static void fall_at_once(void) {
  load_place();
  lift();
  while (fits(column, row + 1, turn)) ++row;
  store_place(level());
  shown();
}

/* a pixel or a row down; whether the piece has landed for good */
static u8 step(u8 fast) {
  if (N_pixels && deeper()) { ++*(u8*)0x210; return 0; }
  load_place();
  lift();
  tested(column, row + 1);
  if (fits(column, row + 1, turn)) {
    ++row;
    store_place(0);
    if (N_inside) stamp(1);
    REST = 0;
    if (fast && N_drop_points) pay(N_drop_points);
    sprites();
    return 0;
  }
  if (N_inside) stamp(1);
  if (N_grace) {
    if (REST < 255) ++REST;
    if (REST < N_grace) {
      if (N_fraction) *A_tick = 255;
      else *A_tick = 1;
      return 0;
    }
  }
  return 1;
}

/* a frame in which the pad counts; whether the piece has landed */
u8 control(u8 held, u8 new) {
  static u8 fast, now, want;
  static u16 sum;
  if (new) {
    if (new & N_drop) { fall_at_once(); return 1; }
    if (new & (LF | RT)) { *A_repeat = N_repeat_after; move(new & LF ? -1 : 1); }
    if (new & N_turn_button) rotate(N_turn_by);
    else if (new & N_other_button) rotate(N_other_by);
  } else if (N_repeat_every && held & (LF | RT)) {
    if (*A_repeat > 1) --*A_repeat;
    else { *A_repeat = N_repeat_every; move(held & LF ? -1 : 1); }
  }
  if (N_angle) {
    now = *A_angle;
    want = *A_turn << 3;
    if (now != want) *A_angle = now + ((u8)(want - now) & 128 ? -1 : 1);
  }
  if (N_fresh_down && new & DN) *A_fresh = 1;
  fast = held & DN && (!N_fresh_down || *A_fresh) ? N_soft : 1;
  if (N_fraction) {
    sum = ((u16)fast << 8) / (*A_speed ? *A_speed : 1);
    sum = *A_tick + (sum ? sum : 1);
    *A_tick = sum;
    if (sum < 256) return 0;
  } else {
    if (*A_tick > fast) { *A_tick -= fast; return 0; }
    reload();
  }
  return step(fast > 1);
}
