; Redraws the stack from the field in RAM: rows that differ from what was drawn go to ROWQ, at most 4 a frame
; (3 when there is text, 2 when time is short). A cell is drawn from one byte: low nibble the code, high nibble its links;
; 9..14 = startled colour 1..6, 15 = burst (high nibble the colour), $F0 + n = sign n.
.include "ram.inc"
.export _draw_field, _forget_field
.import _heavy, row_header, build_row, build_sign
.importzp _p, _fptr, row_count, _str_len, _draw_next_row, _blink_style, _sign, _danger
.importzp t0, t1, t2, t3, t4, t5, t6, t7, vtmp

FEAR_ROWS = 7               ; rows above this one are high

.segment "RODATA"
shadow_at:  .repeat 14, R
            .byte (R - 1) * 6 & 255
            .endrepeat

.segment "CODE"
; void forget_field(void): everything of player p is redrawn
_forget_field:
    ldx #78
    lda _p
    beq @first
    ldx #156
@first:
    ldy #78
    lda #$FE
@next:
    dex
    sta SHADOW,x
    dey
    bne @next
    rts

; void draw_field(void): look at all 13 rows of player p, from the bottom up, starting where the last call stopped
_draw_field:
    lda #13
    sta t7                  ; rows still to look at
    lda #4
    ldx _str_len
    beq @limit
    lda #3
@limit:
    ldx _heavy
    beq @time
    lda #2                  ; two players, little time left
@time:
    sta t6
    ldx _p
    lda _draw_next_row,x
    bne @row
    lda #13
@row:
    sta t0                  ; row 1..13
    lda row_count
    cmp t6
    bcs @full
    jsr draw_row
    dec t0
    bne @more
    lda #13
    sta t0
@more:
    lda t0
    dec t7
    bne @row
@full:
    ldx _p
    lda t0
    sta _draw_next_row,x
    rts

; Row t0: compare, and queue it when it changed.
draw_row:
    ldx t0
    ldy shadow_at,x
    lda _p
    beq @p1
    tya
    clc
    adc #78
    tay
@p1:
    sty t1                  ; index in SHADOW
    ldx _p
    lda _sign,x
    beq @cells
    lda t0
    cmp #SIGN_ROW
    beq @under_sign
    cmp #SIGN_ROW+1
    bne @cells
@under_sign:
    jmp @sign

@cells:
    lda _blink_style,x
    sta t5
    lda _danger,x           ; t4: those without joints are startled here
    ldy t0
    cpy #FEAR_ROWS
    bcc @fear
    lda #0
@fear:
    sta t4
    lda t0
    clc
    adc #MARKS
    tay
    lda (_fptr),y
    lsr a
    sta t2                  ; bit 0 = column 1 is marked
    lda t0
    asl a
    asl a
    asl a
    asl a
    ora #3
    tay                     ; the code of column 1
    ldx #0
@cell:
    lda (_fptr),y
    beq @store              ; empty
    colour_of
    cmp #7
    bcs @plain
    sta t3
    lsr t2
    bcc @linked
    lda t5
    beq @linked
    lsr a
    bcs @startled
    lda t3                  ; style 2: burst
    asl a
    asl a
    asl a
    asl a
    ora #$0F
    bne @store2
@startled:
    lda t3
    adc #7                  ; carry is set: + 8
    bne @store2
@linked:
    dey
    lda (_fptr),y
    iny
    asl a
    asl a
    asl a
    asl a
    beq @alone
    ora t3
@store2:
    sta vtmp,x
    iny
    iny
    inx
    cpx #6
    bne @cell
    beq @compare
@alone:
    lda t4
    cmp #1                  ; carry: afraid
    lda t3
    bcc @store2
    adc #7                  ; + 8
    bne @store2
@plain:
    lsr t2
    bcc @plain_shown
    lda t5
    cmp #2
    lda #0
    bcs @keep               ; marked nuisance bursts to nothing
    lda #7
    bne @keep
@plain_shown:
    lda (_fptr),y
    colour_of
    and #$0F
@keep:
    sta vtmp,x
    iny
    iny
    inx
    cpx #6
    bne @cell
    beq @compare
@store:
    lsr t2
    sta vtmp,x
    iny
    iny
    inx
    cpx #6
    bne @cell

@compare:
    lda t0                  ; an empty spawn cell shows its cross
    cmp #1
    bne @no_cross
    lda vtmp+2
    bne @no_cross
    lda #8
    sta vtmp+2
@no_cross:
    ldx #0
    ldy t1
@same:
    lda vtmp,x
    cmp SHADOW,y
    bne @changed
    iny
    inx
    cpx #6
    bne @same
    rts

@sign:
    lda _sign,x
    sta t5
    ora #$F0
    ldy t1
    cmp SHADOW,y
    bne @new_sign
    rts
@new_sign:
    ldx #6
@fill:
    sta SHADOW,y
    iny
    dex
    bne @fill
    jsr row_header
    jmp build_sign

@changed:
    ldx #0
    ldy t1
@copy:
    lda vtmp,x
    sta SHADOW,y
    iny
    inx
    cpx #6
    bne @copy
    jsr row_header
    jmp build_row
