; The NMI: sprite DMA, at most 4 field rows and 32 bytes of text. Everything the PPU is told while the picture is
; on is told here. Worst case below 2,200 cycles (the README says how it is counted).
.include "ram.inc"
.export nmi, _wait_frame, _nmi_load, strq
.importzp vram_ready, nmi_mode, _ppuctrl, _ppumask, row_count, _str_len

ROW_SIZE = 32               ; address high, low, 12 tiles, low of the second line, 12 tiles, attribute low, 4 attributes

.segment "BSS"
strq:   .res 36             ; (address high, low, count, bytes...)..., 0

.segment "CODE"
nmi:
    pha
    txa
    pha
    tya
    pha
    inc FRAME
    bne @counted
    inc FRAME+1
    bne @counted
    inc FRAME+2
@counted:
    lda nmi_mode
    bne @live
    jmp @leave
@live:
    lda vram_ready
    bne @draw
    inc OVERRUN             ; the main loop has not finished its frame
    bne @to_leave
    inc OVERRUN+1
@to_leave:
    jmp @leave

@draw:
    lda PPUSTATUS           ; resets the address latch; bit 5: sprite overflow in the frame just shown
    and #$20
    beq @no_overflow
    inc SPROVER
    bne @no_overflow
    inc SPROVER+1
@no_overflow:
    ldx #0
    stx OAMADDR
    lda #>OAM
    sta OAMDMA
    ldy row_count
    bne @row
    jmp @text
@row:
    lda ROWQ,x
    sta PPUADDR
    lda ROWQ+1,x
    sta PPUADDR
.repeat 12, I
    lda ROWQ+2+I,x
    sta PPUDATA
.endrepeat
    lda ROWQ,x
    sta PPUADDR
    lda ROWQ+14,x
    sta PPUADDR
.repeat 12, I
    lda ROWQ+15+I,x
    sta PPUDATA
.endrepeat
    lda #$23
    sta PPUADDR
    lda ROWQ+27,x
    sta PPUADDR
.repeat 4, I
    lda ROWQ+28+I,x
    sta PPUDATA
.endrepeat
    txa
    clc
    adc #ROW_SIZE
    tax
    dey
    beq @text
    jmp @row

@text:
    ldx #0
    lda strq
    beq @scroll
@entry:
    sta PPUADDR
    lda strq+1,x
    sta PPUADDR
    ldy strq+2,x
@byte:
    lda strq+3,x
    sta PPUDATA
    inx
    dey
    bne @byte
    inx
    inx
    inx
    lda strq,x
    bne @entry

@scroll:
    sta row_count           ; A = 0
    sta strq
    sta _str_len
    sta vram_ready
    sta PPUSCROLL
    sta PPUSCROLL
    lda _ppuctrl
    sta PPUCTRL
    lda _ppumask
    sta PPUMASK
@leave:
    pla
    tay
    pla
    tax
    pla
    rti

; void wait_frame(void): hand the queued frame over, come back when it is on its way
_wait_frame:
    lda #1
    sta vram_ready
@wait:
    lda vram_ready
    bne @wait
    rts

; void __fastcall__ nmi_load(unsigned char on): 1 = the NMI only counts frames, 0 = it draws again (and waits for one frame)
_nmi_load:
    cmp #0
    beq @draw
    lda #0
    sta nmi_mode
    rts
@draw:
    lda #1
    sta vram_ready
    sta nmi_mode
    jmp _wait_frame
