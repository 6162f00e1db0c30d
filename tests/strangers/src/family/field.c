/* The field in all the forms in which RAM has it, and the rules: what falls, what clears, what it is worth. */
#include "family.h"

static u8 kinds[MOST], line[MOST], before[MOST];
u8 gone[MOST], sizes[24], groups, colors_gone;

static u8 *place_of(const u8 *places, u8 at) {
  return (u8*)((u16)places[at] | (u16)places[at + MOST] << 8);
}
static u8 index_of(u8 c, u8 r) { return T_row_start[r] + c; }

void board_put(s8 c, s8 r, u8 value, u8 rest) {
  at_cell = place_of(T_store, index_of(c, r));
  rests = rest;
  wide = N_wide;
  set_value(value);
}

static void copy_row(u8 r) {
  static u8 at, end;
  at = index_of(0, r);
  end = at + N_width;
  for (; at < end; ++at) {
    if (N_copy_picture) A_copy[at] = T_tiles[T_back[*place_of(T_store, at)] & 15];
    else A_copy[at] = *place_of(T_store, at);
  }
}
static void copy_all(void) {
  static u8 r;
  for (r = 0; r < N_height; ++r) copy_row(r);
}

/* after each change of what rests */
void board_changed(void) {
  if (N_shown) { read_from(T_store); rests = 1; wide = 0; write_to(T_shown); }
  if (N_copy) {
    if (N_late) *A_left = N_height;
    else copy_all();
  }
}

/* after a lock has been worked off */
void board_settled(void) {
  static u8 c, r, at, value;
  if (N_landing) { read_from(T_store); rests = 1; wide = 0; write_to(T_landing); }
  if (N_heights) {
    read_from(T_store);
    for (c = 0; c < N_width; ++c) {
      at = c;
      for (r = 0; r < N_height && !cells[at]; ++r) at += N_width;
      value = N_from_top ? r : N_height - r;
      A_heights[c] = (value << N_unit_shift) + N_height_zero;
    }
  }
}

/* makes the field what is in cells */
void board_write(void) {
  rests = 1;
  wide = N_wide;
  write_to(T_store);
  board_changed();
}

void board_late(void) {
  static u8 left;
  left = *A_left;
  *A_left = left - 1;
  copy_row(left <= N_height ? N_height - left : 0);
}

static void clean(const u8 *places) {
  static u8 at;
  rests = 1;
  for (at = 0; at < N_count; ++at) { at_cell = place_of(places, at); set_value(0); }
}

void board_clean(void) {
  static u16 at;
  static u16 end;
  wide = N_wide;
  clean(T_store);
  wide = 0;
  if (N_shown) clean(T_shown);
  if (N_landing) clean(T_landing);
  end = 3 * (u16)N_walls;
  for (at = 0; at < end; at += 3) *(u8*)((u16)T_walls[at] | (u16)T_walls[at + 1] << 8) = T_walls[at + 2];
  if (N_copy) copy_all();
  board_settled();
}

/* whether a piece is stopped by this cell inside the field */
u8 solid(s8 c, s8 r) {
  static u8 value;
  if (N_heights) {
    value = (u8)(A_heights[c] - N_height_zero) >> N_unit_shift;
    return N_from_top ? (int)r >= (int)value : (int)r >= (int)N_height - (int)value;
  }
  return T_back[*place_of(N_landing ? T_landing : T_store, index_of(c, r))] & 15;
}

