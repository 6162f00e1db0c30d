; Master System and Game Gear: start-up and interrupts. The header at 7FF0 is written by pack.py.
	.module start
	.globl	_main, _game, _game2, _ticked, _paused
_game	=	0xC100
_game2	=	0xC200

	.area	_HEADER (ABS)
	.org	0
	di
	im	1
	jp	0x100
	.org	0x38			; the vertical blank; reading the state takes the request back
	push	af
	in	a, (0xBF)
	ld	a, #1
	ld	(_ticked), a
	pop	af
	ei
	ret
	.org	0x66			; the Master System's pause button
	push	af
	ld	a, #1
	ld	(_paused), a
	pop	af
	retn
	.org	0x100
	ld	hl, #0xC000
	ld	de, #0xC001
	ld	bc, #0x1FFF
	ld	(hl), #0
	ldir
	ld	sp, #0xDFF0
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
