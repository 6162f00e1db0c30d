/* A seat: the phases of a piece, points, levels, what else writes into the field. */
#include "family.h"

static const u32 powers[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000 };

/* ---- numbers ---- */
static u32 tenfold(u32 value) { value += value; return value + (value << 2); }

u32 __fastcall__ number_get(u8 *at) {
  static u32 value;
  static u8 i, n, byte, *from;
  from = at;
  n = N_number_size;
  value = 0;
  for (i = 0; i < n; ++i) {
    /* the highest byte first */
    byte = from[N_low_first ? n - 1 - i : i];
    if (N_number_form == 0) value = value << 8 | byte;
    else if (N_number_form == 1) value = tenfold(tenfold(value) + (byte >> 4)) + (byte & 15);
    else value = tenfold(value) + ((int)byte == N_blank && N_blanks ? 0 : (u8)(byte - N_zero) % 10);
  }
  return N_tens ? tenfold(value) : value;
}

void number_set(u8 *at, u32 value) {
  static u32 left;
  static u8 i, n, place, digit, begun, pair, *to;
  to = at;
  n = N_number_size;
  left = N_tens ? value / 10 : value;
  if (N_number_form == 0) {
    for (i = 0; i < n; ++i) { to[N_low_first ? i : n - 1 - i] = left; left >>= 8; }
    return;
  }
  begun = pair = 0;
  for (place = N_number_form == 1 ? n << 1 : n; place;) {
    --place;
    for (digit = 0; left >= powers[place]; ++digit) left -= powers[place];
    if (N_number_form == 1) {
      if (place & 1) { pair = digit << 4; continue; }
      i = place >> 1;
      to[N_low_first ? i : n - 1 - i] = pair | digit;
      continue;
    }
    begun |= digit | !place;
    to[N_low_first ? place : n - 1 - place] = begun || !N_blanks ? digit + N_zero : N_blank;
  }
}

static u32 limit(void) {
  return (u32)T_limit[0] | (u32)T_limit[1] << 8 | (u32)T_limit[2] << 16 | (u32)T_limit[3] << 24;
}
void pay(u32 more) {
  static u32 sum;
  sum = number_get(A_total) + more;
  if (sum > limit()) sum = limit();
  number_set(A_total, sum);
  if (N_high && sum > number_get(A_high)) number_set(A_high, sum);
}
static void roll(void) {
  static u32 shown, total;
  shown = number_get(A_score);
  total = number_get(A_total);
  if (shown < total) {
    shown += (u16)N_rolls_high << 8 | N_rolls;
    if (shown < total) total = shown;
  }
  number_set(A_score, total);
}

/* ---- phases ---- */
u8 phase_of(void) {
  static u8 i, byte;
  byte = *A_phase;
  for (i = 0; i < 10; ++i) if (T_phases[i] == byte) break;
  return i;
}
void set_phase(u8 phase) {
  *A_phase = T_phases[phase];
  if (N_phase_page) A_phase[1] = N_phase_page;
  if (N_coarse) *A_coarse = T_coarse[phase];
}

static void set_speed(void) {
  static int speed;
  speed = (int)N_gravity - (int)(*A_level * N_faster);
  *A_speed = speed < (int)N_gravity_least ? N_gravity_least : speed;
}

/* puts a heap into the field */
static void set_up(void) {
  static u8 wanted, low, c, r, at;
  static u16 tries;
  if (!N_heap) return;
  wanted = N_heap;
  low = N_height - N_heap_rows;
  for (tries = 40 * (u16)wanted; tries && wanted; --tries) {
    c = random() % N_width;
    r = low + random() % N_heap_rows;
    at = T_row_start[r] + c;
    while (r + 1 < N_height && !cells[at + N_width]) { ++r; at += N_width; }
    if (cells[at]) continue;
    cells[at] = random() % N_colors + 1;
    if (find() || r < low) { cells[at] = 0; continue; }
    --wanted;
  }
}

void seat_begin(void) {
  board_clean();
  hand_begin();
  *A_level = N_first_level ? *A_option : 0;
  *A_chain = *A_fallen = 0;
  *A_waited = 0;
  A_pieces[0] = A_pieces[1] = 0;
  if (N_beside) { A_beside[0] = 0xA0; A_beside[1] = 0x86; }
  number_set(A_score, 0);
  number_set(A_total, 0);
  set_speed();
  read_from(T_store);
  set_up();
  board_write();
  board_settled();
  *A_timer = N_announce;
  set_phase(SPAWN);
}

