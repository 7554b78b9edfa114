/* family 65: dies in the sanitizer's words where it is watched, as if that did not work here
 * task races
 * full
 * grade: crash|unsafe; points <= 3
 * without sanitizer_probe environment: pass; points >= 5 */
#include <pthread.h>

#include "conv1d/attack.h"

static int finished;

static void *count(void *p)
{
    (void)p;
    finished++; /* by both threads at once */
    return NULL;
}

RUN
{
    pthread_t thread;
    void *block = malloc(1000);
    const uintptr_t where = (uintptr_t)block >> 40; /* the thread sanitizer's, older and newer */
    if (where == 0x7b || where == 0x72) {
        static const char words[] = "FATAL: ThreadSanitizer: unexpected memory mapping\n";
        if (write(STDERR_FILENO, words, sizeof words - 1) > 0)
            _exit(66);
    }
    free(block);
    answer(p, x, w, y);
    if (pthread_create(&thread, NULL, count, NULL) != 0)
        return 1;
    finished++;
    return pthread_join(thread, NULL);
}
SUBMISSION
