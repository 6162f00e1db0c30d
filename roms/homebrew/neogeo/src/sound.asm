; The sound program (Z80, YM2610): effects on the SSG's three channels, the tune on three FM channels and ADPCM-A drums.
; Commands from the 68000 are those of sound.h. Everything happens in a loop that timer B paces, about 60 times a second.

RAM:        equ 0xf800
queue:      equ 0xf800          ; 8 commands
queue_in:   equ 0xf808
queue_out:  equ 0xf809
mixer:      equ 0xf80a          ; SSG register 7
bank:       equ 0xf80b          ; CHIP_A or CHIP_B: what is written goes there; A except for a moment
channels:   equ 0xf810          ; of the SSG: 3 times timer, pointer to the next step
playing:    equ 0xf820          ; the tune: 1 = on
countdown:  equ 0xf821          ; frames to its next sixteenth
position:   equ 0xf822          ; pointer to it
STACK:      equ 0xfffc

COMMAND:    equ 0               ; ports
CHIP_A:     equ 4               ; address, data + 1; reading: status
CHIP_B:     equ 6
NMI_ON:     equ 8
ANSWER:     equ 0x0c

TICK:       equ 197             ; timer B: (256 - 197) * 0.288 ms = 17 ms
SIXTEENTH:  equ 7               ; ticks
REST:       equ 0xfd
HOLD:       equ 0xfe
END:        equ 0xff

        org 0
        di
        jp start
        defs 0x38-$
        reti
        defs 0x66-$
; A command: into the queue, and answered.
nmi:    push af
        push hl
        in a,(COMMAND)
        out (ANSWER),a
        ld h,RAM/256
        push af
        ld a,(queue_in)
        ld l,a
        inc a
        and 7
        ld (queue_in),a
        pop af
        ld (hl),a
        pop hl
        pop af
        retn

; Chip register b becomes c, in the bank in use.
write:  push de
        ld e,c
        ld a,(bank)
        ld c,a
        out (c),b
        inc c
        nop
        out (c),e
        ld c,e
        pop de
        ret

; (register, value) pairs from hl, until register 0xff
list:   ld b,(hl)
        inc hl
        ld a,b
        inc a
        ret z
        ld c,(hl)
        inc hl
        call write
        jr list

use_a:  ld a,CHIP_A
        ld (bank),a
        ret
use_b:  ld a,CHIP_B
        ld (bank),a
        ret

        defs 0x100-$
start:  di
        im 1
        ld sp,STACK
        ld hl,RAM
        ld de,RAM+1
        ld bc,0x3f
        ld (hl),0
        ldir
        ld a,0x3f
        ld (mixer),a
        call use_b
        ld hl,setup_b
        call list
        ld hl,chord_voice
        ld b,1                  ; channel 1 of B
        call voice
        call use_a
        ld hl,setup_a
        call list
        ld hl,melody_voice
        ld b,1                  ; channels 1 and 2 of A
        call voice
        ld hl,bass_voice
        ld b,2
        call voice
        ld a,1
        out (NMI_ON),a

loop:   call commands
        in a,(CHIP_A)
        and 2                   ; timer B
        jr z,loop
        ld b,0x27
        ld c,0x2a
        call write
        call effects_tick
        ld a,(playing)
        or a
        call nz,tune_tick
        jr loop

; ---- commands ---------------------------------------------------------------------------------------------------------
commands:
        ld a,(queue_out)
        ld hl,queue_in
        cp (hl)
        ret z
        ld h,RAM/256
        ld l,a
        inc a
        and 7
        ld (queue_out),a
        ld a,(hl)
        cp 3
        jp z,start
        cp 2
        jp z,silence
        cp 4
        jp z,tune_start
        cp 5
        jp z,tune_stop
        cp EFFECTS
        jp nc,commands
        cp 6
        jp c,commands
        ld l,a
        ld h,0
        add hl,hl
        ld de,effects
        add hl,de
        ld e,(hl)
        inc hl
        ld d,(hl)
        ld a,d
        or e
        jp z,commands
        ld a,(de)               ; the channel
        inc de
        ld l,a
        add a,a
        add a,l
        ld l,a
        ld h,0
        ld bc,channels
        add hl,bc
        ld (hl),1
        inc hl
        ld (hl),e
        inc hl
        ld (hl),d
        jp commands

silence:
        call tune_stop
        ld hl,channels
        ld b,9
quiet:  ld (hl),0
        inc hl
        djnz quiet
        ld hl,setup_a
        call list
        jp commands

; ---- effects ----------------------------------------------------------------------------------------------------------
effects_tick:
        ld ix,channels
        ld d,0                  ; the channel
next_channel:
        ld a,(ix+0)
        or a
        jp z,channel_done
        dec (ix+0)
        jp nz,channel_done
        ld l,(ix+1)
        ld h,(ix+2)
        ld a,(hl)
        inc hl
        ld (ix+0),a
        ld e,(hl)               ; volume, bit 7: noise
        or a
        jr nz,step
        ld e,0                  ; the end
step:   inc hl
        ld a,e
        and 0x0f
        ld c,a
        ld a,d
        add a,8
        ld b,a
        call write
        ld a,e
        or a
        jr z,step_done
        ld c,(hl)
        inc hl
        bit 7,e
        jr nz,noisy
        ld a,d
        add a,a
        ld b,a
        call write            ; the period's low byte
        inc b
        ld c,(hl)
        call write
        ld e,0x08               ; mixer: tone on (0), noise off (1)
        jr mix
noisy:  ld b,6
        call write
        ld e,0x01
mix:    inc hl
        ld (ix+1),l
        ld (ix+2),h
        ld c,0x09               ; the channel's two bits in the mixer
        ld a,d
        or a
        jr z,shifted
        ld b,a
shift:  sla c
        sla e
        djnz shift
shifted:
        ld a,c
        cpl
        ld c,a
        ld a,(mixer)
        and c
        or e
        ld (mixer),a
        ld c,a
        ld b,7
        call write
        jr channel_done
step_done:
        ld (ix+1),l
        ld (ix+2),h
channel_done:
        inc ix
        inc ix
        inc ix
        inc d
        ld a,d
        cp 3
        jp nz,next_channel
        ret

setup_a:
        defb 0x07,0x3f, 0x08,0, 0x09,0, 0x0a,0          ; SSG quiet
        defb 0x10,0x00, 0x1c,0x00                       ; ADPCM-B quiet
        defb 0x26,TICK, 0x27,0x2a
keys_off:
        defb 0x28,1, 0x28,2, 0x28,5, 0x28,6, 0xff
setup_b:
        defb 0x00,0xbf, 0x01,0x2c                       ; ADPCM-A: all off, the volume of all
        defb 0x08,0xde, 0x09,0xd8, 0x0a,0xd4            ; both speakers, each drum's volume
        defb 0x10,DRUM_0_FIRST, 0x18,0, 0x20,DRUM_0_LAST, 0x28,0
        defb 0x11,DRUM_1_FIRST, 0x19,0, 0x21,DRUM_1_LAST, 0x29,0
        defb 0x12,DRUM_2_FIRST, 0x1a,0, 0x22,DRUM_2_LAST, 0x2a,0
        defb 0xff

        include 'tune.asm'
        include 'tables.asm'
