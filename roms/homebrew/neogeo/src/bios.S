| A minimal system ROM for the Neo Geo MVS: enough for this game, and for other homebrew cartridges that use the
| documented calls in the usual way. Starts at 0xC00000.
|
| The addresses of calls and variables are public knowledge (the NeoGeo Development Wiki, "BIOS RAM locations"); the
| code is our own.

        .include "bios.inc"

        .equ    STACK, 0x0010F300

| variables of our own, in the part of work RAM that belongs to the system
        .equ    coins_before, 0x0010FE00        | coin switches of the last SYSTEM_IO, 1 = closed

        .section .text
        .long   STACK
        .long   reset
        .rept   23
        .long   halt
        .endr
        .long   interrupt_1, interrupt_2, interrupt_3
        .rept   36
        .long   halt
        .endr

        .macro  call at, routine
        .org    \at
        bra.w   \routine
        .endm

        call    0x402, reset                   | SYSTEM_RESET
        call    0x438, interrupt_1             | SYSTEM_INT1
        call    0x43E, interrupt_2             | SYSTEM_INT2
        call    0x444, system_return           | SYSTEM_RETURN
        call    0x44A, system_io               | SYSTEM_IO
        call    0x450, credit_check            | CREDIT_CHECK
        call    0x456, credit_down             | CREDIT_DOWN
        call    0x45C, nothing                 | READ_CALENDAR
        call    0x462, nothing                 | SETUP_CALENDAR
        call    0x468, no_card                 | CARD
        call    0x46E, nothing                 | CARD_ERROR
        call    0x474, nothing                 | HOW_TO_PLAY
        call    0x4C2, fix_clear               | FIX_CLEAR
        call    0x4C8, lsp_1st                 | LSP_1st
        call    0x4CE, nothing                 | MESS_OUT
        call    0x4D4, nothing                 | CONTROLLER_SETUP
        .org    0x500
reset:  move.w  #0x2700,%sr
        move.b  %d0,WATCHDOG
        lea     STACK,%sp
        move.w  #0,LSPC_MODE
        move.w  #7,IRQ_ACK
        moveq   #0,%d1
        lea     0x100000,%a0                    | work RAM
        move.w  #0x3FFF,%d0
1:      move.l  %d1,(%a0)+
        dbra    %d0,1b
        move.b  %d0,WATCHDOG
        move.w  #0,VRAM_ADDRESS                 | tiles and fix map
        move.w  #1,VRAM_STEP
        move.w  #0x7FFF,%d0
2:      move.w  %d1,VRAM_DATA
        dbra    %d0,2b
        move.b  %d0,WATCHDOG
        move.b  %d0,PALETTE_BANK_1
        bsr     clear_palettes
        move.b  %d0,PALETTE_BANK_0
        bsr     clear_palettes
        move.b  %d0,WATCHDOG
        jsr     lsp_1st
        jsr     fix_clear
        move.b  %d0,SHADOW_OFF

        move.b  %d0,SRAM_UNLOCK                 | no credits to begin with
        move.w  %d1,CREDITS
        move.b  %d0,SRAM_LOCK

        move.b  #0x80,BIOS_MVS_FLAG
        move.b  #2,BIOS_COUNTRY_CODE            | Europe: English text
        move.b  %d0,CART_VECTORS
        move.b  %d0,CART_FIX
        bra     call_user                       | request 0: start-up

| The cartridge is done with a request. After start-up comes the eye-catcher, if the cartridge has one of its own (ours
| is nothing); after that and all others the demo, or with credits the title.
system_return:
        move.w  #0x2700,%sr
        clr.b   BIOS_SYSTEM_MODE
        moveq   #2,%d0
        move.b  BIOS_USER_REQUEST,%d1
        beq     1f
        cmpi.b  #1,%d1
        beq     2f
        tst.b   CREDITS
        beq     2f
        moveq   #3,%d0
        bra     2f
1:      cmpi.b  #1,0x000114
        bne     2f
        moveq   #1,%d0
