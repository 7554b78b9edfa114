/* The benchmark of conv1d/ on a GPU: what its files share.
 *
 * A cell is one n and one mask. Its contestants are the variants in CUDA, copies of the same bytes,
 * and cuDNN; each is timed in a CUDA graph whose nodes go round `pairs` of signals, so that nothing
 * is found in the L2 ("cold"), in one that stays on the same pair ("hot"), in a plain loop of calls
 * ("loop"), and once with the copies from and to the host ("transfers"). All times are seconds a
 * call. */
#ifndef HPC_BENCHMARKS_CONV1D_BENCH_H
#define HPC_BENCHMARKS_CONV1D_BENCH_H

#include <stdint.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "conv1d/conv1d.h"

#define CUDA(call) bench_check((call), #call, __FILE__, __LINE__)
void bench_check(int error, const char *call, const char *file, int line); /* ends the process */

/* Signals on the device: x[p] and y[p], n floats each, x[p] between MARGIN zeros. */
enum { MARGIN = 128 };
struct signals {
    int64_t n;
    int pairs;
    std::vector<float *> x, y;
    float *all_x, *all_y, *mask; /* mask: 2r + 1 floats */
    std::vector<float> host_mask;
};

enum values {
    ZERO_MEAN,
    POSITIVE,
    SCALED
}; /* x uniform in +-4, in (0, 4), in +-4 by 2^-20..2^20 */
void signals_open(signals *s, int64_t n, int taps, int pairs);
void signals_fill(signals *s, enum values values);
void signals_poison(signals *s);
void signals_close(signals *s);

/* How y[pair] differs from the formula in double, of |got - want| / sum |w| |x|, over all outputs.
 */
struct errors {
    double most, rms;
};
errors signals_check(const signals *s, int pair, bool copy);

struct timing {
    std::vector<double> seconds; /* of a call, one value a round */
    int nodes;                   /* calls in what was timed */
    bool scaled;                 /* not measured: from a smaller n, in proportion */
    double median() const;
};

struct contestant {
    std::string name;
    bool copy, peer;
    std::function<int(const float *x, float *y)> run; /* on cudaStreamPerThread */
    std::function<void()> close;
    std::map<std::string, timing> times; /* by "cold", "hot", "loop", "transfers" */
    errors timed, positive, scaled;      /* of the timed output; on other inputs */
};

struct cell {
    int64_t n;
    int taps;
    std::vector<contestant> all;
    std::vector<contestant> peers;     /* cuDNN, and in turn with it the record and a copy */
    std::vector<contestant> confounds; /* variants with one of the paper's ways of measuring */
    std::map<std::string, timing> cpu; /* "cpu", "cpu_simd" */
};

struct options {
    std::string out = "benchmarks/results", commit = "unknown", command;
    bool quick = false, guards = false;
    int rounds = 15, cores = 1;
    double peer_seconds = 240; /* no search of cuDNN's begins later than that after the first */
};

/* contestants.cu. threads: of a block, 0 for the variants' choice. */
const struct hpc_variant *find_variant(const std::string &name); /* of those in CUDA; or NULL */
bool open_variant(contestant *c, const struct hpc_variant *v, const signals *s, int threads);
std::vector<contestant> open_variants(const signals *s);
std::vector<contestant> open_peers(const signals *s);
void close_all(std::vector<contestant> *all); /* their times stay */
std::string cudnn_state(void);                /* "cuDNN 9.14.0", or why there is none */

/* timing.cu: fills times and errors. `before`: the same contestants at a smaller n, or NULL. */
void time_cell(cell *c, signals *s, const cell *before, const options &o);
/* Only cold. */
void time_cold(std::vector<contestant> *all, signals *s, const options &o);
/* Copies to the device, one call, copies back, on the host's clock. */
double now(void); /* seconds, of a clock that only goes on */
timing time_transfers(const contestant &c, signals *s, int rounds);

/* cpu.cu */
float *host_buffer(int which, size_t bytes); /* 0 or 1; kept for the next call */
void time_cpu(cell *c, const signals *s, const options &o);

/* confounds.cu: what the paper's way of measuring does to its conclusions; a table. */
std::string confounds(const options &o, std::vector<cell> *cells);

/* guards.cu: writes its own files; 1 where an output is wrong. */
int guards(const options &o);

/* report.cu */
std::string text(const char *format, ...); /* as printf */
std::string gpu_name(void);
std::string result_path(const options &o, const char *suffix); /* FOLDER/h200-conv1d + suffix */
std::string machine_line(const options &o);
std::string board_line(void); /* clocks, power, what throttles, now */
void write_csv(const options &o, const std::vector<cell> &cells);
std::string format_time(double seconds);
/* tables.cu */
void write_report(const options &o, const std::vector<cell> &cells, const std::string &machine,
                  const std::vector<std::string> &board, const std::string &confounds);

#endif
