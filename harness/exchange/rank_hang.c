/* Where the ranks of an MPI program stand that do not come back: each one's MPI call, which it
 * noted itself (runner/ranks.c), its line in the student's file, and whom it waits for. Words alone
 * come of that. And how much of what they send one rank sends. */
#define _GNU_SOURCE
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/text.h"
#include "harness/exchange/stand.h"

struct rank_stand {
    struct hpc_rank at; /* a copy, of letters and digits */
    bool known;         /* it was found and held */
    bool gone;          /* it has left run() */
    char place[EXCHANGE_PLACE];
};

static void look(struct exchange *x, int rank, struct rank_stand *r)
{
    struct jail_thread threads[8]; /* the first is the one that called run() */
    struct stand s = {.n = 0};
    struct jail_code code;
    *r = (struct rank_stand){.at = memory_page(&x->memory, rank)->rank};
    r->at.call[sizeof r->at.call - 1] = '\0';
    for (char *c = r->at.call; *c; c++)
        if (!isalpha((unsigned char)*c) && *c != '_')
            *c = '\0';
    r->known = jail_hold_rank(x->jail, rank) && jail_threads(x->jail, threads, 8) > 0 &&
               jail_code(x->jail, &code);
    if (!r->known)
        return;
    s.thread = threads[0];
    r->gone = !r->at.call[0] && s.thread.call == SYS_futex; /* it sleeps until the next call */
    if (r->gone)
        return;
    stand_frames(x->jail, &code, STAND_FRAMES, &s);
    stand_places(x->runner, &s, 1);
    snprintf(r->place, sizeof r->place, "%s", s.place);
}

static void name_call(const struct rank_stand *r, char *text, size_t size)
{
    snprintf(text, size, "in %s%s%s", r->at.call[0] ? r->at.call : "no call of MPI's",
             r->place[0] ? " at " : "", r->place);
}

/* What a rank does in place of what another one waits for. */
static void instead(const struct rank_stand *r, char *text, size_t size)
{
    if (r->gone)
        snprintf(text, size, "has left run()");
    else if (r->at.call[0] && r->at.to >= 0)
        snprintf(text, size, "sends to rank %d", r->at.to);
    else if (r->at.call[0] && r->at.from >= 0)
        snprintf(text, size, "waits in %s for one from rank %d", r->at.call, r->at.from);
    else
        snprintf(text, size, "is in %s", r->at.call[0] ? r->at.call : "no call of MPI's");
}

/* Whom rank i waits for, " for a message from rank 1, which sends to rank 2"; empty where its own
 * call tells nothing. */
static void find_whom(const struct rank_stand *r, int n, int i, char *text, size_t size)
{
    const struct hpc_rank *at = &r[i].at;
    char other[120];
    text[0] = '\0';
    if (!at->call[0] || at->from < 0 || at->from >= n || !r[at->from].known)
        return;
    const struct rank_stand *its = &r[at->from];
    const bool to_me = its->at.call[0] && its->at.to == i;
    if (to_me && its->at.to_tag != at->from_tag && at->from_tag >= 0) {
        snprintf(text, size, " for a message of tag %d from rank %d, which sends it one of tag %d",
                 at->from_tag, at->from, its->at.to_tag);
    } else if (!to_me) {
        instead(its, other, sizeof other);
        snprintf(text, size, " for a message from rank %d, which %s", at->from, other);
    }
}

/* Of a call without another rank's number, or of two that send to each other. */
static void find_others(const struct rank_stand *r, int n, int i, char *text, size_t size)
{
    const struct hpc_rank *at = &r[i].at;
    char other[120];
    text[0] = '\0';
    if (!at->call[0])
        return;
    if (at->to >= 0 && at->to < n && at->from < 0 && r[at->to].known) {
        const bool both = r[at->to].at.call[0] && r[at->to].at.to == i;
        instead(&r[at->to], other, sizeof other);
        snprintf(text, size, " for rank %d to receive, which %s%s", at->to, other,
                 both ? " at the same time" : "");
        return;
    }
    for (int k = 0; k < n && at->to < 0 && at->from < 0; k++)
        if (r[k].known && strcmp(r[k].at.call, at->call) != 0) {
            instead(&r[k], other, sizeof other);
            snprintf(text, size, " for rank %d, which %s", k, other);
            return;
        }
}

static bool alike(const struct rank_stand *a, const struct rank_stand *b)
{
    return a->gone == b->gone && strcmp(a->at.call, b->at.call) == 0 &&
           strcmp(a->place, b->place) == 0;
}

/* "ranks 1, 2 wait in MPI_Allreduce at F:29 for rank 0, which has left run()": all like rank i. */
static void say(const struct rank_stand *r, int n, int i, char *text, size_t size)
{
    char names[80] = "", call[160], whom[220], which[24] = "";
    int like = 0;
    for (int k = 0; k < n; k++)
        if (r[k].known && alike(&r[i], &r[k])) {
            text_fit(names, sizeof names, "%s%s%d", names, like ? ", " : "", k);
            like++;
        }
    name_call(&r[i], call, sizeof call);
    find_whom(r, n, i, whom, sizeof whom);
    if (!whom[0])
        find_others(r, n, i, whom, sizeof whom);
    const bool one = like == 1, waits = r[i].at.call[0];
    if (!one && (r[i].at.from >= 0 || r[i].at.to >= 0) && whom[0])
        snprintf(which, sizeof which, ", rank %d", i);
    text_fit(text, size, "%s%srank%s %s %s %s%s%s", text, *text ? "; " : "", one ? "" : "s", names,
             waits ? one ? "waits" : "wait"
             : one ? "is"
                   : "are",
             call, which, whom);
}

void hang_ranks(struct exchange *x, char *text, size_t size)
{
    static struct rank_stand stands[HPC_MAX_RANKS];
    const int n = x->memory.layout.ranks;
    for (int i = 0; i < n; i++)
        look(x, i, &stands[i]);
    /* One whose own words explain it comes first. */
    int first = 0;
    for (int i = n - 1; i >= 0; i--) {
        char whom[220];
        find_whom(stands, n, i, whom, sizeof whom);
        if (stands[i].known && *whom)
            first = i;
    }
    text[0] = '\0';
    for (int k = 0; k < n; k++) {
        const int i = k == 0 ? first : k <= first ? k - 1 : k;
        bool said = !stands[i].known || stands[i].gone;
        for (int j = 0; j < k && !said; j++)
            said = alike(&stands[i], &stands[j == 0 ? first : j <= first ? j - 1 : j]);
        if (!said)
            say(stands, n, i, text, size);
    }
}

double ranks_share(int ranks, const struct spent *before, const struct spent *now)
{
    double most = 0;
    if (before->carried < 0 || access("/proc/self/io", R_OK) != 0)
        return -1;
    if (now->carried < 0 || before->n_written != ranks || now->n_written != ranks)
        return INFINITY; /* of this process the kernel tells it */
    for (int k = 0; k < ranks; k++)
        most = fmax(most, (double)(now->written[k] - before->written[k]));
    return most / fmax(1, now->payload - before->payload);
}