2:      move.b  %d0,BIOS_USER_REQUEST
call_user:
        lea     STACK,%sp
        clr.b   BIOS_USER_MODE
        cmpi.b  #2,BIOS_USER_REQUEST
        bcs     3f
        move.b  #1,BIOS_USER_MODE
3:      move.b  #0x80,BIOS_SYSTEM_MODE
        jmp     0x000122                        | USER

| VBlank for cartridges that leave it to us. Reached by a jump from their handler.
interrupt_1:
        move.w  #4,IRQ_ACK
        move.b  %d0,WATCHDOG
        bsr     system_io
        rte
interrupt_2:
        move.w  #2,IRQ_ACK
        rte
interrupt_3:
        move.w  #1,IRQ_ACK
        rte
halt:   move.w  #0x2700,%sr                     | the watchdog starts us again
        move.w  #0x4F00,BACKDROP
        bra     halt

| Reads pads, start buttons and coins; once a frame.
system_io:
        movem.l %d0-%d7/%a0-%a6,-(%sp)
        lea     BIOS_P1STATUS,%a0
        move.b  0x300000,%d0
        bsr     one_pad
        lea     BIOS_P2STATUS,%a0
        move.b  0x340000,%d0
        bsr     one_pad
        move.b  0x380000,%d0                    | start and select
        not.b   %d0
        andi.b  #0x0F,%d0
        move.b  BIOS_STATCURNT,%d1
        not.b   %d1
        and.b   %d0,%d1
        move.b  %d0,BIOS_STATCURNT
        move.b  %d1,BIOS_STATCHANGE
        move.b  0x320001,%d0                    | coins
        not.b   %d0
        andi.b  #3,%d0
        move.b  coins_before,%d2
        not.b   %d2
        and.b   %d0,%d2
        move.b  %d0,coins_before
        lsr.b   #1,%d2
        bcc     1f
        bsr     coin
1:      lsr.b   #1,%d2
        bcc     2f
        bsr     coin
2:      move.b  BIOS_STATCHANGE,%d3
        moveq   #1,%d4
        lea     BIOS_PLAYER_MOD1,%a3
        btst    #0,%d3
        beq     3f
        bsr     player_start
3:      moveq   #2,%d4
        lea     BIOS_PLAYER_MOD2,%a3
        btst    #2,%d3
        beq     4f
        bsr     player_start
4:      movem.l (%sp)+,%d0-%d7/%a0-%a6
        rts

| %d0: a pad's switches, 0 = closed; %a0: its STATUS. Repeats count down in TIMER: 16 frames, then every 8.
one_pad:
        not.b   %d0
        move.b  #1,(%a0)
        move.b  2(%a0),%d1
        move.b  %d1,1(%a0)                      | PREVIOUS
        move.b  %d0,2(%a0)                      | CURRENT
        not.b   %d1
        and.b   %d0,%d1
        move.b  %d1,3(%a0)                      | CHANGE
        move.b  %d1,4(%a0)                      | REPEAT
        tst.b   %d0
        beq     2f
        cmp.b   1(%a0),%d0
        bne     1f
        subq.b  #1,5(%a0)
        bne     2f
        move.b  %d0,4(%a0)
        move.b  #8,5(%a0)
        rts
1:      move.b  #16,5(%a0)
2:      rts

coin:   move.b  CREDITS,%d0
        cmpi.b  #0x99,%d0
        beq     1f
        moveq   #1,%d1
        andi.b  #0xEF,%ccr
        abcd    %d1,%d0
        bsr     set_credits
1:      tst.b   BIOS_USER_MODE                  | not before the cartridge is set up
        beq     2f
        movem.l %d2,-(%sp)
        jsr     0x000134                        | COIN_SOUND
        movem.l (%sp)+,%d2
2:      rts

set_credits:
        move.b  %d0,SRAM_UNLOCK
        move.b  %d0,CREDITS
        move.b  %d0,SRAM_LOCK
        rts

