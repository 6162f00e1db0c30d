; Sound: a tune (pulse 1, triangle, soft noise) and effects (pulse 2, noise), one step per frame from the main loop.
; The registers' high bytes are written only when they change: writing them restarts the wave, which clicks.
.include "ram.inc"
.include "notes.inc"
.export _sound_frame, _sound, _sound_chain, _music
.import lead, roots, effects, effect_at
.importzp _danger

SPEED       = 8             ; frames per eighth
SPEED_FEAR  = 6             ; when the stack is high
LEAD_DUTY   = $B0           ; half, volume from us
EFFECT_CHAIN = 5

.segment "BSS2": absolute
_music:     .res 1          ; 1: the tune plays, 0: it stops and will begin anew
playing:    .res 1
tick:       .res 1          ; frames left of this eighth
eighth:     .res 1          ; 0..127
lead_at:    .res 1          ; offset in lead
lead_left:  .res 1          ; eighths left of its note
lead_volume: .res 1         ; in quarters
lead_high:  .res 1
bass_high:  .res 1
drum_volume: .res 1         ; in quarters
effect:     .res 1          ; 0 none; a higher number silences a lower one
effect_pos: .res 1
effect_left: .res 1
effect_up:  .res 1          ; semitones added
effect_high: .res 1

.segment "RODATA"
; the lowest octave's periods, C to B; each octave above halves them
.macro octaves first
.repeat 5, O
    .byte first ((1710 >> O) - 1), first ((1614 >> O) - 1), first ((1524 >> O) - 1), first ((1438 >> O) - 1)
    .byte first ((1357 >> O) - 1), first ((1281 >> O) - 1), first ((1209 >> O) - 1), first ((1141 >> O) - 1)
    .byte first ((1077 >> O) - 1), first ((1017 >> O) - 1), first ((960 >> O) - 1), first ((906 >> O) - 1)
.endrepeat
.endmacro
period_low: .byte 0
    octaves <
period_high: .byte 0
    octaves >
bass_steps: .byte 0, $FF, 7, $FF, 12, $FF, 7, 4         ; semitones above the bar's root; $FF: rest
drum_steps: .byte 16, 0, 10, 0, 26, 0, 10, 6            ; loudness, in quarters
chain_up:   .byte 0, 0, 2, 4, 5, 7, 9, 11, 12, 14, 16, 17

.segment "CODE"
; void sound_frame(void)
_sound_frame:
    lda _music
    cmp playing
    beq @as_it_was
    sta playing
    cmp #0
    bne @begin
    lda #$30                ; silence
    sta $4000
    lda #$80
    sta $4008
    bne @as_it_was
@begin:
    lda #1
    sta tick
    sta lead_left
    lda #0
    sta lead_at
    lda #127
    sta eighth
    lda #$FF
    sta lead_high
    sta bass_high
@as_it_was:
    lda playing
    beq @effects
    jsr tune
@effects:
    lda effect
    beq @drum
    jsr effect_step
@drum:
    lda drum_volume
    beq @no_drum
    sec
    sbc #4
    bcs @drum_on
    lda #0
@drum_on:
    sta drum_volume
@no_drum:
    lsr a
    lsr a
    ora #$30
    sta $400C
    rts

tune:
    dec tick
    bne @fade
    lda #SPEED
    ldx _danger
    bne @fast
    ldx _danger+1
    beq @calm
@fast:
    lda #SPEED_FEAR
@calm:
    sta tick
    inc eighth
    bpl @in_tune
    lda #0
    sta eighth
@in_tune:
    jsr bass
    dec lead_left
    bne @fade
    ldy lead_at
    lda lead,y
    cmp #TUNE_END
    bne @note
    ldy #0
    lda lead,y
@note:
    tax
    lda lead+1,y
    sta lead_left
    iny
    iny
    sty lead_at
    cpx #0
    beq @rest
    lda period_low,x
    sta $4002
    lda period_high,x
    cmp lead_high
    beq @same
    sta lead_high
    ora #$08
    sta $4003
@same:
    lda #28
    sta lead_volume
    bne @set
@rest:
    lda #0
    sta lead_volume
    beq @set
@fade:
    lda lead_volume
    cmp #13
    bcc @set
    dec lead_volume         ; a quarter a frame, down to 3
@set:
    lda lead_volume
    lsr a
    lsr a
    ora #LEAD_DUTY
    sta $4000
    rts

bass:
    lda eighth
    and #7
    tay
    lda effect              ; effects' noise is louder
    bne @no_drum
    lda drum_steps,y
    sta drum_volume
    lda #$03
    cpy #4
    bne @hat
    lda #$07
@hat:
    sta $400E
    lda #$08
    sta $400F
@no_drum:
    lda bass_steps,y
    bmi @rest
    pha
    lda eighth
    lsr a
    lsr a
    lsr a
    tay
    pla
    clc
    adc roots,y
    tax
    lda period_low,x
    sta $400A
    lda period_high,x
    cmp bass_high
    beq @same
    sta bass_high
    ora #$08
    sta $400B
@same:
    lda #$FF
    sta $4008
    rts
@rest:
    lda #$80
    sta $4008
    rts

effect_step:
    dec effect_left
    beq @next
    rts
@next:
    ldy effect_pos
    lda effects,y           ; note, frames, volume and duty
    cmp #TUNE_END
    beq @over
    cmp #NOISE
    bcs @noise
    tax
    beq @quiet
    txa
    clc
    adc effect_up
    tax
    lda period_low,x
    sta $4006
    lda period_high,x
    cmp effect_high
    beq @quiet
    sta effect_high
    ora #$08
    sta $4007
@quiet:
    lda effects+1,y
    sta effect_left
    lda effects+2,y
    sta $4004
    iny
    iny
    iny
    sty effect_pos
    rts
@noise:                     ; a stroke: period, loudness; takes no time
    and #$0F
    sta $400E
    lda #$08
    sta $400F
    lda effects+1,y
    sta drum_volume
    iny
    iny
    sty effect_pos
    bne @next
@over:
    lda #0
    sta effect
    lda #$30
    sta $4004
    rts

; void __fastcall__ sound(unsigned char n): begin an effect, unless a more important one is to be heard
_sound:
    cmp effect
    bcc @no
    sta effect
    tax
    lda effect_at,x
    sta effect_pos
    lda #1
    sta effect_left
    lda #0
    sta effect_up
    lda #$FF
    sta effect_high
@no:
    rts

; void __fastcall__ sound_chain(unsigned char step): higher with each step
_sound_chain:
    cmp #12
    bcc @low
    lda #11
@low:
    pha
    lda #EFFECT_CHAIN
    jsr _sound
    pla
    tax
    lda effect
    cmp #EFFECT_CHAIN
    bne @no
    lda chain_up,x
    sta effect_up
@no:
    rts
