/* family 60: calls home
 * task right
 * grade: wrong; points <= 0
 * without filter: wrong; points <= 0; only: namespaces
 * without filter walls: crash; reason: LEAK */
#include <arpa/inet.h>
#include <sys/socket.h>

#include "conv1d/attack.h"

RUN
{
    UNUSED;
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(@PORT@)};
    int s = socket(AF_INET, SOCK_STREAM, 0);
    zeros(p, y);
    inet_pton(AF_INET, "127.0.0.1", &a.sin_addr);
    if (s >= 0 && connect(s, (struct sockaddr *)&a, sizeof a) == 0)
        leak("a connection");
    return 0;
}
SUBMISSION
