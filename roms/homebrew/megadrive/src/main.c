/* Power-on, and from screen to screen. */
#include "game.h"
#include "sound.h"
#include "video.h"

#define POWER_ON 0x35879DE2     /* as in Puyo Puyo Tsu */

void main(void)
{
    random_state = POWER_ON;
    game.difficulty = 3;
    game.music = 1;
    game.margin = 1;
    sound_start();
    video_start();
    for (;;) {
        title();
        menu();
        seats[0].wins = seats[1].wins = 0;
        do
            play_round();
        while (round_over());
    }
}
