; Variants only: the falling pairs, NEXT and the phases in the variant's own form. Between frames only that form is in
; RAM, and the game goes on from it: what is poked there is there.
PLACES = 1
.include "ram.inc"
.export _tell, _listen
.import _SPAWN_FLAG, _SPAWNING, _DELAY, _PHASE, _X, _Y, _TURN, _BOTTOM, _TOP, _NEXT, _turn_x, _turn_y
.import pub_spawn_flag, pub_spawning, pub_delay, pub_phase, pub_x, pub_y, pub_turn
.import pub_axis, pub_partner, pub_next_axis, pub_next_partner

.ifdef DOCUMENTED
    PAIR_STEP = 1
    NEXT_STEP = 2
.else
    PAIR_STEP = SEAT_BYTES
    NEXT_STEP = SEAT_BYTES
.endif

.segment "RODATA"
; codes of the halves; by code, and back
pair_code:
.repeat 11, I
    .byte (I * PAIR_TIMES + PAIR_PLUS) & 255
.endrepeat
pair_of:
.repeat 256, I
    .byte ((I - PAIR_PLUS) & 255) / PAIR_TIMES
.endrepeat
; where the partner is: down, left, up, right
turn_code: .byte CODE_DOWN, CODE_LEFT, CODE_UP, CODE_RIGHT
turn_of:
.repeat 256, I
.if I = CODE_LEFT
    .byte 1
.elseif I = CODE_UP
    .byte 2
.elseif I = CODE_RIGHT
    .byte 3
.else
    .byte 0
.endif
.endrepeat

.segment "CODE"
.macro put value, to
    lda value
    sta to
.endmacro

.macro through table, value, to
    ldx value
    lda table,x
    sta to
.endmacro

.macro clear name, bytes
.repeat bytes, I
    sta name+I
.endrepeat
.endmacro

_tell:
.repeat 2, Q
    ldy _TURN+Q
    lda turn_code,y
    sta pub_turn+Q*PAIR_STEP
    lda _X+Q
    clc
.if PARTNER
    adc _turn_x,y
    clc
.endif
    adc #(FIRST_X - 1) & 255
    sta pub_x+Q*PAIR_STEP
    lda _Y+Q
    clc
.if PARTNER
    adc _turn_y,y
    clc
.endif
    adc #FIRST_Y
    sta pub_y+Q*PAIR_STEP
    through pair_code, _BOTTOM+Q, pub_axis+Q*PAIR_STEP
    through pair_code, _TOP+Q, pub_partner+Q*PAIR_STEP
    through pair_code, _NEXT+2*Q, pub_next_axis+Q*NEXT_STEP
    through pair_code, _NEXT+2*Q+1, pub_next_partner+Q*NEXT_STEP
    put _SPAWNING+Q, pub_spawning+Q*PAIR_STEP
    put _DELAY+Q, pub_delay+Q*PAIR_STEP
    put _PHASE+Q, pub_phase+Q*PAIR_STEP
.endrepeat
    put _SPAWN_FLAG, pub_spawn_flag
    lda #0
    clear _SPAWN_FLAG, 1
    clear _SPAWNING, 2
    clear _DELAY, 2
    clear _PHASE, 2
    clear _X, 2
    clear _Y, 2
    clear _TURN, 2
    clear _BOTTOM, 2
    clear _TOP, 2
    clear _NEXT, 4
    rts

_listen:
.repeat 2, Q
    ldx pub_turn+Q*PAIR_STEP
    ldy turn_of,x
    sty _TURN+Q
    lda pub_x+Q*PAIR_STEP
    sec
.if PARTNER
    sbc _turn_x,y
    sec
.endif
    sbc #(FIRST_X - 1) & 255
    sta _X+Q
    lda pub_y+Q*PAIR_STEP
    sec
.if PARTNER
    sbc _turn_y,y
    sec
.endif
    sbc #FIRST_Y
    sta _Y+Q
    through pair_of, pub_axis+Q*PAIR_STEP, _BOTTOM+Q
    through pair_of, pub_partner+Q*PAIR_STEP, _TOP+Q
    through pair_of, pub_next_axis+Q*NEXT_STEP, _NEXT+2*Q
    through pair_of, pub_next_partner+Q*NEXT_STEP, _NEXT+2*Q+1
    put pub_spawning+Q*PAIR_STEP, _SPAWNING+Q
    put pub_delay+Q*PAIR_STEP, _DELAY+Q
    put pub_phase+Q*PAIR_STEP, _PHASE+Q
.endrepeat
    put pub_spawn_flag, _SPAWN_FLAG

; The decoy: seat 1's field as it was one frame earlier. Nothing reads it.
.if MIRROR
.import mirror
.ifdef LAYOUT
.import pub_field1
.repeat FIELD_SIZE, I
    put pub_field1+I, mirror+I
.endrepeat
.else
.import _FIELD1
.repeat 14, R
.repeat 6, C
    put _FIELD1+16*R+2*C+3, mirror+6*R+C
.endrepeat
.endrepeat
.endif
.endif
    rts
