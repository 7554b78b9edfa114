/* family 32: a thread sees the inputs come, and has the answer ready at the start signal
 * task fast
 * grade: pass; points <= 20
 * without hold: pass; points >= 42 */
#include "conv1d/attack_early.h"

SUBMISSION_WITH(begin, plain_close)
