/* What is around play: power-on, title, demo, menus, pause, game over, a name; and the picture. */
#include "family.h"

static u8 pressed;              /* what is newly pressed */

static u8 mode_of(void) {
  static u8 i, byte;
  byte = *A_mode;
  for (i = 0; i < 10; ++i) if (T_modes[i] == byte) break;
  return i;
}
static void set_mode(u8 mode) {
  *A_mode = T_modes[mode];
  A_wait[0] = A_wait[1] = 0;
}
static u16 count(void) {
  if (!++A_wait[0]) ++A_wait[1];
  return (u16)A_wait[1] << 8 | A_wait[0];
}

static void restart(void) {
  set_phase(IDLE);
  *A_held = *A_new = 0;
  A_dice[0] = 0x5A;
  A_dice[1] = N_seed | 1;
  set_mode(M_BOOT);
}

static void boot(void) {
  if (count() < N_boot) return;
  if (N_high) number_set(A_high, (u32)1000 * (N_tens ? 10 : 1));
  A_letters[0] = A_letters[1] = A_letters[2] = 65;
  A_letters[3] = 0;
  *A_option = 0;
  set_mode(M_TITLE);
}

static void on(void) {
  *A_cursor = N_menu == 1 ? N_menu_from : 0;
  set_mode(N_menu ? M_MENU : M_READY);
}

static void title(void) {
  static u16 passed;
  static u8 star;
  if (N_stir == 1) stir();
  passed = count();
  if (N_decor && !(passed & 3)) for (star = 0; star < 16; star += 4) {
    A_stars[star] += 1 + (star >> 2);
    A_stars[star + 3] = 40 + star * 9;
  }
  if (pressed & ST) {
    *A_cursor = 0;
    A_letters[3] = 1;
    if (N_entry_first) set_mode(M_ENTRY);
    else on();
  } else if (N_demo && passed >= 240) { seat_begin(); set_mode(M_DEMO); }
}

static u8 target(void) {
  static u8 start, offset, c, r, at, best, worth, found;
  hand_get();
  start = random() % N_width;
  read_from(T_store);
  best = found = 0;
  for (offset = 0; offset < N_width; ++offset) {
    c = start + offset;
    if (c >= N_width) c -= N_width;
    at = c;
    for (r = 0; r < N_height && !cells[at]; ++r) at += N_width;
    worth = r;
    if (r > 3 && r < N_height && (cells[at] & 15) == kind[0]) worth += 4;
    if (!offset || worth > best) { best = worth; found = c; }
  }
  return found;
}
/* plays by itself */
static void steer(void) {
  static u8 press;
  if ((u8)(*A_auto + 1) < 10) { ++*A_auto; *A_new = 0; return; }
  *A_auto = 0;
  if (A_auto[1] != A_pieces[0]) {
    A_auto[1] = A_pieces[0];
    A_auto[2] = target();
    press = random() & 1 ? BA : 0;
  } else {
    load_place();
    press = column > (s8)A_auto[2] ? LF : column < (s8)A_auto[2] ? RT : DN;
    if (*A_held == press && press != DN) press = 0;
  }
  *A_new = press & ~*A_held;
  *A_held = press;
}
static void demo(void) {
  if (pressed & ST || count() >= 1200 || *A_phase == T_phases[ENDED]) {
    set_phase(IDLE);
    set_mode(M_TITLE);
    return;
  }
  steer();
  seat_tick();
}

static void menu(void) {
  static u8 at;
  if (N_stir == 1) stir();
  if (!pressed) return;
  if (N_menu == 2) {
    if (pressed & SEL) *A_cursor = (*A_cursor + 1) % 3;
  } else if (pressed & (UP | DN)) *A_cursor = (*A_cursor + (pressed & DN ? 1 : 2)) % 3;
  if (pressed & BB && N_menu != 2) set_mode(M_TITLE);
  else if (pressed & (ST | BA)) {
    at = *A_cursor % 3;
    if (at == 0) set_mode(M_READY);
    else if (at == 1) set_mode(M_OPTIONS);
    else if (N_menu == 3) *A_option = (*A_option + 1) % 3;
  }
}
static void options(void) {
  if (N_stir == 1) stir();
  if (pressed & LF && *A_option) --*A_option;
  else if (pressed & RT && *A_option < 4) ++*A_option;
  else if (pressed & BB || (pressed & ST && N_menu != 3)) set_mode(M_MENU);
}

static void ready(void) {
  static u8 i;
  if (count() < N_ready) return;
  if (N_play_clock) for (i = 0; i < 5; ++i) A_time[i] = 0;
  seat_begin();
  set_mode(M_PLAY);
}

