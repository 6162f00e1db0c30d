; Super Famicom: start-up and interrupts. The processor stays in the mode in which it is a 6502.
.setcpu "65816"
.import _main
.importzp sp
.export __STARTUP__ : absolute = 1
.export _game := $0200
.export _game2 := $0300
.export _ticked

.segment "BSS"
_ticked: .res 1

.segment "STARTUP"
reset:
    sei
    cld
    lda #$80
    sta $2100                   ; no picture
    stz $4200                   ; no interrupts
    ldx #$FF
    txs
    inx
@page:
    stz $00,x
    stz $0100,x
    inx
    bne @page
    lda #>$0200                 ; the rest of 8 KiB
    sta $01
    ldy #0
    tya
@clear:
    sta ($00),y
    iny
    bne @clear
    inc $01
    ldx $01
    cpx #$20
    bne @clear
    stz $01
    ldx #$01                    ; the picture's registers; INIDISP stays
@video:
    stz $2100,x
    stz $2100,x                 ; those of two bytes
    inx
    cpx #$34
    bne @video
    lda #<$2000
    sta sp
    lda #>$2000
    sta sp+1
    jmp _main

blank:
    pha
    lda $4210                   ; takes the request back
    lda #1
    sta _ticked
    pla
none:
    rti

.segment "VECTORS"
    .word none, none, none, none, none, none    ; of the other mode
    .word 0, 0
    .word none, none, none, blank, reset, none
