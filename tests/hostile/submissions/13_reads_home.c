/* family 13: reads the tests, the home folder, and what lies above
 * task right
 * grade: wrong; points <= 0
 * without walls: crash; reason: LEAK */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    zeros(p, y);
    if (open(beside("../home/canary"), O_RDONLY) >= 0)
        leak("a file of the home folder");
    if (open(beside("labs/lab90/hidden.ini"), O_RDONLY) >= 0)
        leak("the hidden cases");
    if (open("/etc/passwd", O_RDONLY) >= 0)
        leak("the password file");
    return 0;
}
SUBMISSION
