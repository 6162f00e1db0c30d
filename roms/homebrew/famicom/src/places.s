; Variants only: where everything is. DOCUMENTED: at the shipped cartridge's addresses; else where the linker puts it.
PLACES = 1
.include "ram.inc"

; place NAME, bytes, the shipped cartridge's address, segment
.macro place name, bytes, shipped, area
    .export name : absolute
.ifdef DOCUMENTED
    name := shipped
.else
    .segment area
    name: .res bytes
.endif
.endmacro

; reserve NAME, bytes, segment: the linker's choice in any case
.macro reserve name, bytes, area
    .export name
    .segment area
    name: .res bytes
.endmacro

    place _MODE, 1, $6F, "GAME"
    place _LEVEL, 1, $70, "GAME"
    place _STATE, 1, $0700, "GAME"
    place _COLOURS, 1, $0701, "GAME"
    place _FRAME, 3, $0702, "GAME"
    place _MENU_ROW, 1, $0709, "GAME"
    place _OVERRUN, 2, $070A, "GAME"
    place _SPROVER, 2, $070C, "GAME"
    place _ITEMS, 1, $070E, "GAME"
    place _INTERVAL, 1, $070F, "GAME"
    place _RANDOM, 4, $0710, "GAME"
    place _MUSIC, 1, $0714, "GAME"
    place _LIMIT, 1, $071B, "GAME"
    place _LOSER, 1, $071C, "GAME"
    place _DICE, 4, $06E0, "GAME"
    place _OTHER_RANDOM, 4, $06E4, "GAME"
.ifdef SCORE_ZERO
    reserve _SCORE, 14, "TALLY"
.else
    place _SCORE, 6, $7A, "SCORES"
.endif
    place _BLOCKS_LOW, 2, $0695, "SCORES"
    place _BLOCKS_HIGH, 2, $0699, "SCORES"
    place _CHAIN, 2, $0707, "SCORES"
    place _PENDING, 2, $0715, "SCORES"
    place _WINS, 2, $0717, "SCORES"
    place _REMAINDER, 2, $0719, "SCORES"
    place _DROP, 2, $0631, "MOTION"
    place _SPRITE_X, 2, $0645, "MOTION"
    place _SPRITE_Y, 2, $064D, "MOTION"
    place _SHADOW, 156, $0720, "DRAWN"

.exportzp digits            ; to_decimal needs them in page zero
.export _DIGITS : absolute
.ifdef DOCUMENTED
    digits = $87
.else
    .segment "ZP2": zeropage
    digits: .res 9
.endif
    _DIGITS := digits

.export _SPRITES
_SPRITES := OAM

.ifdef LAYOUT
    reserve _ATTR, 64, "COLOURING"
    reserve work_field, 238, "WORKFIELD"
    reserve saved_marks, 28, "MARKING"
    place pub_field1, FIELD_SIZE, $0300, "FIELDS"
    place pub_field2, FIELD_SIZE, $0400, "FIELDS"
.if HIDDEN_APART
    reserve hidden1, 6, "HIDDEN"
    reserve hidden2, 6, "HIDDEN"
.endif
.else
    place _ATTR, 64, $0500, "COLOURING"
    place _FIELD1, 238, $0300, "FIELD1"
    place _FIELD2, 238, $0400, "FIELD2"
.endif
.if MIRROR
    reserve mirror, MIRROR_SIZE, "MIRROR"
.endif

; --- what published.s tells. Seat 2's byte is PAIR_STEP on, of NEXT: NEXT_STEP.
.ifdef DOCUMENTED
    PAIR_STEP = 1
    NEXT_STEP = 2
.else
    PAIR_STEP = SEAT_BYTES
    NEXT_STEP = SEAT_BYTES
.endif
.export PAIR_STEP, NEXT_STEP

.macro pair_places
.if SWAP_PAIR
    place pub_partner, 1, $0679, "SEATS"
    place pub_axis, 1, $067D, "SEATS"
.else
    place pub_axis, 1, $0679, "SEATS"
    place pub_partner, 1, $067D, "SEATS"
.endif
.endmacro

.macro next_places
.if SWAP_NEXT
    place pub_next_partner, 1, $67, "SEATS"
    place pub_next_axis, 1, $68, "SEATS"
.else
    place pub_next_axis, 1, $67, "SEATS"
    place pub_next_partner, 1, $68, "SEATS"
.endif
.endmacro

.macro motion_places
    place pub_x, 1, $0669, "SEATS"
    place pub_y, 1, $066D, "SEATS"
    place pub_turn, 1, $06D5, "SEATS"
.endmacro

.macro phase_places
    place pub_phase, 1, $0705, "SEATS"
    place pub_spawning, 1, $0605, "SEATS"
    place pub_delay, 1, $0615, "SEATS"
.endmacro

    place pub_spawn_flag, 1, $4A, "GAME"
.if RAM_ORDER = 2
    next_places
    phase_places
    pair_places
    motion_places
.else
    phase_places
    motion_places
    pair_places
    next_places
.endif
.ifndef DOCUMENTED
    .segment "SEATS"
    .res 2 * SEAT_BYTES - 10            ; the rest of seat 1's bytes, then seat 2's
.endif

; --- within a frame
    reserve _SPAWN_FLAG, 1, "WORKING"
    reserve _SPAWNING, 2, "WORKING"
    reserve _DELAY, 2, "WORKING"
    reserve _PHASE, 2, "WORKING"
    reserve _X, 2, "WORKING"
    reserve _Y, 2, "WORKING"
    reserve _TURN, 2, "WORKING"
    reserve _BOTTOM, 2, "WORKING"
    reserve _TOP, 2, "WORKING"
    reserve _NEXT, 4, "WORKING"
