; Variants with LAYOUT: the fields in the variant's own form. The rules work on one seat's field in the shipped form,
; fetched when it is needed and put back, and cleared, before the frame ends.
;   FIRST              offset of column 1, row 0 from the field's first byte
;   ROW_STEP, COLUMN_STEP
;   SPLIT_LINKS        1: a cell's links are a byte of their own, LINKS_AT on; 0: code and links share a byte:
;   CODE_AT, LINK_GAP  the code's lowest bit; how far links down and left (bits 2, 3) are shifted up
;   WALLS              1: a wall's byte stands at both ends of a row
;   HIDDEN_APART       1: row 0 is somewhere else, without links
PLACES = 1
.include "ram.inc"
.export _fetch_field, _keep_field, _field_changed
.import work_field, saved_marks, pub_field1, pub_field2
.if HIDDEN_APART
.import hidden1, hidden2
.endif
.importzp _p, _fptr

WALL = 8

.segment "WORKING"
_field_changed: .res 1
loaded:         .res 1      ; 1 + the seat whose field is in work_field, 0: none

.segment "RODATA"
.if SPLIT_LINKS = 0
code_of:
.repeat 256, I
    .byte (I >> CODE_AT) & 15
.endrepeat
links_of:
.repeat 256, I
    .byte (I & 3) | ((I >> LINK_GAP) & 12)
.endrepeat
code_bits:
.repeat 16, I
    .byte (I << CODE_AT) & 255
.endrepeat
link_bits:
.repeat 16, I
    .byte (I & 3) | ((I & 12) << LINK_GAP)
.endrepeat
.endif

.segment "CODE"
.macro load_field from, marks, hidden
.repeat 14, R
.repeat 6, C
.if HIDDEN_APART && R = 0
    lda hidden + C
    sta work_field + 2 * C + 3
.elseif SPLIT_LINKS
    lda from + FIRST + R * ROW_STEP + C * COLUMN_STEP
    sta work_field + 16 * R + 2 * C + 3
    lda from + LINKS_AT + FIRST + R * ROW_STEP + C * COLUMN_STEP
    sta work_field + 16 * R + 2 * C + 2
.else
    ldx from + FIRST + R * ROW_STEP + C * COLUMN_STEP
    lda code_of,x
    sta work_field + 16 * R + 2 * C + 3
    lda links_of,x
    sta work_field + 16 * R + 2 * C + 2
.endif
.endrepeat
.endrepeat
    lda #WALL
.repeat 14, R
    sta work_field + 16 * R + 1
    sta work_field + 16 * R + 15
.endrepeat
.repeat 14, R
    lda marks + R
    sta work_field + MARKS + R
.endrepeat
.endmacro

.macro store_field to, marks, hidden
.repeat 14, R
.repeat 6, C
.if HIDDEN_APART && R = 0
    lda work_field + 2 * C + 3
    sta hidden + C
.elseif SPLIT_LINKS
    lda work_field + 16 * R + 2 * C + 3
    sta to + FIRST + R * ROW_STEP + C * COLUMN_STEP
    lda work_field + 16 * R + 2 * C + 2
    sta to + LINKS_AT + FIRST + R * ROW_STEP + C * COLUMN_STEP
.else
    ldx work_field + 16 * R + 2 * C + 3
    lda code_bits,x
    ldx work_field + 16 * R + 2 * C + 2
    ora link_bits,x
    sta to + FIRST + R * ROW_STEP + C * COLUMN_STEP
.endif
.endrepeat
.endrepeat
.if WALLS
    lda #(WALL << CODE_AT) & 255
.repeat 14, R
    sta to + FIRST + R * ROW_STEP - COLUMN_STEP
    sta to + FIRST + R * ROW_STEP + 6 * COLUMN_STEP
.endrepeat
.endif
.repeat 14, R
    lda work_field + MARKS + R
    sta marks + R
.endrepeat
.endmacro

; void fetch_field(void): the field of p to work_field, where fptr points then
_fetch_field:
    lda loaded
    beq @load
    tax
    dex
    cpx _p
    bne @other
    rts
@other:
    jsr store
@load:
    lda #<work_field
    sta _fptr
    lda #>work_field
    sta _fptr+1
    ldx _p
    inx
    stx loaded
    dex
    beq @first
    jmp @second
@first:
    load_field pub_field1, saved_marks, hidden1
    rts
@second:
    load_field pub_field2, saved_marks+14, hidden2
    rts

; What work_field holds goes back when it has been written.
store:
    lda _field_changed
    bne @write
    rts
@write:
    lda #0
    sta _field_changed
    lda loaded
    cmp #2
    bne @first
    jmp second
@first:
    store_field pub_field1, saved_marks, hidden1
    rts
second:
    store_field pub_field2, saved_marks+14, hidden2
    rts

; void keep_field(void): the frame ends
_keep_field:
    lda loaded
    bne @store
    rts
@store:
    jsr store
    lda #0
    sta loaded
.repeat 238, I
    sta work_field + I
.endrepeat
    rts
