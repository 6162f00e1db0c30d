; The tune: a row of four bytes for each sixteenth (sound/tables.py), three FM channels and the drums.

tune_start:
        ld a,1
        ld (playing),a
        ld (countdown),a
        ld hl,tune
        ld (position),hl
        ret

tune_stop:
        xor a
        ld (playing),a
        ld hl,keys_off
        jp list

tune_tick:
        ld hl,countdown
        dec (hl)
        ret nz
        ld (hl),SIXTEENTH
        ld hl,(position)
        ld a,(hl)
        cp END
        jr nz,row
        ld hl,tune
row:    ld a,(hl)
        inc hl
        ld c,1
        ld d,0xa1
        call note
        ld a,(hl)
        inc hl
        ld c,2
        ld d,0xa2
        call note
        ld a,(hl)
        inc hl
        ld e,a
        call use_b
        ld a,e
        ld c,5
        ld d,0xa1
        call note
        ld a,(hl)
        inc hl
        ld (position),hl
        or a
        jp z,use_a
        ld b,0                  ; the drums: key on
        ld c,a
        call write
        jp use_a

; a: note, REST or HOLD; c: the channel for key on and off; d: its register of the low byte
note:   cp HOLD
        ret z
        push hl
        push af
        ld a,c
        call key                ; off
        pop af
        cp REST
        jr z,note_off
        push bc
        call pitch              ; hl: low byte, block and high bits
        ld a,d
        add a,4
        ld b,a
        ld c,h
        call write
        ld b,d
        ld c,l
        call write
        pop bc
        ld a,c
        or 0xf0
        call key                ; on
note_off:
        pop hl
        ret

; a: channel, 0xf0 added for on. The register for this is in bank A, whichever is in use.
key:    push af
        ld a,0x28
        out (CHIP_A),a
        nop
        pop af
        out (CHIP_A+1),a
        ret

; a: note number -> h: block and the highest 3 bits, l: the rest
pitch:  ld b,0
octave: cp 12
        jr c,found
        sub 12
        inc b
        jr octave
found:  push de
        add a,a
        ld e,a
        ld d,0
        ld hl,pitches
        add hl,de
        ld e,(hl)
        inc hl
        ld d,(hl)
        ld a,b
        add a,a
        add a,a
        add a,a
        or d
        ld h,a
        ld l,e
        pop de
        ret

; hl: a voice's 30 bytes; b: the channel, 1 or 2 of the bank in use
voice:
        ld d,7                  ; 7 parameters from register 0x30 on, each for 4 operators
        ld a,b
        add a,0x30
        ld b,a
voice_parameter:
        ld e,4
voice_operator:
        ld c,(hl)
        inc hl
        call write
        ld a,b
        add a,4
        ld b,a
        dec e
        jr nz,voice_operator
        dec d
        jr nz,voice_parameter
        ld a,b
        add a,0x10              ; 0xa0 -> 0xb0: feedback and algorithm
        ld b,a
        ld c,(hl)
        inc hl
        call write
        ld a,b
        add a,4
        ld b,a
        ld c,(hl)               ; both speakers
        jp write

; Voices: for operators 1, 3, 2, 4 detune/multiple, level, attack, decay, sustain, release, SSG-EG; then feedback and
; algorithm, speakers.
melody_voice:
        defb 0x32,0x71,0x01,0x01, 0x24,0x2a,0x12,0x12, 0x1f,0x1f,0x18,0x18, 0x0a,0x0c,0x07,0x07
        defb 0x03,0x03,0x02,0x02, 0x26,0x26,0x18,0x18, 0,0,0,0, 0x2c, 0xc0
bass_voice:
        defb 0x01,0x01,0x00,0x01, 0x1c,0x22,0x18,0x0c, 0x1f,0x1f,0x1f,0x1f, 0x10,0x10,0x0c,0x0a
        defb 0x04,0x04,0x04,0x04, 0x48,0x48,0x38,0x38, 0,0,0,0, 0x34, 0xc0
chord_voice:
        defb 0x04,0x02,0x02,0x01, 0x26,0x28,0x20,0x1c, 0x1f,0x1f,0x1f,0x1f, 0x12,0x12,0x0e,0x0e
        defb 0x06,0x06,0x06,0x06, 0x6a,0x6a,0x5a,0x5a, 0,0,0,0, 0x24, 0xc0

