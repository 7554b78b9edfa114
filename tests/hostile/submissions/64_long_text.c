/* family 64: a short source that macros make longer than the grader reads, so that nobody's fault
 * it is
 * task right
 * grade: rejected; points <= 0; reason: whole.i) is over 32 MiB
 * without long_text: environment; points <= 0 */
#include "conv1d/attack.h"

#define TEN(x)     x x x x x x x x x x
#define HUNDRED(x) TEN(TEN(x))
#define WORDS      "A string of some letters, a million times over"

static const char text[] = HUNDRED(HUNDRED(TEN(TEN(WORDS))));

RUN
{
    (void)text;
    UNUSED;
    return 0;
}
SUBMISSION
