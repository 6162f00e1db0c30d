| The cartridge's header, interrupts and the few routines that are better in assembly.

        .include "bios.inc"

        .globl  user
        .section .header,"ax"
        .long   0x0010F300
        .long   0x00C00402
        .rept   23
        .long   halt
        .endr
        .long   interrupt_1, interrupt_2, interrupt_3
        .rept   36
        .long   halt
        .endr
        .ascii  "NEO-GEO\0"                     | 100
        .word   0x7067                          | NGH number, ours
        .long   0x00020000                      | size of the program ROM
        .long   0x0010F000                      | debug area: unused RAM
        .word   0
        .byte   2                               | 114: no eye-catcher
        .byte   0
        .long   options, options, options
        .org    0x122
        .macro  entry at, routine
        .org    \at
        bra.w   \routine
        .endm
        entry   0x122, user
        entry   0x128, player_start
        entry   0x12E, nothing                  | DEMO_END
        entry   0x134, coin_sound
        .org    0x182                           | security code: the system ROMs of real machines look for it
        .long   0
        .org    0x200
options:
        .ascii  "TOGETAMA        "              | software switches: none
        .word   0xFFFF, 0xFFFF
        .byte   0xFF, 0xFF
        .fill   10, 1, 0

        .text
| The system calls this with a request: 0 is start-up; all others begin the attract mode, which never returns.
user:   lea     0x10F300,%sp
        tst.b   BIOS_USER_REQUEST
        bne     1f
        jmp     SYSTEM_RETURN
1:      cmpi.b  #2,BIOS_USER_REQUEST
        bcc     2f
        jmp     SYSTEM_RETURN
2:      lea     __bss_start,%a0
        lea     __bss_end,%a1
3:      clr.w   (%a0)+
        cmpa.l  %a1,%a0
        bcs     3b
        move.w  #7,IRQ_ACK
        move.w  #0x2000,%sr
        jmp     main

player_start:                                   | START is looked at in the menus; a credit is taken there
        clr.b   BIOS_START_FLAG
nothing:
        rts
coin_sound:
        move.b  #1,coin_heard
        rts

        .globl  coin_heard
        .lcomm  coin_heard, 2

interrupt_1:
        tst.b   BIOS_SYSTEM_MODE
        bmi     1f
        jmp     SYSTEM_INT1
1:      move.w  #4,IRQ_ACK
        move.b  %d0,WATCHDOG
        addq.b  #1,tick
        rte
interrupt_2:
        move.w  #2,IRQ_ACK
        rte
interrupt_3:
        move.w  #1,IRQ_ACK
        rte
halt:   bra     halt

| void read_pads(void): the system reads the switches into its variables
        .globl  read_pads
read_pads:
        movem.l %d2-%d7/%a2-%a6,-(%sp)
        jsr     SYSTEM_IO
        movem.l (%sp)+,%d2-%d7/%a2-%a6
        rts

| void credit_down(void): what CREDIT_DEC names is taken
        .globl  credit_down
credit_down:
        movem.l %d2-%d7/%a2-%a6,-(%sp)
        jsr     CREDIT_DOWN
        movem.l (%sp)+,%d2-%d7/%a2-%a6
        rts

| void send_queue(u32 *first, u32 *end): address and data words to video RAM, 34 cycles each
        .globl  send_queue
send_queue:
        move.l  4(%sp),%a0
        move.l  8(%sp),%d0
        lea     VRAM_ADDRESS,%a1
        bra     2f
1:      move.l  (%a0)+,(%a1)
2:      cmp.l   %a0,%d0
        bne     1b
        rts

| u32 __mulsi3(u32 a, u32 b): the compiler's multiplication. (libgcc's division isn't for the 68000: none is used.)
        .globl  __mulsi3
__mulsi3:
        move.w  4(%sp),%d0                      | a high * b low
        mulu.w  10(%sp),%d0
        move.w  6(%sp),%d1                      | + a low * b high
        mulu.w  8(%sp),%d1
        add.w   %d1,%d0
        swap    %d0
        clr.w   %d0
        move.w  6(%sp),%d1                      | + a low * b low
        mulu.w  10(%sp),%d1
        add.l   %d1,%d0
        rts

| u16 divide(u32 a, u16 b): a / b, which must fit 16 bits
        .globl  divide
divide: move.l  4(%sp),%d0
        divu.w  10(%sp),%d0
        andi.l  #0xFFFF,%d0
        rts

| void fill(void *to, u8 value, u16 count)
        .globl  fill
fill:   move.l  4(%sp),%a0
        move.b  11(%sp),%d0
        move.w  14(%sp),%d1
        bra     2f
1:      move.b  %d0,(%a0)+
2:      dbra    %d1,1b
        rts
        .section .note.GNU-stack,"",%progbits
