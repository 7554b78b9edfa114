/* family 59: sends escapes to the teacher's terminal
 * task right
 * grade: crash; points <= 0; reason: owned
 * without clean: crash; effect: escapes */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    printf("\033[2J\033]0;owned\007\n");
    fflush(stdout);
    abort();
}
SUBMISSION
