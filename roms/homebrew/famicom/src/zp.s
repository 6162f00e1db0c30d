; Page-zero variables shared by C and assembly.
.exportzp _p, _fptr, _lx, _ly, _pad, _fresh, vram_ready, nmi_mode, _ppuctrl, _ppumask, row_count, _str_len
.exportzp _grp_cleared, _grp_nuis, _grp_colours, _grp_bonus, _mult, _num
.exportzp _sx, _sy, _stile, _sattr, oam_pos, _draw_next_row, _blink_style, _sign, _danger, _due_shown, _due_rest, _due_slot
.exportzp _tiles = t0, _oam_pos = oam_pos
.exportzp t0, t1, t2, t3, t4, t5, t6, t7, vtmp

.segment "ZP2": zeropage
_p:             .res 1      ; the player being worked on, 0 or 1
_fptr:          .res 2      ; its field page
_lx:            .res 1      ; cell to be tested
_ly:            .res 1
_pad:           .res 2      ; buttons held: A B Select Start Up Down Left Right, bit 7 to 0
_fresh:         .res 2      ; pressed this frame
vram_ready:     .res 1      ; main loop: "all of this frame is queued"; the NMI clears it
nmi_mode:       .res 1      ; 0 = loading with the picture off, the NMI only counts
_ppuctrl:       .res 1
_ppumask:       .res 1
row_count:      .res 1      ; records in ROWQ
_str_len:       .res 1      ; bytes in strq
_grp_cleared:   .res 1
_grp_nuis:      .res 1
_grp_colours:   .res 1
_grp_bonus:     .res 1
_mult:          .res 2
_num:           .res 3
_sx:            .res 1
_sy:            .res 1
_stile:         .res 1
_sattr:         .res 1
oam_pos:        .res 1
_draw_next_row: .res 2      ; where the field redraw goes on
_blink_style:   .res 2      ; 0 as they are, 1 startled, 2 burst
_sign:          .res 2      ; 0 none, else the sign over the middle of the field
_danger:        .res 2      ; 1 when the stack is high: those on top are afraid
_due_shown:     .res 2      ; nuisance waiting for p as its icons show it
_due_rest:      .res 2      ; what the icons still to be drawn stand for
_due_slot:      .res 2      ; the icon to be drawn next
t0:             .res 1
t1:             .res 1
t2:             .res 1
t3:             .res 1
t4:             .res 1
t5:             .res 1
t6:             .res 1
t7:             .res 1
vtmp:           .res 6