| A start button: tell the cartridge when there is a credit or the free play switch is on. %d4: the player's bit,
| %a3: the player's PLAYER_MOD. The cartridge clears the bit in START_FLAG when it doesn't want the player.
player_start:
        tst.b   BIOS_USER_MODE
        beq     2f
        cmpi.b  #1,(%a3)
        beq     2f
        btst    #6,0x300001
        beq     1f
        tst.b   CREDITS
        beq     2f
1:      move.b  %d4,BIOS_START_FLAG
        movem.l %d3-%d4/%a3,-(%sp)
        jsr     0x000128                        | PLAYER_START
        movem.l (%sp)+,%d3-%d4/%a3
        and.b   BIOS_START_FLAG,%d4
        beq     2f
        bsr     take_credit
2:      rts

take_credit:
        move.b  CREDITS,%d0
        beq     1f
        moveq   #1,%d1
        andi.b  #0xEF,%ccr
        sbcd    %d1,%d0
        bsr     set_credits
1:      rts

| CREDIT_DEC, one BCD byte for each player: what can't be paid becomes 0. One counter serves all.
credit_check:
        movem.l %d0-%d1/%a0,-(%sp)
        lea     BIOS_CREDIT_DEC,%a0
        moveq   #3,%d1
1:      move.b  CREDITS,%d0
        cmp.b   (%a0),%d0
        bcc     2f
        clr.b   (%a0)
2:      addq.l  #1,%a0
        dbra    %d1,1b
        movem.l (%sp)+,%d0-%d1/%a0
        rts

credit_down:
        movem.l %d0-%d2/%a0,-(%sp)
        bsr     credit_check
        lea     BIOS_CREDIT_DEC,%a0
        move.b  CREDITS,%d0
        moveq   #3,%d1
1:      andi.b  #0xEF,%ccr
        move.b  (%a0)+,%d2
        sbcd    %d2,%d0
        bcc     2f
        moveq   #0,%d0
2:      dbra    %d1,1b
        bsr     set_credits
        movem.l (%sp)+,%d0-%d2/%a0
        rts

no_card:
        move.b  #0x80,0x0010FDC6                | CARD_ANSWER: there is none
nothing:
        rts

| The fix map: tile 0FF, the columns at the edges 020.
fix_clear:
        movem.l %d0-%d2,-(%sp)
        move.w  #0x7000,VRAM_ADDRESS
        move.w  #1,VRAM_STEP
        moveq   #39,%d1
1:      move.w  #0x00FF,%d2
        tst.w   %d1
        beq     2f
        cmpi.w  #39,%d1
        bne     3f
2:      move.w  #0x0020,%d2
3:      moveq   #31,%d0
4:      move.w  %d2,VRAM_DATA
        dbra    %d0,4b
        dbra    %d1,1b
        move.b  %d0,WATCHDOG
        movem.l (%sp)+,%d0-%d2
        rts

| All sprites: full size, no height, no tiles in the first one's column.
lsp_1st:
        movem.l %d0-%d1,-(%sp)
        move.w  #1,VRAM_STEP
        moveq   #0,%d1
        move.w  #0,VRAM_ADDRESS
        moveq   #63,%d0
1:      move.w  %d1,VRAM_DATA
        dbra    %d0,1b
        move.w  #0x8000,VRAM_ADDRESS
        move.w  #0x1FF,%d0
2:      move.w  #0x0FFF,VRAM_DATA
        dbra    %d0,2b
        move.w  #0x3FF,%d0                      | 8200 and 8400: places and heights
3:      move.w  %d1,VRAM_DATA
        dbra    %d0,3b
        move.b  %d0,WATCHDOG
        movem.l (%sp)+,%d0-%d1
        rts

clear_palettes:
        lea     0x400000,%a0
        move.w  #0x07FF,%d0
1:      move.l  %d1,(%a0)+
        dbra    %d0,1b
        rts
        .section .note.GNU-stack,"",%progbits
