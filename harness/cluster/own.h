/* What the files of ./grade --queue share. ROOT/results/queue/ has, besides `lock` and `sent` (a
 * line each sending, for the site's quota), a folder of what is in the queue: the files as they
 * were, script.sh, screen.txt, status. */
#ifndef HPC_HARNESS_CLUSTER_OWN_H
#define HPC_HARNESS_CLUSTER_OWN_H

#include "harness/cluster/cluster.h"

struct own {
    const struct project *p;
    struct site site;
    const char *file; /* of the site */
    char *folder;     /* ROOT/results/queue */
    char *base;       /* a folder below it: what was sent, NULL: nothing */
    char name[40];    /* of its job in the queue */
    int lock, tries;
    char said[200]; /* of its place */
    char why[100];  /* and of why it waits */
};

/* own_send.c. False with a line that says when the next one may be sent. */
bool own_within_quota(const struct own *q, struct hpc_error *err);
/* Note a sending, and say how many the site allows. */
bool own_note_sent(const struct own *q, struct hpc_error *err);
/* Copy the lab's files to q->base, and write the script there that grades them. */
bool own_write(const struct own *q, const struct own_words *words, struct hpc_error *err);

#endif
