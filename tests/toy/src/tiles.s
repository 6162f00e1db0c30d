; Tiles: text at ASCII - 32, then the cells, four tiles each: upper left, lower left, upper right, lower right.
.segment "TILES"

.macro glyph r0, r1, r2, r3, r4, r5, r6         ; colour 3
    .repeat 2
    .byte r0, r1, r2, r3, r4, r5, r6, 0
    .endrepeat
.endmacro

; 16 x 16 dots, a word a row. Planes 0 and 1 are cut out of two masks whose pattern moves on with every row.
.macro stone m0, m1, r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15
    half 8, m0, m1, r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15
    half 0, m0, m1, r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15
.endmacro
.macro half shift, m0, m1, r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15
    eight (m0) >> shift, r0 >> shift, r1 >> shift, r2 >> shift, r3 >> shift, r4 >> shift, r5 >> shift, r6 >> shift, r7 >> shift
    eight (m1) >> shift, r0 >> shift, r1 >> shift, r2 >> shift, r3 >> shift, r4 >> shift, r5 >> shift, r6 >> shift, r7 >> shift
    eight (m0) >> shift, r8 >> shift, r9 >> shift, r10 >> shift, r11 >> shift, r12 >> shift, r13 >> shift, r14 >> shift, r15 >> shift
    eight (m1) >> shift, r8 >> shift, r9 >> shift, r10 >> shift, r11 >> shift, r12 >> shift, r13 >> shift, r14 >> shift, r15 >> shift
.endmacro
.macro eight mask, r0, r1, r2, r3, r4, r5, r6, r7
    .byte <(r0 & (mask)), <(r1 & ((mask) >> 1)), <(r2 & ((mask) >> 2)), <(r3 & (mask))
    .byte <(r4 & ((mask) >> 1)), <(r5 & ((mask) >> 2)), <(r6 & (mask)), <(r7 & ((mask) >> 1))
.endmacro

NONE = 0
ALL  = $3FFFF

    .res 16 * 16, 0                             ; space and what is not used up to /
    glyph $38, $44, $4C, $54, $64, $44, $38    ; 0
    glyph $10, $30, $10, $10, $10, $10, $38    ; 1
    glyph $38, $44, $04, $18, $20, $40, $7C    ; 2
    glyph $78, $04, $04, $38, $04, $04, $78    ; 3
    glyph $08, $18, $28, $48, $7C, $08, $08    ; 4
    glyph $7C, $40, $78, $04, $04, $44, $38    ; 5
    glyph $18, $20, $40, $78, $44, $44, $38    ; 6
    glyph $7C, $04, $08, $08, $10, $10, $10    ; 7
    glyph $38, $44, $44, $38, $44, $44, $38    ; 8
    glyph $38, $44, $44, $3C, $04, $08, $30    ; 9
    .res 16 * 7, 0                              ; : to @
    glyph $38, $44, $44, $7C, $44, $44, $44    ; A
    glyph $78, $44, $44, $78, $44, $44, $78    ; B
    glyph $3C, $40, $40, $40, $40, $40, $3C    ; C
    glyph $78, $44, $44, $44, $44, $44, $78    ; D
    glyph $7C, $40, $40, $78, $40, $40, $7C    ; E
    glyph $7C, $40, $40, $78, $40, $40, $40    ; F
    glyph $3C, $40, $40, $4C, $44, $44, $3C    ; G
    glyph $44, $44, $44, $7C, $44, $44, $44    ; H
    glyph $7C, $10, $10, $10, $10, $10, $7C    ; I
    glyph $1C, $08, $08, $08, $08, $48, $30    ; J
    glyph $44, $48, $50, $60, $50, $48, $44    ; K
    glyph $40, $40, $40, $40, $40, $40, $7C    ; L
    glyph $44, $6C, $54, $54, $44, $44, $44    ; M
    glyph $44, $64, $64, $54, $4C, $4C, $44    ; N
    glyph $38, $44, $44, $44, $44, $44, $38    ; O
    glyph $78, $44, $44, $78, $40, $40, $40    ; P
    glyph $38, $44, $44, $44, $54, $48, $34    ; Q
    glyph $78, $44, $44, $78, $50, $48, $44    ; R
    glyph $3C, $40, $40, $38, $04, $04, $78    ; S
    glyph $7C, $10, $10, $10, $10, $10, $10    ; T
    glyph $44, $44, $44, $44, $44, $44, $38    ; U
    glyph $44, $44, $44, $44, $28, $28, $10    ; V
    glyph $44, $44, $44, $54, $54, $6C, $44    ; W
    glyph $44, $44, $28, $10, $28, $44, $44    ; X
    glyph $44, $44, $28, $10, $10, $10, $10    ; Y
    glyph $7C, $04, $08, $10, $20, $40, $7C    ; Z
    .res 16, 0                                  ; [
; a cell's tile is $3C + 4 * colour
    stone ALL, ALL, $0000, $0000, $0000, $0000, $0000, $0000, $0000, $0180, $0180, $0000, $0000, $0000, $0000, $0000, $0000, $0000     ; empty: a dot
    stone ALL, NONE, $0000, $07E0, $1FF8, $3FFC, $3FFC, $7FFE, $7FFE, $7FFE, $7FFE, $7FFE, $7FFE, $3FFC, $3FFC, $1FF8, $07E0, $0000    ; 1: a disc
    stone NONE, ALL, $0000, $0180, $03C0, $07E0, $0FF0, $1FF8, $3FFC, $7FFE, $7FFE, $3FFC, $1FF8, $0FF0, $07E0, $03C0, $0180, $0000    ; 2: a diamond
    stone ALL, ALL, $0000, $0000, $3FFC, $3FFC, $3FFC, $3FFC, $3FFC, $3FFC, $3FFC, $3FFC, $3FFC, $3FFC, $3FFC, $3FFC, $0000, $0000     ; 3: a square
    stone $2DB6D, $1B6DB, $0000, $0FF0, $1FF8, $3FFC, $7FFE, $7FFE, $7C3E, $7C3E, $7C3E, $7C3E, $7FFE, $7FFE, $3FFC, $1FF8, $0FF0, $0000   ; grey: a nut, dithered of all three colours
