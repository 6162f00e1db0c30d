; Decimals, the score, the generator of pairs.
.include "ram.inc"
.export _to_decimal, _add_score, _add_blocks, _seed, _deal
.importzp _p, _num, _mult, _grp_cleared, _grp_nuis, t0, t1, t2, t3, t4, t5

CAP = 9999999               ; stored; 99,999,990 on the screen

.segment "RODATA"
ten_0: .byte <1000000, <100000, <10000, <1000, 100, 10, 1
ten_1: .byte >1000000 & 255, >100000 & 255, >10000, >1000, 0, 0, 0
ten_2: .byte ^1000000, ^100000, 0, 0, 0, 0, 0

.segment "CODE"
; void to_decimal(void): num (24 bit, below 10,000,000) as 7 digits at DIGITS
_to_decimal:
    ldx #0
@digit:
    ldy #0
@subtract:
    lda _num
    sec
    sbc ten_0,x
    sta t0
    lda _num+1
    sbc ten_1,x
    sta t1
    lda _num+2
    sbc ten_2,x
    bcc @next
    sta _num+2
    lda t0
    sta _num
    lda t1
    sta _num+1
    iny
    bne @subtract
@next:
    sty DIGITS,x
    inx
    cpx #7
    bne @digit
    rts

; void add_score(void): score of p += grp_cleared * mult, at most CAP
.ifdef SCORE_ZERO
; A variant's: seven digits, a byte each, the highest first; SCORE_ZERO is the digit 0.
_add_score:
    lda _mult
    sta _num
    lda _mult+1
    sta _num+1
    lda #0
    sta _num+2
    jsr _to_decimal
    ldx #0
    lda _p
    beq @first
    ldx #7
@first:
    ldy _grp_cleared
@add:
    clc
.repeat 7, I
    lda SCORE+6-I,x
    adc DIGITS+6-I
    cmp #SCORE_ZERO+10
    bcc :+
    sbc #10
:   sta SCORE+6-I,x
.endrepeat
    bcs @full
    dey
    bne @add
    rts
@full:
    lda #SCORE_ZERO+9
.repeat 7, I
    sta SCORE+I,x
.endrepeat
    rts
.else
_add_score:
    lda _p
    asl a
    adc _p
    tax
    ldy _grp_cleared
@add:
    lda SCORE,x
    clc
    adc _mult
    sta SCORE,x
    lda SCORE+1,x
    adc _mult+1
    sta SCORE+1,x
    bcc @no_carry
    inc SCORE+2,x
@no_carry:
    dey
    bne @add
    lda SCORE,x
    cmp #<CAP
    lda SCORE+1,x
    sbc #>CAP & 255
    lda SCORE+2,x
    sbc #^CAP
    bcc @below
    lda #<CAP
    sta SCORE,x
    lda #>CAP & 255
    sta SCORE+1,x
    lda #^CAP
    sta SCORE+2,x
@below:
    rts
.endif

; void add_blocks(void): block counter of p += grp_cleared + grp_nuis, at most 65,535
_add_blocks:
    ldx _p
    lda _grp_cleared
    clc
    adc _grp_nuis           ; at most 78
    adc BLOCKS_LOW,x
    sta BLOCKS_LOW,x
    bcc @done
    inc BLOCKS_HIGH,x
    bne @done
    lda #$FF
    sta BLOCKS_LOW,x
    sta BLOCKS_HIGH,x
@done:
    rts

; void seed(void): the generator starts from the frame counter alone
_seed:
    ldx #2
@copy:
    lda FRAME,x
    sta RANDOM,x
    dex
    bpl @copy
    lda #$A5                ; never all zero
    sta RANDOM+3
    lda #16
    sta t5
@stir:
    jsr step
    dec t5
    bne @stir
    rts

; xorshift32: x ^= x << 13, x ^= x >> 17, x ^= x << 5
step:
    lda RANDOM              ; t1 t2 t3 = x << 8, then 5 more
    sta t1
    lda RANDOM+1
    sta t2
    lda RANDOM+2
    sta t3
    ldx #5
@left13:
    asl t1
    rol t2
    rol t3
    dex
    bne @left13
    lda RANDOM+1
    eor t1
    sta RANDOM+1
    lda RANDOM+2
    eor t2
    sta RANDOM+2
    lda RANDOM+3
    eor t3
    sta RANDOM+3
    lsr a                   ; x >> 17: bytes 2, 3 down two places and one more bit
    sta t1
    lda RANDOM+2
    ror a
    eor RANDOM
    sta RANDOM
    lda RANDOM+1
    eor t1
    sta RANDOM+1
    lda RANDOM
    sta t0
    lda RANDOM+1
    sta t1
    lda RANDOM+2
    sta t2
    lda RANDOM+3
    sta t3
    ldx #5
@left5:
    asl t0
    rol t1
    rol t2
    rol t3
    dex
    bne @left5
    ldx #3
@mix:
    lda RANDOM,x
    eor t0,x
    sta RANDOM,x
    dex
    bpl @mix
    rts

; unsigned char __fastcall__ deal(unsigned char colours): 1..colours (4, 5 or 6), from 16 random bits times colours
_deal:
    sta t5
    jsr step
    lda RANDOM+2
    sta t0
    lda RANDOM+3
    sta t1
    lda #0
    sta t2                  ; t0 t1 t2 = r
    asl t0
    rol t1
    rol t2                  ; 2 r
    lda t5
    lsr a                   ; 4, 5: 2, 6: 3; carry: 5
    php
    cmp #3
    bne @double
    lda t0                  ; 6 r = 2 * (2 r + r)
    clc
    adc RANDOM+2
    sta t0
    lda t1
    adc RANDOM+3
    sta t1
    lda t2
    adc #0
    sta t2
@double:
    asl t0
    rol t1
    rol t2
    plp
    bcc @done
    lda t0                  ; 5 r = 4 r + r
    clc
    adc RANDOM+2
    sta t0
    lda t1
    adc RANDOM+3
    sta t1
    lda t2
    adc #0
    sta t2
@done:
    ldx t2
    inx
    txa
    ldx #0
    rts
