; Links and groups: the rules that look at the whole field. One call each, within one frame.
; A cell's offset in a field page is 16 * row + 2 * column + 1 (its code), one less for its links.
.include "ram.inc"
.export _make_links, _find_groups, _find_begin, _find_rest
.importzp _fptr, _grp_cleared, _grp_nuis, _grp_colours, _grp_bonus
.importzp t0, t1, t2, t3, t4, t5, t6

QUEUE = ROWQ                ; 78 bytes; ROWQ is empty while the main loop thinks
STONES = ROWQ + 80          ; 14 bytes: nuisance per row, a bit per column
NEIGHBOUR_LIMIT = $E0       ; offsets from here on are below the floor

.segment "RODATA"
group_bonus: .byte 0, 0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 10
bit_of:      .byte 1, 2, 4, 8, 16, 32, 64, 128

.segment "CODE"
; void make_links(void): rewrites all links. Each visible coloured cell is compared with its right and lower neighbour.
_make_links:
    ldy #$DC                ; row 13, column 6: all links off
@unlink:
    lda #0
    sta (_fptr),y
    dey
    dey
    tya
    and #$0E
    bne @unlink             ; columns 6..1
    tya
    sec
    sbc #4                  ; to column 6 of the row above
    tay
    bcs @unlink             ; below row 0: borrow

    ldy #$13                ; row 1, column 1
@cell:
    lda (_fptr),y
    beq @next
    cmp #7 << CODE_SHIFT
    bcs @next
    sta t1
    iny
    iny
    cmp (_fptr),y
    bne @not_right
    dey                     ; the neighbour's links
    lda (_fptr),y
    ora #8
    sta (_fptr),y
    dey
    dey                     ; ours
    lda (_fptr),y
    ora #2
    sta (_fptr),y
    iny
    bne @down
@not_right:
    dey
    dey
@down:
    cpy #$D0
    bcs @next               ; the floor
    sty t0
    tya
    adc #16                 ; carry is clear
    tay
    lda (_fptr),y
    cmp t1
    bne @not_down
    dey
    lda (_fptr),y
    ora #1
    sta (_fptr),y
    ldy t0
    dey
    lda (_fptr),y
    ora #4
    sta (_fptr),y
@not_down:
    ldy t0
@next:
    iny
    iny
    tya
    and #$0F
    cmp #$0F
    bne @cell
    iny
    iny
    iny
    iny                     ; column 1 of the next row
    cpy #NEIGHBOUR_LIMIT
    bcc @cell
    rts

; void find_groups(void): marks what will be cleared, by the links; grp_* describe it (grp_cleared 0: nothing).
; While it runs, bit 7 of a cell's links says "seen".
; void find_begin(void), find_rest(void): the same in two frames (rows 1-7, 8-13); ROWQ must not be used in between.
_find_groups:
    jsr find_nothing
    ldy #$13
    bne find_on
_find_begin:
    jsr find_nothing
    ldy #$13
    lda #$80
    sta t6
    jmp scan
_find_rest:
    ldy #$83
find_on:
    lda #NEIGHBOUR_LIMIT
    sta t6
    jsr scan
    jmp find_end

find_nothing:
    lda #0
    sta _grp_cleared
    sta _grp_nuis
    sta _grp_colours
    sta _grp_bonus
    ldx #13
    ldy #MARKS+13
@unmark:
    sta (_fptr),y
    sta STONES,x
    dey
    dex
    bpl @unmark
    rts

; Groups and nuisance from offset Y to offset t6.
scan:
    lda (_fptr),y
    beq @next
    cmp #7 << CODE_SHIFT
    bcs @stone
    sta t1
    dey
    lda (_fptr),y
    beq @iny_next           ; alone
    bmi @iny_next           ; seen in an earlier group
    iny
    sty t0
    jsr flood
    ldy t0
    bne @next
@stone:
    bne @next
    jsr note_stone
    bne @next
@iny_next:
    iny
