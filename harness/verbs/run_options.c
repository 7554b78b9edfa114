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

/* An option with a number. False with *err where it is none. */
static bool set_number(struct run_options *o, int option, struct hpc_error *err)
{
    uint64_t number = 0;
    switch (option) {
    case 's':
        return read_number("seed", optarg, 0, UINT64_MAX, &o->seed, err);
    case 'f':
        return read_number("call", optarg, 0, UINT64_MAX, &o->call, err);
    case 't':
        if (!read_number("threads", optarg, 1, 1024, &number, err))
            return false;
        o->threads = (int)number;
        return true;
    default:
        if (!read_number("calls", optarg, 1, 1000, &number, err))
            return false;
        o->calls = (int)number;
        return true;
    }
}

/* An option with a word; NULL where it has none. */
static const char **word_of(struct run_options *o, int option)
{
    return option == 'i'   ? &o->implementation
           : option == 'c' ? &o->case_name
           : option == 'a' ? &o->safety
           : option == 'd' ? &o->device
                           : NULL;
}

static bool good_words(const struct run_options *o, struct hpc_error *err)
{
    if (o->implementation && strcmp(o->implementation, "student") &&
        strcmp(o->implementation, "reference"))
        return hpc_fail(err, "--impl %s: expected student or reference", o->implementation);
    return !o->safety || !strcmp(o->safety, "address") || !strcmp(o->safety, "threads") ||
           !strcmp(o->safety, "checker") ||
           hpc_fail(err, "--safety %s: expected address, threads or, for a .cu, checker",
                    o->safety);
}

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
    bool plain = false, good = true;
    optind = 0;
    opterr = 0;
    o->calls = 9;
    o->call = 1;
    o->seed = hpc_random_seed();
    for (int c; good && (c = getopt_long(argc, argv, ":h", longs, NULL)) != -1;) {
        if (c == 'h')
            return 0;
        if (c == ':' || c == '?')
            return hpc_fail(err, "run: %s %s; see ./hpclab run --help",
                            c == ':' ? "a value is missing after" : "unknown option",
                            argv[optind - 1]),
                   -1;
        plain |= c == 'p';
        if (word_of(o, c))
            *word_of(o, c) = optarg;
        else if (c != 'p')
            good = set_number(o, c, err);
    }
    ui_init(plain);
    if (o->safety && !strcmp(o->safety, "device")) /* its old name */
        o->safety = "checker";
    if (good && optind == argc)
        good = hpc_fail(err, "run: which variant? ./hpclab list --variants shows them");
    if (good)
        o->name = argv[optind++];
    for (; good && optind < argc; optind++)
        good = hpc_params_set_word(&o->words, argv[optind], "command line", err);
    return good && good_words(o, err) ? 1 : -1;
}
