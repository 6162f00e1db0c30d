; a little runtime: frame wait, pad, picture queue, sprites
 .import _main, copydata, zerobss, __DATA_LOAD__
 .importzp sp
 .export __STARTUP__ : absolute = 1
 .export _wait, _queue, _qlen, _pad, _held, _oam, _ticks, _ppu_off, _ppu_on
 .exportzp _z0
 .segment "HEADER"
 .ifdef BATTERY
 .byte "NES",$1a,2,1,3,0
 .else
 .byte "NES",$1a,2,1,1,0
 .endif
 .res 8
 .segment "ZEROPAGE"
_z0: .res 1
_ticks: .res 2
_pad: .res 1
_held: .res 1
last: .res 1
_qlen: .res 1
on: .res 1
_queue = $0120
_oam = $0200
 .exportzp _ticks, _pad, _held, _qlen
 .segment "STARTUP"
reset: sei
 cld
 ldx #$ff
 txs
 inx
 stx $2000
 stx $2001
 bit $2002
w1: bit $2002
 bpl w1
 lda #0
c: sta 0,x
 sta $100,x
 sta $300,x
 sta $400,x
 sta $500,x
 sta $600,x
 sta $700,x
 inx
 bne c
 lda #$f0
o: sta $200,x
 inx
 bne o
w2: bit $2002
 bpl w2
 jsr zerobss
 jsr copydata
 lda #<$0800
 sta sp
 lda #>$0800
 sta sp+1
 jmp _main
_ppu_off: lda #0
 sta $2000
 sta $2001
 sta on
 rts
_ppu_on: lda #0
 sta $2005
 sta $2005
 lda #$80
 sta $2000
 lda #$1e
 sta $2001
 sta on
 rts
nmi: pha
 txa
 pha
 tya
 pha
 inc _ticks
 bne t
 inc _ticks+1
t: lda on
 beq out
 lda #2
 sta $4014
 ldx #0
q: cpx _qlen
 beq qd
 lda _queue,x
 sta $2006
 lda _queue+1,x
 sta $2006
 lda _queue+2,x
 sta $2007
 inx
 inx
 inx
 bne q
qd: lda #0
 sta _qlen
 sta $2005
 sta $2005
 lda #$80
 sta $2000
out: pla
 tay
 pla
 tax
 pla
irq: rti
_wait: lda _ticks
wl: cmp _ticks
 beq wl
 lda _held
 sta last
 lda #1
 sta $4016
 lsr a
 sta $4016
 ldx #8
p: lda $4016
 lsr a
 rol _held
 dex
 bne p
 lda last
 eor #$ff
 and _held
 sta _pad
 rts
 .segment "VECTORS"
 .word nmi, reset, irq
 .segment "CHARS"
 .incbin "tiles.chr"
