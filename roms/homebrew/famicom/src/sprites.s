; The sprite list in page 2, written by the main loop, sent by the NMI.
.include "ram.inc"
.export _spr_begin, _spr_end, _spr_16, _spr_8, _spr_32
.importzp _sx, _sy, _stile, _sattr, oam_pos, t0, t1

BEHIND = $20
FLIPPED = $40

.segment "CODE"
_spr_begin:
    lda #0
    sta oam_pos
    rts

; void spr_end(void): the rest of the list out of sight (all $FF, so that nothing looks like an early line).
; At most 63 sprites are ever drawn, so position 0 means none.
_spr_end:
    ldx oam_pos
    lda #$FF
@hide:
    sta OAM,x
    inx
    bne @hide
    rts

; void spr_16(void): 2 x 2 tiles stile.. at pixel (sx, sy). The first 16 lines lie behind the frame's top edge.
_spr_16:
    ldx oam_pos
    lda _sattr
    ldy _sy
    cpy #16
    bcs @front
    ora #BEHIND
@front:
    sta OAM+2,x
    sta OAM+6,x
    sta OAM+10,x
    sta OAM+14,x
    dey                     ; a sprite is shown one line below its Y
    tya
    sta OAM,x
    sta OAM+4,x
    clc
    adc #8
    sta OAM+8,x
    sta OAM+12,x
    ldy _stile
    tya
    sta OAM+1,x
    iny
    tya
    sta OAM+5,x
    iny
    tya
    sta OAM+9,x
    iny
    tya
    sta OAM+13,x
    lda _sx
    sta OAM+3,x
    sta OAM+11,x
    clc
    adc #8
    sta OAM+7,x
    sta OAM+15,x
    txa
    clc
    adc #16
    sta oam_pos
    rts

; void spr_32(void): 4 x 4 tiles at pixel (sx, sy) from 8 of a left half, two in a line. Behind the frame's edges.
_spr_32:
    lda #4
    sta t0                  ; lines to go
    lda _stile
    sta t1
    ldy _sy
    ldx oam_pos
@line:
    lda _sattr
    cpy #16
    bcc @behind
    cpy #224
    bcc @front
@behind:
    ora #BEHIND
@front:
    sta OAM+2,x
    sta OAM+6,x
    ora #FLIPPED
    sta OAM+10,x
    sta OAM+14,x
    dey                     ; a sprite is shown one line below its Y
    tya
    sta OAM,x
    sta OAM+4,x
    sta OAM+8,x
    sta OAM+12,x
    clc
    adc #9
    tay
    lda t1
    sta OAM+1,x
    sta OAM+13,x
    clc
    adc #1
    sta OAM+5,x
    sta OAM+9,x
    adc #1
    sta t1
    lda _sx
    sta OAM+3,x
    clc
    adc #8
    sta OAM+7,x
    adc #8
    sta OAM+11,x
    adc #8
    sta OAM+15,x
    txa
    clc
    adc #16
    tax
    dec t0
    bne @line
    stx oam_pos
    rts

; void spr_8(void): one tile
_spr_8:
    ldx oam_pos
    ldy _sy
    dey
    tya
    sta OAM,x
    lda _stile
    sta OAM+1,x
    lda _sattr
    sta OAM+2,x
    lda _sx
    sta OAM+3,x
    txa
    clc
    adc #4
    sta oam_pos
    rts
