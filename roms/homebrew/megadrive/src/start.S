| The cartridge's vectors, header, start-up and the few routines that are better in assembly.

        .section .header,"ax"
        .long   0x00FFFE00, start
        .rept   26
        .long   halt
        .endr
        .long   nothing, halt, vertical, halt           | levels 4 (line), 5, 6 (vertical blank), 7
        .rept   32
        .long   halt
        .endr
        .ascii  "SEGA MEGA DRIVE "                      | 100: what the console's start-up code looks for
        .ascii  "OCHIBOT 2026.NOV"
        .ascii  "NIJIDAMA                                        "
        .ascii  "NIJIDAMA                                        "
        .ascii  "GM OCHIBOT-015"
        .ascii  "\0\0"                                  | 18E: checksum, put in by pack.py
        .ascii  "JD              "
        .long   0, 0                                    | 1A0: the ROM's first and last byte; the last by pack.py
        .long   0x00FF0000, 0x00FFFFFF
        .ascii  "            "                          | no battery RAM
        .ascii  "            "
        .ascii  "                                        "
        .ascii  "JUE             "                      | 1F0: all regions

        .text
        .globl  start
start:  move.w  #0x2700,%sr
        move.b  0xA10001,%d0                            | consoles with a lock want to read SEGA
        andi.b  #15,%d0
        beq     1f
        move.l  #0x53454741,0xA14000
1:      move.w  #0x100,0xA11100                         | the Z80's bus is ours for good: FM is driven from here
        move.w  #0x100,0xA11200
3:      btst    #0,0xA11100
        bne     3b
        move.b  #0x40,0xA10009                          | both pads: TH is an output
        move.b  #0x40,0xA1000B
        lea     0xFF0000,%a0
        move.w  #0x3FFF,%d0
        moveq   #0,%d1
2:      move.l  %d1,(%a0)+
        dbra    %d0,2b
        jmp     main

vertical:
        addq.b  #1,tick
nothing:
        rte
halt:   bra     halt

| void interrupts_on(void)
        .globl  interrupts_on
interrupts_on:
        move.w  #0x2000,%sr
        rts

| u32 __mulsi3(u32 a, u32 b): the compiler's multiplication. (libgcc's division isn't for the 68000: none is used.)
        .globl  __mulsi3
__mulsi3:
        move.w  4(%sp),%d0                              | a high * b low
        mulu.w  10(%sp),%d0
        move.w  6(%sp),%d1                              | + a low * b high
        mulu.w  8(%sp),%d1
        add.w   %d1,%d0
        swap    %d0
        clr.w   %d0
        move.w  6(%sp),%d1                              | + a low * b low
        mulu.w  10(%sp),%d1
        add.l   %d1,%d0
        rts

| u16 divide(u32 a, u16 b): a / b, which must fit 16 bits
        .globl  divide
divide: move.l  4(%sp),%d0
        divu.w  10(%sp),%d0
        andi.l  #0xFFFF,%d0
        rts

| u16 modulo(u32 a, u16 b): what a / b leaves; a / b must fit 16 bits
        .globl  modulo
modulo: move.l  4(%sp),%d0
        divu.w  10(%sp),%d0
        clr.w   %d0
        swap    %d0
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
