; Loading whole screens with the picture off, queueing text, reading the pads.
.include "ram.inc"
.export _load_screen, _load_palette, _str_begin, _str_byte, _str_end, _read_pads, _cell_tiles
.import strq, popa, popax, cell_base, quad_tl, quad_tr, quad_bl, quad_br
.importzp ptr1, _ppuctrl, _str_len, _pad, _fresh, t0, t1, t2, t3

.segment "BSS"
str_start: .res 1

.segment "CODE"
; void __fastcall__ load_screen(const void *nametable): 1 KB; the attributes are remembered in ATTR. Picture off only.
_load_screen:
    sta ptr1
    stx ptr1+1
    lda PPUSTATUS
    lda #$20
    sta PPUADDR
    lda #0
    sta PPUADDR
    ldx #4
    ldy #0
@copy:
    lda (ptr1),y
    sta PPUDATA
    iny
    bne @copy
    inc ptr1+1
    dex
    bne @copy
    dec ptr1+1
    ldy #$C0
@attr:
    lda (ptr1),y
    sta ATTR-$C0,y
    iny
    bne @attr
    rts

; void __fastcall__ load_palette(const void *bytes32). Picture off only.
_load_palette:
    sta ptr1
    stx ptr1+1
    lda PPUSTATUS
    lda #$3F
    sta PPUADDR
    lda #0
    sta PPUADDR
    tay
@copy:
    lda (ptr1),y
    sta PPUDATA
    iny
    cpy #32
    bne @copy
    rts

; void __fastcall__ str_begin(unsigned addr), str_byte(unsigned char tile), str_end(void): one entry of the text queue.
; The caller keeps str_len + 3 + bytes <= 32.
_str_begin:
    ldy _str_len
    sta strq+1,y
    txa
    sta strq,y
    sty str_start
    iny
    iny
    iny
    sty _str_len
    rts

_str_byte:
    ldy _str_len
    sta strq,y
    inc _str_len
    rts

_str_end:
    ldy _str_len
    lda #0
    sta strq,y
    tya
    clc
    sbc str_start           ; len - start - 1
    sec
    sbc #2
    ldy str_start
    sta strq+2,y
    rts

; void __fastcall__ cell_tiles(unsigned char code): the four tiles of an unlinked cell, to t0..t3 (_tiles in C)
_cell_tiles:
    tay
    lda cell_base,y
    clc
    adc quad_tl
    sta t0
    lda cell_base,y
    clc
    adc quad_tr
    sta t1
    lda cell_base,y
    clc
    adc quad_bl
    sta t2
    lda cell_base,y
    clc
    adc quad_br
    sta t3
    rts

; void read_pads(void). Nothing uses the DMC, so one read is enough; Famicom expansion pads (bit 1) count too.
_read_pads:
    lda _pad
    sta t0
    lda _pad+1
    sta t1
    ldx #1
    stx JOY1
    stx _pad+1
    dex
    stx JOY1
@bit:
    lda JOY1
    and #$03
    cmp #1
    rol _pad
    lda JOY2
    and #$03
    cmp #1
    rol _pad+1
    bcc @bit
    ldx #1
@fresh:
    lda t0,x
    eor #$FF
    and _pad,x
    sta _fresh,x
    dex
    bpl @fresh
    rts
