; What C is too slow for or cannot say: start, frames, the pad, the picture, the field in RAM.
 .import _main
 .import __BSS_RUN__, __BSS_SIZE__
 .importzp sp
 .export __STARTUP__ : absolute = 1
 .export _wait, _read_from, _write_to, _set_value, _stir
 .export _line_high, _line_low, _line_length, _line, _sprites_on, _cells
 .exportzp _pad, _warm, _at_cell, _rests, _wide
 .include "params.inc"
MOST = 84
SHADOW = $7E00                  ; sprites on their way to the picture
HIDDEN = $7F00                  ; what a console does not show
 .segment "HEADER"
 .byte "NES",$1a,2,1,1,0
 .res 8
 .segment "ZEROPAGE"
magic: .res 1                   ; $C0: $A5 once the game runs
done: .res 1                    ; $C1: counts the steps that are done
ticks: .res 1
on: .res 1
_pad: .res 1
_warm: .res 1
_at_cell: .res 2
_rests: .res 1
_wide: .res 1
low: .res 2
high: .res 2
index: .res 1
value: .res 1
byte: .res 1
clock: .res 2
 .segment "KEEP"
mark: .res 4
 .segment "BSS"
_cells: .res MOST
_line: .res 32
_line_high: .res 1
_line_low: .res 1
_line_length: .res 1
_sprites_on: .res 1

 .segment "STARTUP"
reset: sei
 cld
 ldx #$ff
 txs
 inx
 stx $2000
 stx $2001
 stx on
 stx magic
 bit $2002
w1: bit $2002
 bpl w1
w2: bit $2002
 bpl w2
 lda #0                         ; the program's own RAM
 tax
zr: sta $7800,x
 sta $7900,x
 sta $7a00,x
 sta $7b00,x
 inx
 bne zr
z2: sta $7c00,x
 inx
 cpx #$f0
 bne z2
 sta _warm
 ldx #3
k: lda mark,x
 cmp marks,x
 bne cold
 dex
 bpl k
 inc _warm
 jmp ready
cold: ldx #3
k2: lda marks,x
 sta mark,x
 dex
 bpl k2
 lda #0                         ; the cartridge's RAM
 sta low
 lda #$60
 sta low+1
 lda #0
 tay
c1: sta (low),y
 iny
 bne c1
 inc low+1
 ldx low+1
 cpx #$78
 bne c1
 ldx #0
i1: lda T_image,x               ; work RAM as the machine has it; not the stack, not what this program needs
 cpx #$c0
 bcs i2
 sta 0,x
i2: lda T_image+$200,x
 sta $200,x
 lda T_image+$300,x
 sta $300,x
 lda T_image+$400,x
 sta $400,x
 lda T_image+$500,x
 sta $500,x
 lda T_image+$600,x
 sta $600,x
 lda T_image+$700,x
 sta $700,x
 lda T_hidden,x
 sta HIDDEN,x
 inx
 bne i1
ready: lda #<SHADOW
 sta sp
 lda #>SHADOW
 sta sp+1
 ldx #0
 lda #$f0
s1: sta SHADOW,x
 inx
 bne s1
 jsr blank
 lda #0
 sta done
 lda #$a5
 sta magic
 lda #$80
 sta $2000
 lda #$1e
 sta $2001
 lda ticks
 inc on
 jmp _main
marks: .byte "KEPT"

blank: lda #$3f
 sta $2006
 lda #0
 sta $2006
 tax
p1: lda colors,x
 sta $2007
 inx
 cpx #32
 bne p1
 lda #$20
 sta $2006
 lda #0
 sta $2006
 ldy #4
 tax
n1: lda #1
 cpy #1
 bne n2
 cpx #$c0
 bcc n2
 lda #0
n2: sta $2007
 inx
 bne n1
 dey
 bne n1
 sty $2005
 sty $2005
 rts
