/* Where a held runner's threads stand, for words about it; nothing is judged by them. */
#ifndef HPC_HARNESS_EXCHANGE_STAND_H
#define HPC_HARNESS_EXCHANGE_STAND_H

#include "common/command.h"
#include "harness/exchange/internal.h"

#define STAND_FRAMES 12                /* return addresses of a thread that are looked at */
#define STAND_ANSWER ((size_t)1 << 18) /* bytes that a tool may say */

struct stand {
    struct jail_thread thread;
    uint64_t address[STAND_FRAMES]; /* in the program's file, the innermost first */
    int n;
    char place[EXCHANGE_PLACE]; /* "labs/lab4/pthread.c:29", or empty */
    char what[80];              /* what it waits for, or empty */
    bool pauses;                /* it runs, about an instruction for loops that only wait */
};

/* At most `most` addresses of the program's that the thread is in, or seems to return to. */
void stand_frames(struct jail *jail, const struct jail_code *code, int most, struct stand *s);
#define STAND_WORDS 2048 /* of a stack that are looked at */
/* The words of a held thread's stack, the innermost first; how many could be read. */
size_t stand_stack(struct jail *jail, const struct jail_thread *t, uint64_t stack[STAND_WORDS]);
/* Whether it sleeps; or waits, for which it may pause or yield in a loop too. */
bool stand_sleeps(const struct stand *s);
bool stand_waits(const struct stand *s);
/* Their places, by addr2line. */
void stand_places(const char *runner, struct stand *stands, int n);
/* What a tool says of the runner, in a jail of its own, for the file is the student's; the
 * caller's, perhaps empty. The words are freed. */
char *stand_ask(const char *runner, struct command_line *w);

#endif
