/* benchmarks/conv1d/run builds this and runs it: see --help. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: conv1d [--quick | --guards] [--out FOLDER] [--commit TEXT] [--rounds N] "
    "[--peer-seconds S]\n"
    "Times all variants of conv1d/ on the GPU, n = 1e3, 1e5, 1e7, 1e9, masks 3, 9, 31, 127: the\n"
    "kernel alone and with transfers, beside the processor, copies of the same bytes and cuDNN; "
    "the\n"
    "confounds of the paper's tables; all outputs checked in double. Writes h200-conv1d.md and "
    ".csv\n"
    "(or by the GPU's name) into FOLDER. --quick: to 1e7, 5 rounds. --peer-seconds: for searches "
    "of\n"
    "cuDNN's engines. --guards: of masks 3 to 127 at n = 1e8 what comparisons at each tap cost, "
    "into\n"
    "h200-conv1d-guards.md and .csv, and nothing else. Ends with 1 where an output is wrong, 3 "
    "where there is no GPU.\n";

static int read_options(int argc, char **argv, options *o)
{
    for (int i = 0; i < argc; i++)
        o->command += (i ? " " : "") + std::string(argv[i]);
    for (int i = 1; i < argc; i++) {
        const bool more = i + 1 < argc;
        if (!strcmp(argv[i], "--help"))
            return fputs(usage, stdout), 0;
        else if (!strcmp(argv[i], "--quick"))
            o->quick = true;
        else if (!strcmp(argv[i], "--guards"))
            o->guards = true;
        else if (!strcmp(argv[i], "--out") && more)
            o->out = argv[++i];
        else if (!strcmp(argv[i], "--commit") && more)
            o->commit = argv[++i];
        else if (!strcmp(argv[i], "--rounds") && more)
            o->rounds = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--peer-seconds") && more)
            o->peer_seconds = atof(argv[++i]);
        else
            return fprintf(stderr, "conv1d: unexpected %s; see --help\n", argv[i]), 2;
    }
    if (o->quick)
        o->rounds = 5;
    return o->rounds >= 1 ? -1 : (fprintf(stderr, "conv1d: --rounds wants 1 or more\n"), 2);
}

static int pairs_for(int64_t n)
{
    return n <= 10000 ? 1000 : n <= 1000000 ? 400 : n <= 100000000 ? 4 : 2;
}

static bool wrong(const std::vector<contestant> &all)
{
    bool any = false;
    for (const contestant &c : all)
        for (const errors *e : {&c.timed, &c.positive, &c.scaled})
            if (c.peer ? e->rms > 1e-5
                       : e->most > 2e-5) { /* a peer may be right in the norm alone */
                fprintf(stderr, "WRONG: %s errs by %.2g of sum |w||x|, rms %.2g\n", c.name.c_str(),
                        e->most, e->rms);
                any = true;
            }
    return any;
}

static bool run_cells(const options &o, std::vector<cell> *cells, std::vector<std::string> *board)
{
    bool bad = false;
    for (cell &c : *cells) {
        signals s;
        const cell *before = NULL;
        for (const cell &b : *cells)
            if (b.taps == c.taps && b.n < c.n)
                before = &b;
        signals_open(&s, c.n, c.taps, pairs_for(c.n));
        c.all = open_variants(&s);
        time_cell(&c, &s, before, o);
        time_cpu(&c, &s, o);
        close_all(&c.all);
        signals_close(&s);
        bad |= wrong(c.all);
        char line[300];
        snprintf(line, sizeof line, "n = %.0e, mask %d: %s", (double)c.n, c.taps,
                 board_line().c_str());
        board->push_back(line);
        fprintf(stderr, "%s\n", line);
    }
    return bad;
}

struct report {
    std::string machine, confounds;
    std::vector<std::string> board;
    void write(const options &o, const std::vector<cell> &cells) const
    {
        write_csv(o, cells);
        write_report(o, cells, machine, board, confounds);
    }
};

/* The longest signals last: a search takes longest there, and time may be over. */
static bool run_peers(const options &o, std::vector<cell> *cells, const report &r)
{
    bool bad = false;
    const double begin = now();
    for (int64_t n : {10000000LL, 100000LL, 1000LL, 1000000000LL})
        for (cell &c : *cells) {
            if (c.n != n || now() - begin > o.peer_seconds)
                continue;
            signals s;
            signals_open(&s, c.n, c.taps, pairs_for(c.n));
            c.peers = open_peers(&s);
            time_cold(&c.peers, &s, o);
            close_all(&c.peers);
            signals_close(&s);
            bad |= wrong(c.peers);
            fprintf(stderr, "peers: n = %.0e, mask %d, %.0f s\n", (double)c.n, c.taps,
                    now() - begin);
            r.write(o, *cells); /* what is there stays, whatever the next one does */
        }
    return bad;
}

int main(int argc, char **argv)
{
    options o;
    int devices = 0;
    const int status = read_options(argc, argv, &o);
    if (status >= 0)
        return status;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        fprintf(stderr, "conv1d: no GPU here, expected one that CUDA can use\n");
        return 3;
    }
    o.cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (o.guards)
        return guards(o);
    std::vector<cell> cells;
    for (double n : {1e3, 1e5, 1e7, 1e9})
        for (int taps : {3, 9, 31, 127})
            if (n < 1e9 || !o.quick)
                cells.push_back({(int64_t)n, taps, {}, {}, {}, {}});
    report r;
    r.machine = machine_line(o);
    bool bad = run_cells(o, &cells, &r.board);
    r.write(o, cells);
    r.confounds = confounds(o, &cells);
    r.write(o, cells);
    bad |= run_peers(o, &cells, r);
    r.write(o, cells);
    return bad;
}
