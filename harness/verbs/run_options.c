/* The options of `hpclab run`. */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "harness/verbs/run_words.h"
#include "common/ui.h"

static bool read_number(const char *name, const char *text, uint64_t low, uint64_t high,
                        uint64_t *value, struct hpc_error *err)
{
    char *stop;
    errno = 0;
    *value = strtoull(text, &stop, 10);
    if (errno || *stop || stop == text || *text == '-' || *value < low || *value > high)
        return hpc_fail(err, "--%s %s: expected a number from %llu to %llu", name, text,
                        (unsigned long long)low, (unsigned long long)high);
    return true;
}

/* 1: go on; 0: help was printed; -1: err. */
int run_read_options(int argc, char **argv, struct run_options *o, struct hpc_error *err)
{
    static const struct option longs[] = {
        {"impl", required_argument, NULL, 'i'},
        {"case", required_argument, NULL, 'c'},
        {"seed", required_argument, NULL, 's'},
        {"threads", required_argument, NULL, 't'},
        {"calls", required_argument, NULL, 'n'},
        {"call", required_argument, NULL, 'f'},
        {"safety", required_argument, NULL, 'a'},
        {"device", required_argument, NULL, 'd'},
        {"plain", no_argument, NULL, 'p'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    uint64_t number;
    bool plain = false;
    optind = 0;
    opterr = 0;
    o->calls = 9;
    o->call = 1;
    o->seed = hpc_random_seed();
    for (int c; (c = getopt_long(argc, argv, ":h", longs, NULL)) != -1;) {
        if (c == 'i')
            o->implementation = optarg;
        else if (c == 'c')
            o->case_name = optarg;
        else if (c == 'a')
            o->safety = optarg;
        else if (c == 'd')
            o->device = optarg;
        else if (c == 'p')
            plain = true;
        else if (c == 'h')
            return 0;
        else if (c == 's') {
            if (!read_number("seed", optarg, 0, UINT64_MAX, &o->seed, err))
                return -1;
        } else if (c == 't') {
            if (!read_number("threads", optarg, 1, 1024, &number, err))
                return -1;
            o->threads = (int)number;
        } else if (c == 'n') {
            if (!read_number("calls", optarg, 1, 1000, &number, err))
                return -1;
            o->calls = (int)number;
        } else if (c == 'f') {
            if (!read_number("call", optarg, 0, UINT64_MAX, &o->call, err))
                return -1;
        } else
            return hpc_fail(err, "run: %s %s; see ./hpclab run --help",
                            c == ':' ? "a value is missing after" : "unknown option",
                            argv[optind - 1]),
                   -1;
    }
    ui_init(plain);
    if (optind == argc)
        return hpc_fail(err, "run: which variant? ./hpclab list --variants shows them"), -1;
    o->name = argv[optind++];
    for (; optind < argc; optind++)
        if (!hpc_params_set_word(&o->words, argv[optind], "command line", err))
            return -1;
    if (o->implementation && strcmp(o->implementation, "student") &&
        strcmp(o->implementation, "reference"))
        return hpc_fail(err, "--impl %s: expected student or reference", o->implementation), -1;
    if (o->safety && strcmp(o->safety, "address") && strcmp(o->safety, "threads") &&
        strcmp(o->safety, "device"))
        return hpc_fail(err, "--safety %s: expected address, threads or, for a .cu, device",
                        o->safety),
               -1;
    return 1;
}
