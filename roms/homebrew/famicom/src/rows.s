; One record of ROWQ: a row of the field as the NMI sends it (addresses, 24 tiles, 4 attributes).
.include "ram.inc"
.export row_header, build_row, build_sign
.import cell_base, cell_palette, quad_tl, quad_tr, quad_bl, quad_br, sign_tiles_lo, sign_tiles_hi
.importzp _p, row_count, t0, t1, t2, t3, t4, t5, vtmp, ptr1

.segment "CODE"
; A new record: addresses of row t0. X = index of the record in ROWQ, also in t4.
row_header:
    lda row_count
    inc row_count
    asl a
    asl a
    asl a
    asl a
    asl a
    tax
    stx t4
    lda t0
    lsr a
    lsr a
    ora #$20
    sta ROWQ,x
    lda t0
    and #3
    lsr a
    ror a
    ror a                   ; (row & 3) * 64
    ora #2
    ldy _p
    beq @p1
    ora #16
@p1:
    sta ROWQ+1,x
    ora #32                 ; bit 5 is free: 64 * n + 2 or 18
    sta ROWQ+14,x
    lda t0
    and #$0E
    asl a
    asl a                   ; (row / 2) * 8
    cpy #0
    beq @left
    ora #4
@left:
    sta t3                  ; index in ATTR
    ora #$C0
    sta ROWQ+27,x
    rts

build_row:
    ldy #0
@cell:
    sty t2
    lda vtmp,y
    and #$0F
    tay
    lda cell_base,y
    sta t5
    lda cell_palette,y
    cpy #15
    bne @base
    ldy t2                  ; burst: shape and palette by the colour in the high nibble
    lda vtmp,y
    lsr a
    lsr a
    lsr a
    lsr a
    tay
    and #1                  ; odd colours are drawn with the palette's first colour, even ones with its second
    eor #1
    clc
    adc t5
    sta t5
    lda cell_palette,y
    ldy t2
    pha
    lda #0
    beq @links
@base:
    pha
    ldy t2
    lda vtmp,y
    lsr a
    lsr a
    lsr a
    lsr a
@links:
    tay
    lda t5
    clc
    adc quad_tl,y
    sta ROWQ+2,x
    lda t5
    clc
    adc quad_tr,y
    sta ROWQ+3,x
    lda t5
    clc
    adc quad_bl,y
    sta ROWQ+15,x
    lda t5
    clc
    adc quad_br,y
    sta ROWQ+16,x
    inx
    inx
    ldy t2
    pla
    sta vtmp,y              ; vtmp becomes the palettes
    iny
    cpy #6
    bne @cell
    jmp row_attributes

build_sign:                 ; sign t5, first or second row
    ldy t5
    lda sign_tiles_lo,y
    sta ptr1
    lda sign_tiles_hi,y
    sta ptr1+1
    ldy #0
    lda t0
    cmp #SIGN_ROW
    beq @upper
    ldy #24
@upper:
    lda #12
    sta t2
@top:
    lda (ptr1),y
    sta ROWQ+2,x
    iny
    inx
    dec t2
    bne @top
    lda #12
    sta t2
@bottom:
    lda (ptr1),y
    sta ROWQ+15-12,x
    iny
    inx
    dec t2
    bne @bottom
    ldx #5
    lda #3
@palette:
    sta vtmp,x
    dex
    bpl @palette

; The palettes in vtmp go to the ATTR copy and to the record. Columns 1 and 6 share bytes with their neighbours.
row_attributes:
    lda vtmp+2
    asl a
    asl a
    ora vtmp+1
    sta t1                  ; columns 2, 3
    lda vtmp+4
    asl a
    asl a
    ora vtmp+3
    sta t2                  ; columns 4, 5
    lda vtmp
    asl a
    asl a
    sta vtmp
    ldx t3
    lda t0
    lsr a
    bcs @odd
    lda ATTR,x
    and #$F3
    ora vtmp
    sta ATTR,x
    lda ATTR+1,x
    and #$F0
    ora t1
    sta ATTR+1,x
    lda ATTR+2,x
    and #$F0
    ora t2
    sta ATTR+2,x
    lda ATTR+3,x
    and #$FC
    ora vtmp+5
    jmp @last
@odd:
    asl vtmp
    asl vtmp
    asl vtmp
    asl vtmp
    lda ATTR,x
    and #$3F
    ora vtmp
    sta ATTR,x
    lda t1
    asl a
    asl a
    asl a
    asl a
    sta t1
    lda ATTR+1,x
    and #$0F
    ora t1
    sta ATTR+1,x
    lda t2
    asl a
    asl a
    asl a
    asl a
    sta t2
    lda ATTR+2,x
    and #$0F
    ora t2
    sta ATTR+2,x
    lda vtmp+5
    asl a
    asl a
    asl a
    asl a
    sta t2
    lda ATTR+3,x
    and #$CF
    ora t2
@last:
    sta ATTR+3,x
    ldy t4
    lda ATTR,x
    sta ROWQ+28,y
    lda ATTR+1,x
    sta ROWQ+29,y
    lda ATTR+2,x
    sta ROWQ+30,y
    lda ATTR+3,x
    sta ROWQ+31,y
    rts
