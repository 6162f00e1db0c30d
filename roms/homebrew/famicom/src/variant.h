/* A variant for tests (tests/variants/README.md): places.s says where these are. Every value comes from the build. */
extern u8 MODE, LEVEL, STATE, COLOURS, FRAME, MENU_ROW, ITEMS, INTERVAL, LIMIT, LOSER, MUSIC;
extern u8 SCORE[], DIGITS[], DROP[], SPRITE_X[], SPRITE_Y[], BLOCKS_LOW[], BLOCKS_HIGH[], ATTR[], CHAIN[];
extern u8 PENDING[], WINS[], REMAINDER[], OTHER_RANDOM[], RANDOM[], SPRITES[];
extern u16 DICE[];

/* Within a frame the game works with these. tell() puts them into the variant's own form and clears them,
   listen() takes them back: at a frame's end only the variant's form is in RAM. */
extern u8 SPAWN_FLAG, SPAWNING[], DELAY[], PHASE[], X[], Y[], TURN[], BOTTOM[], TOP[], NEXT[];
void tell(void);
void listen(void);

#ifdef LAYOUT
/* The same for the field, which is worked on in the shipped form, one seat at a time. */
extern u8 field_changed;
void fetch_field(void);     /* of p */
void keep_field(void);
#define CELL_CHANGED field_changed = 1;
#define TELL        keep_field(); tell();
#else
extern u8 FIELD1[], FIELD2[];
#define CELL_CHANGED
#define TELL        tell();
#endif
#define LISTEN      listen();

#if CODE_SHIFT
#define CELL(code)  ((u8)((code) << CODE_SHIFT))
#define COLOUR(byte) ((byte) >> CODE_SHIFT)
#else
#define CELL(code)  (code)
#define COLOUR(byte) (byte)
#endif

#if TURNED_BUTTONS
#define CLOCKWISE   PAD_B
#define COUNTER_CLOCKWISE PAD_A
#else
#define CLOCKWISE   PAD_A
#define COUNTER_CLOCKWISE PAD_B
#endif

#ifdef SCORE_ZERO
#define SCORE_TILE(player, digit) ((u8)(SCORE[(player) * 7 + (digit)] - SCORE_ZERO + 16))
#else
#define SCORE_TILE(player, digit) (DIGITS[digit] + 16)
#endif
