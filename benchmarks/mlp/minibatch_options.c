#include "benchmarks/mlp/minibatch_options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

bool minibatch_options(int argc, char **argv, int max_rounds, struct minibatch_options *o)
{
    static const struct option longs[] = {
        {"out", required_argument, NULL, 'o'},    {"quick", no_argument, NULL, 'q'},
        {"rounds", required_argument, NULL, 'r'}, {"threads", required_argument, NULL, 't'},
        {"seed", required_argument, NULL, 's'},   {NULL, 0, NULL, 0},
    };
    int rounds = 0;
    for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
        if (c == 'o')
            o->out = optarg;
        else if (c == 'q')
            o->quick = 1;
        else if (c == 'r')
            rounds = atoi(optarg);
        else if (c == 't')
            o->threads = atoi(optarg);
        else if (c == 's')
            o->seed = strtoull(optarg, NULL, 10);
        else
            rounds = -1;
    }
    o->rounds = rounds ? rounds : o->quick ? 5 : 21;
    if (optind == argc && o->rounds >= 1 && o->rounds <= max_rounds && o->threads >= 1)
        return true;
    fprintf(stderr,
            "usage: minibatch [--out DIR] [--quick] [--rounds 1..%d] [--threads N] [--seed N]\n",
            max_rounds);
    return false;
}
