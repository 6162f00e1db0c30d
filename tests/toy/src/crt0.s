; Kakera: iNES header, reset, NMI. The main loop queues what is to be drawn, the NMI draws it.
.import _main
.importzp sp
.export __STARTUP__ : absolute = 1
.export _show, _queue
.exportzp _mask

PPUCTRL   = $2000
PPUMASK   = $2001
PPUSTATUS = $2002
PPUSCROLL = $2005
PPUADDR   = $2006
PPUDATA   = $2007
FRAME     = $0682               ; NMIs since reset, 16 bits (README.md has all addresses)
CSTACK    = $0800               ; the C stack grows down from here

.segment "HEADER"
    .byte "NES", $1A, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0    ; 16 KiB PRG, 8 KiB CHR, mapper 0

.zeropage
ready:  .res 1                  ; 1: the queue is complete, the NMI may draw; the NMI sets it back to 0
_mask:  .res 1                  ; PPUMASK from the next NMI on

.bss
_queue: .res 112                ; (address high, address low, count, bytes ...) ..., 0

.segment "STARTUP"
reset:
    sei
    cld
    ldx #$FF
    txs
    inx
    stx PPUCTRL                 ; no NMI
    stx PPUMASK                 ; no picture
    stx $4010                   ; no DMC interrupt
    stx $4015                   ; no sound
    lda #$40
    sta $4017                   ; no frame interrupt
    lda #0                      ; all RAM starts as 0; nothing is on the stack yet
    tax
clear:
    .repeat 8, PAGE
    sta PAGE * $100,x
    .endrepeat
    inx
    bne clear
    lda #<CSTACK
    sta sp
    lda #>CSTACK
    sta sp+1
    bit PPUSTATUS
    jsr vblank
    jsr vblank                  ; the PPU listens from its second vblank on
    lda #$80
    sta PPUCTRL                 ; NMI on, for good
    jmp _main

vblank:
    bit PPUSTATUS
    bpl vblank
    rts

; void show(void): hand the queue to the next NMI and wait until it is drawn
.code
_show:
    lda #1
    sta ready
@wait:
    lda ready
    bne @wait
    rts

nmi:
    pha
    txa
    pha
    tya
    pha
    inc FRAME
    bne @counted
    inc FRAME+1
@counted:
    lda ready
    beq @leave                  ; the main loop is still thinking, or loads a screen: hands off the PPU
    bit PPUSTATUS
    ldy #0
@entry:
    lda _queue,y
    beq @drawn
    sta PPUADDR
    lda _queue+1,y
    sta PPUADDR
    ldx _queue+2,y
@byte:
    lda _queue+3,y
    sta PPUDATA
    iny
    dex
    bne @byte
    iny
    iny
    iny
    bne @entry
@drawn:
    sta PPUSCROLL
    sta PPUSCROLL
    sta ready
    lda #$80
    sta PPUCTRL
    lda _mask
    sta PPUMASK
@leave:
    pla
    tay
    pla
    tax
    pla
irq:
    rti

.segment "VECTORS"
    .word nmi, reset, irq
