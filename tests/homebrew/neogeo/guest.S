| A cartridge such as others write them, for our system ROM: it is built by test_system.py. Assembled with OWN_VBLANK
| it answers the vertical blank itself and calls SYSTEM_IO, without it it leaves all to SYSTEM_INT1.
| It notes in work RAM what it sees:
        .equ    REQUESTS, 0x100000      | 16 bytes: every request, + 1
        .equ    COUNT, 0x100010         | how many
        .equ    LOOPS, 0x100012         | passes of the main loop
        .equ    COINS, 0x100014         | calls of COIN_SOUND
        .equ    STARTS, 0x100015        | calls of PLAYER_START
        .equ    BLANKS, 0x100016        | vertical blanks seen here
        .equ    SEEN, 0x100020          | P1STATUS.., then P2's, then STATCURNT, STATCHANGE: or-ed together over all passes
        .equ    NOW, 0x100040           | the same as they are

        .text
        .long   0x0010F300, 0x00C00402
        .rept   23
        .long   0x00C00402
        .endr
        .long   blank, timer, timer
        .rept   36
        .long   0x00C00402
        .endr
        .ascii  "NEO-GEO\0"
        .word   0x1234
        .long   0x00020000, 0x0010F000
        .word   0
        .byte   1, 0                    | the eye-catcher is the cartridge's own
        .long   0x200, 0x200, 0x200
        .org    0x122
        bra.w   user
        .org    0x128
        bra.w   player_start
        .org    0x12E
        bra.w   nothing
        .org    0x134
        bra.w   coin_sound
        .org    0x200
        .ascii  "GUEST           "
        .fill   16, 1, 0xFF
        .org    0x400
user:   move.w  COUNT,%d1
        lea     REQUESTS,%a0
        move.b  0x10FDAE,%d0
        addq.b  #1,%d0
        move.b  %d0,(%a0,%d1.w)
        addq.w  #1,COUNT
        cmpi.b  #3,%d0
        bcc     demo
        jmp     0xC00444                | SYSTEM_RETURN
demo:   jsr     0xC004C8                | LSP_1st
        jsr     0xC004C2                | FIX_CLEAR
        move.w  #0x7FFF,0x400002
        move.w  #1,0x3C0004
        move.w  #0x7000+20*32+16,0x3C0000
        move.w  #0x0041,0x3C0002        | an A in the middle
        move.w  #7,0x3C000C
        move.w  #0x2000,%sr
loop:   addq.w  #1,LOOPS
        lea     0x10FD94,%a0
        lea     SEEN,%a1
        lea     NOW,%a2
        moveq   #11,%d1
1:      move.b  (%a0)+,%d0
        move.b  %d0,(%a2)+
        or.b    %d0,(%a1)+
        dbra    %d1,1b
        move.b  0x10FDAC,%d0
        move.b  %d0,(%a2)+
        or.b    %d0,(%a1)+
        move.b  0x10FDAD,%d0
        move.b  %d0,(%a2)+
        or.b    %d0,(%a1)+
        tst.b   NOW+2                   | D of player 1: back to the system
        bpl     loop
        move.w  #0x2700,%sr
        jmp     0xC00444

        .ifdef  OWN_VBLANK
blank:  btst    #7,0x10FD80             | BIOS_SYSTEM_MODE: is the blank ours?
        bne     2f
        jmp     0xC00438
2:      movem.l %d0-%d7/%a0-%a6,-(%sp)
        move.w  #4,0x3C000C
        move.b  %d0,0x300001
        addq.w  #1,BLANKS
        jsr     0xC0044A                | SYSTEM_IO
        movem.l (%sp)+,%d0-%d7/%a0-%a6
        rte
        .else
blank:  addq.w  #1,BLANKS
        jmp     0xC00438                | SYSTEM_INT1
        .endif
timer:  rte
coin_sound:
        addq.b  #1,COINS
nothing:
        rts
player_start:
        addq.b  #1,STARTS
        rts
        .section .note.GNU-stack,"",%progbits
