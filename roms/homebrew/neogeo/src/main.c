/* Power-on, and from screen to screen. */
#include "game.h"
#include "video.h"

void main(void)
{
    fill(&game, 0, sizeof game);
    fill(seats, 0, 2 * sizeof *seats);
    game.level = 1;
    game.music = 1;
    queue_end = queue;
    set_palettes();
    for (;;) {
        title();
        menu();
        seats[0].wins = seats[1].wins = 0;
        do
            play_round();
        while (round_over());
    }
}
