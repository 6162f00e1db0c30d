; The tune (16 bars, ours) and the effects.
.include "notes.inc"
.export lead, roots, effects, effect_at

.segment "RODATA"
; note, eighths
lead:
    .byte C5,1, E5,1, G5,2, E5,1, G5,1, A5,2
    .byte G5,1, E5,1, D5,2, C5,1, D5,1, E5,2
    .byte F5,1, A5,1, C6,2, A5,1, F5,1, G5,2
    .byte E5,1, F5,1, E5,1, D5,1, D5,3, 0,1
    .byte C5,1, E5,1, G5,2, E5,1, G5,1, A5,2
    .byte B5,1, G5,1, A5,2, E5,1, G5,1, D5,2
    .byte F5,1, E5,1, D5,1, F5,1, E5,1, D5,1, C5,1, B4,1
    .byte C5,3, 0,1, G4,1, A4,1, B4,1, 0,1
    .byte A4,1, C5,1, E5,2, D5,1, C5,1, E5,2
    .byte G5,2, E5,1, D5,1, C5,2, D5,2
    .byte F5,1, E5,1, D5,2, A4,1, D5,1, F5,2
    .byte E5,1, D5,1, C5,1, B4,1, G4,3, 0,1
    .byte A4,1, C5,1, E5,2, A5,1, G5,1, E5,2
    .byte F5,1, A5,1, G5,1, F5,1, E5,2, C5,2
    .byte D5,1, E5,1, F5,1, D5,1, E5,1, G5,1, A5,1, B5,1
    .byte C6,2, G5,1, E5,1, C5,2, 0,2
    .byte TUNE_END
    .assert * - lead < 256, error, "the tune is longer than its index"
; a root for each bar of the bass (the triangle sounds an octave lower)
roots:
    .byte C3, C3, F3, G3, C3, E3, D3, C3, A3, C3, D3, G3, A3, F3, G3, C3

; note, frames, pulse 2's duty and volume; or NOISE + period, loudness in quarters
effects:
    .byte TUNE_END
move:   .byte C6,1,$75, C6,1,$73, TUNE_END
turn:   .byte G5,2,$75, D6,2,$75, D6,1,$73, TUNE_END
lock:   .byte NOISE+12,44, C4,2,$B7, G3,2,$B5, G3,2,$B3, TUNE_END
item:   .byte C6,3,$76, B5,3,$76, E6,3,$76, C6,3,$75, G6,3,$75, G6,4,$73, TUNE_END
chain:  .byte NOISE+6,40, C5,4,$B8, E5,4,$B8, NOISE+5,36, G5,4,$B8, C6,5,$B8, C6,4,$B5, C6,4,$B3, TUNE_END
level:  .byte G5,5,$B8, C6,5,$B8, E6,5,$B8, C6,5,$B8, G6,10,$B8, G6,6,$B5, G6,6,$B3, TUNE_END
over:   .byte NOISE+13,60, E5,12,$B8, DS5,12,$B8, D5,12,$B8, B4,12,$B8, G4,12,$B7, E4,24,$B6, E4,12,$B4, TUNE_END
sink:   .byte NOISE+14,60, C5,3,$B8, A4,3,$B8, F4,3,$B8, D4,3,$B8, B3,3,$B8, G3,3,$B8, E3,4,$B7, C3,8,$B5, TUNE_END
send:   .byte NOISE+10,60, E5,3,$76, B4,3,$76, NOISE+12,52, E4,3,$76, B3,5,$75, TUNE_END
effect_at:
    .byte 0, move - effects, turn - effects, lock - effects, item - effects, chain - effects
    .byte level - effects, over - effects, sink - effects, send - effects
    .assert * - effects < 266, error, "the effects are longer than their index"
