; iNES header, reset, vectors.
.include "ram.inc"
.import _main, nmi
.importzp sp
.export __STARTUP__ : absolute = 1

.segment "HEADER"
    .byte "NES", $1A, 2, 1, 1, 0        ; 32 KB PRG, 8 KB CHR, vertical mirroring, mapper 0

.segment "STARTUP"
reset:
    sei
    cld
    ldx #$40
    stx JOY2                            ; no frame IRQ
    ldx #$FF
    txs
    inx
    stx PPUCTRL
    stx PPUMASK
    stx $4010                           ; no DMC IRQ
    stx $4015                           ; all channels off
    bit PPUSTATUS
@warm1:
    bit PPUSTATUS
    bpl @warm1
    txa
@clear:
    sta $0000,x
    sta $0100,x
.if OAM <> $0200
    sta $0200,x
.endif
    sta $0300,x
    sta $0400,x
    sta $0500,x
    sta $0600,x
    sta $0700,x
    inx
    bne @clear
    lda #$FF
@oam:
    sta OAM,x
    inx
    bne @oam
    ldx #$13                            ; silence: length counters, sweeps, volumes
    lda #0
@apu:
    sta $4000,x
    dex
    bpl @apu
    lda #$30
    sta $4000
    sta $4004
    sta $400C
    lda #$08
    sta $4001
    sta $4005
    lda #$0F
    sta $4015
@warm2:
    bit PPUSTATUS
    bpl @warm2
    lda #<CSTACK_TOP
    sta sp
    lda #>CSTACK_TOP
    sta sp+1
    jmp _main

irq:
    rti

.segment "VECTORS"
    .word nmi, reset, irq