colors: .byte $0f,$16,$2a,$30, $0f,$11,$28,$30, $0f,$14,$2c,$30, $0f,$00,$10,$30
 .byte $0f,$16,$2a,$30, $0f,$11,$28,$30, $0f,$14,$2c,$30, $0f,$00,$10,$30

nmi: pha
 txa
 pha
 inc ticks
 lda on
 beq out
 lda #>SHADOW
 sta $4014
 lda _line_length
 beq scroll
 lda _line_high
 sta $2006
 lda _line_low
 sta $2006
 ldx #0
l1: lda _line,x
 sta $2007
 inx
 cpx _line_length
 bne l1
 lda #0
 sta _line_length
scroll: lda #0
 sta $2005
 sta $2005
 lda #$80
 sta $2000
out: pla
 tax
 pla
irq: rti

; the end of a step: shows the sprites, waits for the next frame, reads the pad
_wait: ldx #47
v: lda #$f0
 ldy _sprites_on
 beq v2
 lda $200,x
v2: sta SHADOW,x
 dex
 bpl v
 inc done
 lda ticks
wl: cmp ticks
 beq wl
 lda #1
 sta $4016
 lsr a
 sta $4016
 ldx #8
p: lda $4016
 lsr a
 rol _pad
 dex
 bne p
 rts

; one step of the random numbers: a register of 16 bits
_stir: lda A_dice
 sta low
 lda A_dice+1
 sta low+1
 ldy #1
 lda (low),y
 dey
 ora (low),y
 beq nought
 iny
 lda (low),y
 lsr a
 sta (low),y
 dey
 lda (low),y
 ror a
 sta (low),y
 bcc stirred
 iny
 lda (low),y
 eor #$b4
 sta (low),y
stirred: rts
nought: lda #$e1
 sta (low),y
 iny
 lda #$ac
 sta (low),y
 rts

table: sta low                  ; A, X: a table of low bytes, then of high bytes
 stx low+1
 clc
 adc #MOST
 sta high
 txa
 adc #0
 sta high+1
 ldy #0
 rts

; cells = the values at these places
_read_from: jsr table
r1: lda (low),y
 sta _at_cell
 lda (high),y
 sta _at_cell+1
 sty index
 ldy #0
 lda (_at_cell),y
 tax
 ldy index
 lda T_back,x
 sta _cells,y
 iny
 cpy N_count
 bne r1
 rts

; writes those of cells that differ from what is at these places
_write_to: jsr table
t1: lda (low),y
 sta _at_cell
 lda (high),y
 sta _at_cell+1
 sty index
 ldy #0
 lda (_at_cell),y
 tax
 ldy index
 lda T_back,x
 cmp _cells,y
 bne t2
 and #15
 beq t3
 lda N_rest
 beq t3
 txa
 and N_rest
 bne t3
t2: lda _cells,y
 jsr _set_value
 ldy index
t3: iny
 cpy N_count
 bne t1
 rts

; writes the value A at _at_cell
_set_value: sta value
 tax
 lda T_write,x
 sta byte
 txa
 and #15
 beq store
 lda _rests
 beq junk
 lda byte
 ora N_rest
 sta byte
junk: lda N_junk
 beq store
 lda A_clock                    ; the clock times $55
 sta clock
 lda A_clock+1
 sta clock+1
 ldy #0
 lda (clock),y
 sta clock
 asl a
 asl a
 clc
 adc clock                      ; times 5
 sta clock
 asl a
 asl a
 asl a
 asl a
 clc
 adc clock                      ; times 85
 and N_junk
 ora byte
 sta byte
store: ldy #0
 lda byte
 sta (_at_cell),y
 lda _wide
 beq written
 txa
 and #3
 eor N_second
 iny
 sta (_at_cell),y
written: rts
 .segment "VECTORS"
 .word nmi, reset, irq
 .segment "CHARS"
 .incbin "tiles.chr"
