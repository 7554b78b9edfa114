/* family 72: text for the assembler in the name of a section, a line below the word, and one that
 * begins like any other
 * task races
 * full
 * grade: rejected; points <= 0; reason: says of a variable
 * without assembly one_name: pass; points >= 5 */
#include <pthread.h>

#include "conv1d/attack.h"

static volatile __attribute__((used)) int finished;

void hidden_count(void); /* by both threads at once, where no compiler knows of it */

static const int place __attribute__((used, section(
    _Generic(0, int: ".data.rel.ro" "\n .text\n .globl hidden_count\n"
    ".type hidden_count, @function\nhidden_count: incl finished(%rip)\n ret\n"
    ".section .rodata.x")))) = 1;

static void *count(void *p)
{
    hidden_count();
    return p;
}

RUN
{
    pthread_t thread;
    answer(p, x, w, y);
    if (pthread_create(&thread, NULL, count, NULL) != 0)
        return 1;
    count(NULL);
    return pthread_join(thread, NULL);
}
SUBMISSION
