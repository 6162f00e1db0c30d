/* Draws a seat's field at FIELD_COLUMN. shown is what is to be seen of it. */
static u8 look(u8 cell)
{
    if (cell == axis_cell)
        return me.axis;
    if (cell == partner_cell)
        return me.partner;
    if (popping && mark[cell] == 2)
        return POPPING;
    return me.field[cell];
}

static void draw_field(void)
{
    static u8 row, x, cell, i, upper, lower, left;

    axis_cell = partner_cell = 0;
    if (me.phase == SPAWN || me.phase == CONTROL) {
        static const u8 beside[4] = { STRIDE, 255, 256 - STRIDE, 1 };

        axis_cell = AT(me.x, me.y);
        partner_cell = axis_cell + beside[me.orientation];
    }
    popping = me.phase == CLEAR && me.timer & 4;
    left = BLOCKS_A_FRAME;
    dirty = 0;
    i = 0;
    for (row = 0; row < PAIR_ROWS; ++row) {
        cell = AT(1, TOP) + (row << 4);
        for (x = 0; x < COLUMNS; ++x, ++cell, ++i) {
            upper = look(cell);
            lower = look(cell + STRIDE);
            if (shown[i] == (u8)(upper << 4 | lower))
                continue;
            if (!left) {
                dirty = 1;
                return;
            }
            --left;
            shown[i] = upper << 4 | lower;
            blobs(FIELD_COLUMN + (x << 1), FIELD_ROW + row * 3, upper, lower);
        }
    }
}
