@ Game Boy Advance: start-up. The header after the jump is written by pack.py.
    .section .start, "ax"
    .arm
    .global _start
_start:
    b start
    .space 188
start:
    mov r0, #0x12               @ the stack of interrupts, which never come
    msr cpsr_c, r0
    ldr sp, =0x03007FA0
    mov r0, #0x1F
    msr cpsr_c, r0
    ldr sp, =0x03007F00
    mov r0, #0
    ldr r1, =__bss_start
    ldr r2, =__bss_end
1:  cmp r1, r2
    strlo r0, [r1], #4
    blo 1b
    mov r1, #0x02000000         @ the game (a literal would make mGBA take this for a program that runs in RAM)
    add r2, r1, #0x100
2:  str r0, [r1], #4
    cmp r1, r2
    blo 2b
    ldr r0, =main
    bx r0
    .pool

    .section .text.halt, "ax"
    .thumb
    .thumb_func
    .global halt
halt:
    swi 2                       @ until an interrupt is due
    bx lr