@next:
    iny
    iny
    tya
    and #$0F
    cmp #$0F
    bne scan
    iny
    iny
    iny
    iny
    cpy t6
    bcc scan
    rts

find_end:

    lda _grp_cleared
    beq @unsee_all
    jsr mark_stones
@unsee_all:
    ldy #$DC                ; all "seen" bits off
@unsee:
    lda (_fptr),y
    bpl @unseen
    and #$0F
    sta (_fptr),y
@unseen:
    dey
    dey
    tya
    and #$0E
    bne @unsee
    tya
    sec
    sbc #4
    tay
    cpy #$10
    bcs @unsee
    rts

; The group round the cell Y (colour t1): marked when it is large enough.
flood:
    sty QUEUE
    dey
    lda (_fptr),y
    ora #$80
    sta (_fptr),y
    lda #0
    sta t2                  ; head
    lda #1
    sta t3                  ; tail
@cell:
    ldx t2
    lda QUEUE,x
    sta t4
    tay
    dey
    lda (_fptr),y
    sta t5                  ; links
    lsr t5
    bcc @right
    tya
    sbc #16                 ; carry is set
    tay
    lda (_fptr),y
    bmi @right
    jsr visit
@right:
    lsr t5
    bcc @down
    ldy t4
    iny
    lda (_fptr),y
    bmi @down
    jsr visit
@down:
    lsr t5
    bcc @left
    lda t4
    adc #14                 ; carry is set: + 15, the links below
    tay
    lda (_fptr),y
    bmi @left
    jsr visit
@left:
    lsr t5
    bcc @done
    ldy t4
    dey
    dey
    dey
    lda (_fptr),y
    bmi @done
    jsr visit
@done:
    inc t2
    lda t2
    cmp t3
    bne @cell

    cmp #4
    bcc @small
    tax
    clc
    adc _grp_cleared
    sta _grp_cleared
    cpx #11
    bcc @bonus
    ldx #11
@bonus:
    lda group_bonus,x
    clc
    adc _grp_bonus
    sta _grp_bonus
.if CODE_SHIFT
    lda t1
    colour_of
    tax
.else
    ldx t1
.endif
    lda bit_of,x
    ora _grp_colours
    sta _grp_colours
@mark:
    dec t2
    bmi @small
    ldx t2
    lda QUEUE,x
    lsr a
    tay
    and #7
    tax
    tya
    lsr a
    lsr a
    lsr a
    ora #MARKS
    tay
    lda (_fptr),y
    ora bit_of,x
    sta (_fptr),y
    bne @mark
@small:
    rts

; A new cell of the group: A = its links, Y their offset.
visit:
    ora #$80
    sta (_fptr),y
    iny
    tya
    ldx t3
    sta QUEUE,x
    inc t3
    rts

; Remember the nuisance at Y in STONES. Keeps Y; Z clear.
note_stone:
    sty t0
    tya
    lsr a
    and #7
    tax
    lda bit_of,x
    sta t1
    tya
    lsr a
    lsr a
    lsr a
    lsr a
    tax
    lda t1
    ora STONES,x
    sta STONES,x
    ldy t0
    rts

; Nuisance beside a marked colour is marked too (and counted). From the top; colours' marks of a row are kept in t0.
mark_stones:
    lda #0
    sta t0                  ; the row above, colours only
    ldx #1
@row:
    txa
    ora #MARKS
    tay
    lda (_fptr),y
    sta t1
    iny
    ora t0
    cpx #13
    beq @floor
    ora (_fptr),y
@floor:
    dey
    sta t2
    lda t1
    sta t0
    asl a
    ora t2
    sta t2
    lda t1
    lsr a
    ora t2
    and STONES,x
    beq @next
    sta t2
    ora t1
    sta (_fptr),y
@count:
    lsr t2
    bcc @even
    inc _grp_nuis
@even:
    lda t2
    bne @count
@next:
    inx
    cpx #14
    bne @row
    rts
