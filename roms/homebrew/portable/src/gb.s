; Game Boy: start-up. The header from 0134 on, with its checksum, is written by pack.py.
	.module start
	.globl	_main, _game, _gray
_game	=	0xC100

	.area	_HEADER (ABS)
	.org	0x100
	nop
	jp	0x150
	.org	0x150
	di
	ld	b, a			; 11: a console with colours
	ld	hl, #0xC000
clear:
	xor	a
	ld	(hl+), a
	ld	a, h
	cp	#0xE0
	jr	nz, clear
	ld	sp, #0xE000
	ld	a, b
	sub	#0x11
	ld	(_gray), a
	jp	_main

	.area	_HOME
	.area	_CODE
	.area	_INITIALIZER
	.area	_GSINIT
	.area	_GSFINAL
	.area	_DATA
	.area	_INITIALIZED
	.area	_BSS
	.area	_HEAP