/* the groups that clear: gone, sizes, groups, colors_gone */
u8 find(void) {
  static u8 at, n, i, here, want, any, colors;
  any = groups = colors = 0;
  for (at = 0; at < N_count; ++at) {
    i = cells[at] & 15;
    kinds[at] = i < NUISANCE ? i : 0;
    gone[at] = 0;
  }
  for (at = N_find_from; at < N_count; ++at) {
    want = kinds[at];
    if (!want) continue;
    kinds[at] = 0;
    line[0] = at;
    n = 1;
    for (i = 0; i < n; ++i) {
      here = line[i];
      if (here >= N_find_from + N_width && kinds[here - N_width] == want) {
        kinds[here - N_width] = 0; line[n] = here - N_width; ++n;
      }
      if (here + N_width < N_count && kinds[here + N_width] == want) {
        kinds[here + N_width] = 0; line[n] = here + N_width; ++n;
      }
      if (T_column[here] && kinds[here - 1] == want) { kinds[here - 1] = 0; line[n] = here - 1; ++n; }
      if (T_column[here] < N_width - 1 && kinds[here + 1] == want) { kinds[here + 1] = 0; line[n] = here + 1; ++n; }
    }
    if (n < N_clear_size) continue;
    any = 1;
    sizes[groups] = n;
    ++groups;
    colors |= 1 << want;
    for (i = 0; i < n; ++i) gone[line[i]] = 1;
  }
  colors_gone = 0;
  for (; colors; colors >>= 1) colors_gone += colors & 1;
  if (any) for (at = N_visible; at < N_count; ++at) {
    if ((cells[at] & 15) != NUISANCE) continue;
    if ((at >= N_width && gone[at - N_width] == 1) || (at + N_width < N_count && gone[at + N_width] == 1)
        || (T_column[at] && gone[at - 1] == 1) || (T_column[at] < N_width - 1 && gone[at + 1] == 1)) gone[at] = 2;
  }
  return any;
}

/* lets all in cells fall; whether anything did */
u8 fall(void) {
  static u8 c, from, to, moved;
  moved = 0;
  for (c = 0; c < N_width; ++c) {
    to = from = N_count - N_width + c;
    for (;;) {
      if (cells[from]) {
        if (to != from) { cells[to] = cells[from]; cells[from] = 0; moved = 1; }
        to -= N_width;
      }
      if (from < N_width) break;
      from -= N_width;
    }
  }
  return moved;
}

/* lets what hangs in cells fall by a row; whether anything did */
u8 sink(void) {
  static u8 at, moved;
  moved = 0;
  for (at = N_count - N_width; at;) {
    --at;
    if (cells[at] && !cells[at + N_width]) { cells[at + N_width] = cells[at]; cells[at] = 0; moved = 1; }
  }
  return moved;
}

/* cells tell which neighbours are alike */
void link_cells(void) {
  static u8 at, thing, linked;
  read_from(T_store);
  for (at = 0; at < N_count; ++at) before[at] = cells[at] & 15;
  for (at = 0; at < N_count; ++at) {
    thing = before[at];
    linked = 0;
    if (thing && thing < NUISANCE && at >= N_visible) {
      if (at >= N_width && before[at - N_width] == thing) linked = 0x10;
      if (at + N_width < N_count && before[at + N_width] == thing) linked |= 0x40;
      if (T_column[at] && before[at - 1] == thing) linked |= 0x80;
      if (T_column[at] < N_width - 1 && before[at + 1] == thing) linked |= 0x20;
    }
    cells[at] = thing | linked;
  }
  board_write();
}

u32 points(u8 step) {
  static u8 i, size;
  static u16 bonus, sum;
  bonus = T_power[step > N_powers ? N_powers - 1 : step - 1];
  bonus += (u16)T_power_high[step > N_powers ? N_powers - 1 : step - 1] << 8;
  bonus += T_color_bonus[colors_gone];
  sum = 0;
  for (i = 0; i < groups; ++i) {
    size = sizes[i];
    sum += size;
    if (!N_per_step) bonus += T_group_bonus[size < N_sizes ? size : N_sizes - 1];
  }
  if (N_per_step) bonus += T_group_bonus[sum < N_sizes ? sum : N_sizes - 1];
  if (!bonus) bonus = 1;
  i = bonus > ((u16)N_multiplier_high << 8 | N_multiplier);
  if (i) bonus = (u16)N_multiplier_high << 8 | N_multiplier;
  return (u32)(sum * N_points_unit) * bonus;
}
