/* An engine for Ochibot in C: it puts every pair where it comes to rest lowest (docs/engines.md).

   It looks for keys in the text of a line, which is enough: Ochibot writes its messages without blanks.
   cc -O2 -o lowest examples/engines/lowest.c && ochibot play --player "engine:./lowest" */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1 << 20];

int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        if (strstr(line, "\"type\":\"hello\"")) {
            puts("{\"type\":\"ready\",\"protocol\":1,\"name\":\"lowest in C\"}");
        } else if (strstr(line, "\"type\":\"isready\"")) {
            puts("{\"type\":\"readyok\"}");
        } else if (strstr(line, "\"type\":\"turn\"")) {
            long id = strtol(strstr(line, "\"id\":") + 5, NULL, 10);
            int best = -99, column = 0;
            char partner[8] = "";
            const char *place = strstr(line, "\"legal\":");
            while ((place = strstr(place + 1, "{\"column\":"))) {
                int x, row, height;
                char word[8];
                if (sscanf(place, "{\"column\":%d,\"partner\":\"%7[a-z]\",\"row\":%d", &x, word, &row) != 3) continue;
                height = row - (strcmp(word, "up") == 0);
                if (height > best) best = height, column = x, strcpy(partner, word);
            }
            if (column) {
                printf("{\"type\":\"place\",\"id\":%ld,\"column\":%d,\"partner\":\"%s\"}\n", id, column, partner);
            } else {
                printf("{\"type\":\"none\",\"id\":%ld}\n", id);
            }
        } else if (strstr(line, "\"type\":\"quit\"")) {
            return 0;
        }
        fflush(stdout);
    }
    return 0;
}
