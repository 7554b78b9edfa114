/* family 69: strtod() stores where a number ends, with OpenMP; strlen() loads what another stores
 * task parallel
 * full
 * needs archer
 * grade: unsafe; points <= 1.5; reason: and the thread sanitizer does not see
 * without followed: pass; points >= 3 */
#include <stdlib.h>
#include <string.h>

#include "conv1d/attack.h"

static char *end, text[8] = "1.5";

RUN
{
    double sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += strtod(text, &end) + (double)strlen(text); /* by both threads at once */
    if (sum < 0)
        zeros(p, y);
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
