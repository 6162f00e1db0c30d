; Single cells, clearing, falling.
; A cell's offset in a field page is 16 * row + 2 * column + 1 (its code), one less for its links.
.include "ram.inc"
.export _clear_marked, _fall_one, _legal, _lowest
.importzp _fptr, _lx, _ly, t0, t1, t6

.segment "CODE"
; offset of (lx, ly) -> Y. Keeps X.
cell_offset:
    lda _ly
    asl a
    asl a
    asl a
    asl a
    sec
    rol _lx                 ; 2 * x + 1
    ora _lx
    lsr _lx
    tay
    rts

; unsigned char legal(void): may half a pair be at (lx, ly)?
_legal:
    lda _ly
    cmp #14                 ; -1, the ceiling, is 255
    bcs @no
    jsr cell_offset
    ldx #0
    lda (_fptr),y
    beq @yes
@no:
    lda #0
    tax
    rts
@yes:
    lda #1
    rts

; unsigned char lowest(void): the row in which something dropped from (lx, ly) comes to rest
_lowest:
    jsr cell_offset
    ldx _ly
@next:
    cpx #13
    beq @done
    tya
    clc
    adc #16
    tay
    lda (_fptr),y
    bne @done
    inx
    bne @next
@done:
    txa
    ldx #0
    rts

; void clear_marked(void): empty the marked cells
_clear_marked:
    lda #1
    sta t0
@row:
    lda t0
    ora #MARKS
    tay
    lda (_fptr),y
    beq @next
    sta t1
    lda #0
    sta (_fptr),y
    lda t0
    asl a
    asl a
    asl a
    asl a
    tay
    lsr t1                  ; column 0
@cell:
    iny
    iny
    lsr t1
    bcc @kept
    lda #0
    sta (_fptr),y
    iny
    sta (_fptr),y
    dey
@kept:
    lda t1
    bne @cell
@next:
    inc t0
    lda t0
    cmp #14
    bne @row
    rts

; unsigned char fall_one(void): everything above a hole falls one row; returns whether anything moved.
; A cell that moves loses its links, and so do its neighbours to it.
_fall_one:
    lda #0
    sta t6
    ldy #$DD                ; row 13, column 6
@cell:
    lda (_fptr),y
    bne @next
    sty t0
    tya
    sec
    sbc #16
    tay
    lda (_fptr),y
    beq @back
    inc t6
    tax
    lda #0
    sta (_fptr),y           ; code and links above
    dey
    sta (_fptr),y
    iny
    iny                     ; right neighbour's links
    lda (_fptr),y
    and #7
    sta (_fptr),y
    dey
    dey
    dey
    dey                     ; left neighbour's
    lda (_fptr),y
    and #13
    sta (_fptr),y
    ldy t0
    txa
    sta (_fptr),y
    dey
    lda #0
    sta (_fptr),y
@back:
    ldy t0
@next:
    dey
    dey
    tya
    and #$0E
    bne @cell
    tya
    sec
    sbc #4
    tay
    cpy #$10
    bcs @cell               ; rows 13..1
    lda t6
    beq @still
    lda #1
@still:
    ldx #0
    rts
