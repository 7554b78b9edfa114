/* family 60: a UNIX socket without a file
 * task right
 * grade: wrong; points <= 0
 * without filter: wrong; points <= 0; only: namespaces
 * without filter walls: crash; reason: LEAK */
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "conv1d/attack.h"

RUN
{
    UNUSED;
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    zeros(p, y);
    strcpy(a.sun_path + 1, "hpc_attack_@PORT@");
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(a.sun_path + 1));
    if (s >= 0 && connect(s, (struct sockaddr *)&a, length) == 0)
        leak("a UNIX socket");
    return 0;
}
SUBMISSION