static void seconds(void) {
  static const u8 most[5] = { 0, 10, 10, 6, 10 };
  static u8 digit, more;
  if (++A_time[0] < 60) return;
  A_time[0] = 0;
  for (digit = 4; digit; --digit) {
    more = A_time[digit] + 1;
    A_time[digit] = more % most[digit];
    if (more < most[digit]) break;
  }
}
static void play(void) {
  if (pressed & N_pause) { set_mode(M_PAUSED); return; }
  seat_tick();
  if (N_stir == 2) stir();
  if (N_play_clock) seconds();
  if (*A_phase == T_phases[ENDED]) set_mode(M_OVER);
}

static void over(void) {
  static u16 passed;
  passed = count();
  if (N_curtain) curtain(passed - 1);
  if (passed >= N_over && (pressed & (ST | BA) || (N_over_by_itself && passed >= (u16)N_over + 240))) {
    set_phase(IDLE);
    *A_cursor = A_letters[3] = 0;
    set_mode(N_entry ? M_ENTRY : M_TITLE);
  }
}
static void entry(void) {
  static u8 at;
  at = *A_cursor % 3;
  if (pressed & (UP | DN)) A_letters[at] = (u8)(A_letters[at] - 65 + (pressed & UP ? 1 : 25)) % 26 + 65;
  else if (pressed & BA) ++*A_cursor;
  if (pressed & ST || *A_cursor >= 3) {
    *A_cursor = 0;
    if (A_letters[3]) on();
    else set_mode(M_TITLE);
  }
}

/* what goes on in any game: every eighth frame */
static void live(u8 now) {
  static u8 i, note;
  if (!now) ++A_clock[1];
  for (i = 0; i < N_clocks; ++i) *(u8*)((u16)T_clocks[2 * i] | (u16)T_clocks[2 * i + 1] << 8) += 1 + i;
  note = *A_music + 1 & 63;
  *A_music = note;
  if (!(note & 3)) {
    A_music[1] += 3;
    A_music[2] = 0x80 | note * 7 & 31;
    A_music[4] = now ^ 0x5A;
  }
  *A_scroll = now >> 3;
  *(u8*)0x200 = 0xF0;
}

static void read_pad(u8 now) {
  static u8 raw, was;
  if (N_poll != 1 && now % N_poll) { *A_new = 0; return; }
  raw = pad;
  if (N_debounce) {
    was = *A_raw;
    *A_raw = raw;
    if (raw != was) raw = *A_held;
  }
  *A_new = raw & ~*A_held;
  *A_held = raw;
}

/* ---- the picture: a line that tells the mode, then a row of the field in each frame ---- */
extern u8 line_high, line_low, line_length, line[32], sprites_on;
static u8 drawn;
static void draw(u8 mode) {
  static u8 c, at, playing;
  playing = mode == M_DEMO || mode >= M_PLAY && mode <= M_OVER;
  sprites_on = playing;
  ++drawn;
  if (drawn > N_height) drawn = 0;
  if (drawn == N_height) {
    line_high = 0x20;
    line_low = 0x64;
    line[0] = 0x80 + mode;
    line[1] = 0x90 + *A_cursor % 16;
    line[2] = 0x90 + *A_option % 16;
    for (c = 0; c < 3; ++c) line[3 + c] = mode == M_ENTRY ? A_letters[c] : 1;
    for (; c < 11; ++c) line[3 + c] = playing && c - 3 < N_number_size ? A_score[c - 3] : 1;
    line_length = 14;
    return;
  }
  at = T_row_start[drawn];
  line_high = 0x20 + (drawn + 7 >> 3);
  line_low = (drawn + 7 << 5) + 10;
  for (c = 0; c < N_width; ++c, ++at) {
    static u8 value;
    value = T_back[*(u8*)((u16)T_seen[at] | (u16)T_seen[at + MOST] << 8)] & 15;
    line[c] = playing && drawn >= N_hidden ? 16 + value * 8 : 1;
  }
  line_length = N_width;
}

void main(void) {
  static u8 now;
  if (warm) restart();
  for (;;) {
    wait();
    now = ++*A_clock;
    if (!(now & 7)) live(now);
    read_pad(now);
    pressed = *A_new;
    switch (mode_of()) {
      case M_BOOT: boot(); break;
      case M_TITLE: title(); break;
      case M_DEMO: demo(); break;
      case M_MENU: menu(); break;
      case M_OPTIONS: options(); break;
      case M_READY: ready(); break;
      case M_PLAY: play(); break;
      case M_PAUSED: if (pressed & N_pause) set_mode(M_PLAY); break;
      case M_OVER: over(); break;
      case M_ENTRY: entry(); break;
    }
    draw(mode_of());
  }
}
