/* Whether each rank of an MPI program works on what it alone was given: by the bytes that all of
 * them send in one call, as the kernel counts them on the loopback of their jail. Who is to do
 * another rank's work needs its inputs first, and these are random numbers, which nothing makes
 * shorter. */
#include <math.h>

#include "common/defence.h"
#include "harness/trial/internal.h"

/* Of four ranks in a ring each sends a quarter, and who passes all weights around once has ranks
 * that send a third; the middle of a star sends half. */
#define MOST_UNEVEN 1.6 /* times the share of each */
#define MOST_SENT   0.1 /* of the bytes that a rank alone was given, where that is least */

/* Bytes of the inputs that one rank alone is given; of the rank that has least of them. */
static double least_own(const struct hpc_layout *layout)
{
    double least = 0;
    for (int rank = 1; rank <= layout->ranks; rank++) {
        double own = 0;
        for (int k = 0; k < layout->n_in; k++)
            if (layout->in[k].owner == rank)
                own += (double)(layout->in[k].count * hpc_type_bytes(layout->in[k].type));
        least = rank == 1 || own < least ? own : least;
    }
    return least;
}

bool ranks_judge_even(int ranks, double share, const char *name, struct outcome *o)
{
    const double even = 1.0 / ranks;
    if (share < 0)
        return outcome_set(o, VERDICT_ENVIRONMENT, "the kernel does not tell what each rank sends");
    if (share <= MOST_UNEVEN * even)
        return true;
    if (isinf(share))
        return outcome_set(o, VERDICT_REJECTED,
                           "case %s: a rank was ended, or does not show what it sends", name);
    outcome_hint(o, "in a ring each rank sends to its right neighbour alone, and all send as much: "
                    "one that gathers what the others have sends most of it");
    return outcome_set(o, VERDICT_REJECTED,
                       "case %s: one rank sent %.0f%% of what all %d did, expected at most %.0f%%",
                       name, 100 * share, ranks, 100 * MOST_UNEVEN * even);
}

bool ranks_judge(const struct hpc_layout *layout, double sent, const char *name, struct outcome *o)
{
    const double own = least_own(layout), most = MOST_SENT * own;
    if (layout->ranks < 2 || own <= 0)
        return outcome_set(o, VERDICT_ENVIRONMENT,
                           "case %s gives no two ranks samples of their own, which is the case's "
                           "fault: tell your course",
                           name);
    if (sent < 0)
        return outcome_set(o, VERDICT_ENVIRONMENT,
                           "the kernel does not tell what ranks send to each other");
    if (sent <= most)
        return true;
    if (isinf(sent))
        return outcome_set(o, VERDICT_REJECTED, "case %s: mpirun was ended within a call", name);
    outcome_hint(o, "each rank trains on the samples that it has, and sends weights alone: who has "
                    "the samples of others too can do their work");
    return outcome_set(o, VERDICT_REJECTED,
                       "case %s: the ranks sent each other %.0f KB, expected at most %.0f KB, a "
                       "tenth of what one rank alone is given",
                       name, 1e-3 * sent, 1e-3 * most);
}

bool trial_ranks(struct trial *t, const struct lab_case *c, uint64_t seed, struct outcome *o)
{
    struct hpc_layout layout;
    struct case_try try = {.c = c,
                           .built = trial_runner(t, BUILD_PLAIN),
                           .seed = seed,
                           .threads = t->threads,
                           .limits = t->limits,
                           .calls = 1,
                           .carried = true};
    if (!try_case(&try)) {
        outcome_hint(o, "%s", try.outcome.hint);
        return outcome_set(o, try.outcome.verdict, "case %s: %s", c->name, try.outcome.reason);
    }
    c->op->layout(try.ready.problem, &layout);
    if (!ranks_judge(&layout, try.sent, c->name, o))
        return false;
    if (DEFENCE(even_ranks) && t->task->even_ranks)
        return ranks_judge_even(layout.ranks, try.share, c->name, o);
    return true;
}
