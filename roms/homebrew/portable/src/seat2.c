/* Seat 2: the rules and the picture once more, over its own state. These processors are much faster with fixed addresses
   than with pointers. */
#define SEAT 2
#include "game.c"
#include "nuisance.c"
#include "versus.c"
