; PC Engine: start-up, interrupts, and what C can't write: the video chip's ports are at addresses of the zero page.
.setcpu "HuC6280"
.import _main, _tiles
.importzp sp
.export __STARTUP__ : absolute = 1
.export _game := $2200
.export _game2 := $2300
.export _ticked, _video_address, _video_tile, _video_write, _video_start, _video_control, _control
.include "tiles.inc"

VIDEO   := $0000                ; reading: the state; ST0 writes the register's number, ST1 and ST2 its value
TIMER   := $0C01
IRQS    := $1402

.segment "BSS"
_ticked:        .res 1
_video_address: .res 2
_video_tile:    .res 1
_control:       .res 1

.segment "STARTUP"
reset:
    sei
    csh
    cld
    lda #$FF
    tam #$01                    ; 0000: the ports
    lda #$F8
    tam #$02                    ; 2000: RAM
    lda #1
    tam #$10                    ; 8000, A000, C000: the card's pages 1 to 3
    inc a
    tam #$20
    inc a
    tam #$40
    ldx #$FF
    txs
    stz $2000
    tii $2000, $2001, $1FFF
    stz TIMER
    lda #$05                    ; only the video chip interrupts
    sta IRQS
    lda #<$4000
    sta sp
    lda #>$4000
    sta sp+1
    cli
    jmp _main

blank:
    pha
    lda a:VIDEO                 ; takes the request back
    lda #1
    sta _ticked
    pla
none:
    rti

; The upper byte of a name is 1: tiles begin at the video chip's word 1000.
_video_write:
    st0 #0
    lda _video_address
    sta a:$0002
    lda _video_address+1
    sta a:$0003
    st0 #2
    lda _video_tile
    sta a:$0002
    st2 #1
    rts

_video_control:
    st0 #5
    lda _control
    sta a:$0002
    st2 #0
    rts

.macro register number, value
    st0 #number
    st1 #<value
    st2 #>value
.endmacro

_video_start:
    register $06, $0000
    register $07, $0000
    register $08, $0000
    register $09, $0000         ; a map of 32 x 32
    register $0A, $0202         ; 256 pixels
    register $0B, $031F
    register $0C, $0F02         ; 240 lines
    register $0D, $00EF
    register $0E, $0003
    register $0F, $0000
    register $00, $1000
    st0 #2
    tia _tiles, $0002, TILES_SIZE
    rts

.segment "VECTORS"
    .word none, blank, none, none, reset