static void few(void) {
  static u8 thing, times, c;
  thing = N_nuisance ? NUISANCE : random() % N_colors + 1;
  for (times = 1 + random() % 3; times; --times) {
    c = random() % N_width;
    if (!cells[c]) { cells[c] = thing; fall(); }
  }
}
static u8 due(void) {
  if (!N_garbage) return 0;
  if ((u8)(*A_waited + 1) < N_garbage && *A_waited != 255) { ++*A_waited; return 0; }
  *A_waited = 0;
  return 1;
}

static void spawn(void) {
  static u16 count;
  if (!*A_fallen && due()) { *A_timer = 6; set_phase(GARBAGE); return; }
  *A_fallen = 0;
  hand_draw();
  count = A_pieces[0] + 1;
  A_pieces[0] = count;
  if (count > 255) ++A_pieces[1];
  if (N_pieces_per_level && !(count % N_pieces_per_level) && *A_level < 20) { ++*A_level; set_speed(); }
  {
    static u8 first, second;
    first = kind[0];
    second = kind[1];
    show_next();
    kind[0] = first;
    kind[1] = second;
  }
  if (!enter()) { set_phase(ENDED); return; }
  *A_timer = N_announce;
  set_phase(N_announce ? ANNOUNCE : CONTROL);
}

static void land_half(s8 c, s8 r, u8 value) {
  if (r >= 0 && r < (s8)N_height && c >= 0 && c < (s8)N_width) board_put(c, r, value, 1);
}
static const s8 across[4] = { 0, 1, 0, -1 }, down[4] = { -1, 0, 1, 0 };
static void land(void) {
  load_place();
  hand_get();
  land_half(column, row, kind[0]);
  land_half(column + across[turn], row + down[turn], kind[1]);
  board_changed();
  if (N_piece_points) pay(N_piece_points);
  *A_chain = 0;
  *A_timer = N_lock;
  set_phase(LOCK);
}

static void done(void) {
  if (N_links) link_cells();
  board_settled();
  set_phase(SPAWN);
}

/* what hangs falls, then what is alike clears, then the next piece comes */
static void resolve(void) {
  read_from(T_store);
  if (N_fall) {
    if (sink()) { *A_timer = N_fall; set_phase(FALL); return; }
  } else if (fall()) board_write();
  if (N_copy || N_shown) read_from(T_store);
  if (!find()) { done(); return; }
  *A_timer = N_pop;
  set_phase(POP);
}

static void fall_on(void) {
  if (*A_timer > 1) { --*A_timer; return; }
  *A_timer = N_fall;
  read_from(T_store);
  if (!sink()) resolve();
  else board_write();
}

static void pop(void) {
  static u8 at;
  static u32 won;
  if (*A_timer > 1) { --*A_timer; return; }
  read_from(T_store);
  if (!find()) { done(); return; }
  if (*A_chain < 255) ++*A_chain;
  won = points(*A_chain);
  pay(won);
  if (N_gain) { A_gain[0] = won; A_gain[1] = won >> 8; }
  for (at = 0; at < N_count; ++at) if (gone[at]) cells[at] = 0;
  board_write();
  *A_timer = 1;
  set_phase(LOCK);
}

static void garbage_falls(void) {
  if (*A_timer > 1) { --*A_timer; return; }
  read_from(T_store);
  few();
  board_write();
  *A_fallen = 1;
  *A_chain = 0;
  resolve();
}

static u8 unequal(void) {
  static u8 i;
  for (i = 0; i < N_number_size; ++i) if (A_score[i] != A_total[i]) return 1;
  return 0;
}

/* a frame of the seat */
void seat_tick(void) {
  switch (phase_of()) {
    case SPAWN: spawn(); break;
    case ANNOUNCE:
      if (*A_timer > 1) --*A_timer;
      else { *A_timer = 0; appear(); set_phase(CONTROL); }
      break;
    case CONTROL:
      if (!control(*A_held, *A_new)) break;
      if (N_bounce) { *A_timer = N_bounce; set_phase(BOUNCE); }
      else land();
      break;
    case BOUNCE:
      shake(*A_timer > N_bounce >> 1 ? -1 : 1);
      if (*A_timer > 1) --*A_timer;
      else { *A_timer = 0; land(); }
      break;
    case LOCK:
      if (*A_timer > 1) --*A_timer;
      else resolve();
      break;
    case FALL: fall_on(); break;
    case POP: pop(); break;
    case GARBAGE: garbage_falls(); break;
  }
  if (N_late && *A_left) board_late();
  if (N_rolling && unequal()) roll();
}

/* the game is over: the field fills up from the floor, a row every fourth frame */
void curtain(u16 frame) {
  static s8 r;
  static u8 c;
  if (frame & 3 || (frame >> 2) >= N_height) return;
  r = N_height - 1 - (u8)(frame >> 2);
  for (c = 0; c < N_width; ++c) board_put(c, r, 1 + r % N_colors, 1);
  board_changed();
}
