; Tables of the picture, the screens, the tiles. Everything named *.bin is made by art/art.py.
.export cell_base, cell_palette, _cell_palette := cell_palette, _sprite_of
.export quad_tl, quad_tr, quad_bl, quad_br, sign_tiles_lo, sign_tiles_hi
.export _screen_title, _screen_menu, _screen_endless, _screen_versus, _palette_title, _palette_game, _palette_dim, _moods

.segment "RODATA"
; by drawn code: empty, six colours, nuisance, wall, six startled colours, burst; in NEXT only: big, carbuncle
cell_base:    .byte $A0, $40, $50, $60, $70, $80, $90, $A1, $C2, $B0, $B1, $B2, $B3, $C0, $C1, $A2, $C3, $EC
cell_palette: .byte 3, 0, 2, 1, 0, 2, 1, 3, 0, 0, 2, 1, 0, 2, 1, 3
              .byte 3, 0, 2, 1, 0, 2, 1, 3, 3, 0, 2, 1, 0, 2, 1, 3
; by link bits (1 up, 2 right, 4 down, 8 left): offset of each quarter; + 1 joined vertically, + 2 horizontally
quad_tl:      .byte 0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 2, 3
quad_tr:      .byte 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7
quad_bl:      .byte 8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10, 11, 11, 11, 11
quad_br:      .byte 12, 12, 14, 14, 13, 13, 15, 15, 12, 12, 14, 14, 13, 13, 15, 15
; sprite tiles: + 8 flat, + 16 tall
_sprite_of:   .byte $00, $40, $44, $48, $4C, $50, $54, $88
              .byte $00, $58, $5C, $60, $64, $68, $6C, $88
              .byte $00, $70, $74, $78, $7C, $80, $84, $88

_moods:       .incbin "moods.bin"
signs:        .incbin "signs.bin"
sign_tiles_lo: .byte 0, <signs, <(signs + 48), <(signs + 96)
sign_tiles_hi: .byte 0, >signs, >(signs + 48), >(signs + 96)

_palette_title:
_palette_game:
    .byte $0F, $16, $28, $30,  $0F, $12, $2C, $30,  $0F, $14, $2A, $30,  $0F, $03, $22, $30
    .byte $0F, $16, $28, $30,  $0F, $12, $2C, $30,  $0F, $14, $2A, $30,  $0F, $03, $22, $30
_palette_dim:
    .byte $0F, $06, $18, $10,  $0F, $02, $1C, $10,  $0F, $04, $1A, $10,  $0F, $03, $22, $30

.segment "SCREENS"
_screen_title:   .incbin "title.bin"
_screen_menu:    .incbin "menu.bin"
_screen_endless: .incbin "endless.bin"
_screen_versus:  .incbin "versus.bin"

.segment "TILES"
    .incbin "tiles.chr"
