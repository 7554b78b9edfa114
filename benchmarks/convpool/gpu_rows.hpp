/* Results that are written as they come, and a benchmark that goes on where it ended: one CSV
 * file, a line a method, `key` its first field. A row whose work ended the process is known by the
 * file FILE.attempt and is marked, not tried again. */
#ifndef HPC_BENCHMARKS_GPU_ROWS_H
#define HPC_BENCHMARKS_GPU_ROWS_H

#include <set>

#include "benchmarks/convpool/gpu_method.hpp"

struct gpu_options {
    std::string out = "benchmarks/results", only;
    std::string maps;     /* sparse: a folder that `hpclab featuremaps` wrote */
    double seconds = 1e9; /* no new row is begun after so many */
    int rounds = 15;
    double budget = 1e9; /* seconds of timing in a row: fewer rounds, 5 at least */
    bool energy = false;
};
/* --out FOLDER --only TEXT --time SECONDS --rounds N --budget SECONDS --maps FOLDER --energy; ends
 * on others. */
gpu_options gpu_options_read(int argc, char **argv, const char *usage);

struct gpu_rows {
    std::string path;
    std::set<std::string> done;
    double begin, seconds;
    std::string only;
};
void gpu_rows_open(gpu_rows *rows, const gpu_options &o, const char *file, const char *command);
/* Whether to measure this row now: not done, wanted, and time is left. Marks it as tried. */
bool gpu_rows_begin(gpu_rows *rows, const std::string &key);
/* One line for each method, and the row is done. */
void gpu_rows_end(gpu_rows *rows, const std::string &key, const gpu_case *g,
                  const std::vector<gpu_method> &methods);
/* Measure a row: open what takes the problem, time, check, write. names: variants in this order. */
void gpu_rows_measure(gpu_rows *rows, const std::string &key, gpu_case *g,
                      const std::vector<std::string> &names, const gpu_options &o);
const struct hpc_variant *gpu_variant(const std::string &name); /* NULL where it is not linked */

#endif
