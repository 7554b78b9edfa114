#include "benchmarks/convpool/gpu_rows.hpp"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/convpool/gpu_board.hpp"
#include "common/table.h"
extern "C" {
#include "common/stats.h"
}

static const char columns[] =
    "key,method,cold_us,low_us,high_us,hot_us,loop_us,open_ms,workspace,right,error_most,error_rms,"
    "error_units,positive_most,positive_right,scaled_most,scaled_right,floor_us,nodes,slots,sm_mhz,"
    "watts,throttled,samples_us,positive_rms,scaled_rms";

gpu_options gpu_options_read(int argc, char **argv, const char *usage)
{
    gpu_options o;
    for (int i = 1; i < argc; i++) {
        const std::string word = argv[i];
        const bool more = i + 1 < argc;
        if (word == "--out" && more) {
            o.out = argv[++i];
        } else if (word == "--only" && more) {
            o.only = argv[++i];
        } else if (word == "--maps" && more) {
            o.maps = argv[++i];
        } else if (word == "--time" && more) {
            o.seconds = atof(argv[++i]);
        } else if (word == "--rounds" && more) {
            o.rounds = atoi(argv[++i]);
        } else if (word == "--budget" && more) {
            o.budget = atof(argv[++i]);
        } else if (word == "--energy") {
            o.energy = true;
        } else {
            fputs(usage, word == "--help" ? stdout : stderr);
            exit(word == "--help" ? HPC_EXIT_OK : HPC_EXIT_USAGE);
        }
    }
    return o;
}

/* Compress twice (benchmarks/convpool/build): what it costs is the difference. */
extern "C" const struct hpc_variant hpc_variant_sparse_window_twice;
extern "C" const struct hpc_variant hpc_variant_sparse_blocked_twice;

const struct hpc_variant *gpu_variant(const std::string &name)
{
    if (name == "sparse_window_twice")
        return &hpc_variant_sparse_window_twice;
    if (name == "sparse_blocked_twice")
        return &hpc_variant_sparse_blocked_twice;
    for (int i = 0; hpc_variants[i]; i++)
        if (name == hpc_variants[i]->name)
            return hpc_variants[i];
    return NULL;
}

static void append(const gpu_rows *rows, const std::string &text)
{
    FILE *f = fopen(rows->path.c_str(), "a");
    if (!f || fputs(text.c_str(), f) < 0 || fclose(f) != 0) {
        perror(rows->path.c_str());
        exit(HPC_EXIT_ENVIRONMENT);
    }
}

static std::string attempt_path(const gpu_rows *rows)
{
    return rows->path + ".attempt";
}

void gpu_rows_open(gpu_rows *rows, const gpu_options &o, const char *file, const char *command)
{
    char line[65536];
    int gpus = 0;
    if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
        fprintf(stderr, "%s: no GPU here; expected one\n", command);
        exit(HPC_EXIT_ENVIRONMENT);
    }
    rows->path = o.out + "/" + file;
    rows->only = o.only;
    rows->begin = gpu_now();
    rows->seconds = o.seconds;
    FILE *f = fopen(rows->path.c_str(), "r");
    while (f && fgets(line, sizeof line, f))
        if (*line != '#')
            rows->done.insert(std::string(line).substr(0, strcspn(line, ",\n")));
    if (f)
        fclose(f);
    else
        append(rows, std::string("# ") + command + ", " + gpu_board_name() + "\n" + columns + "\n");
    f = fopen(attempt_path(rows).c_str(), "r");
    if (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        if (!rows->done.count(line))
            append(rows, std::string(line) + ",ended the process\n");
        rows->done.insert(line);
    }
    if (f)
        fclose(f);
    unlink(attempt_path(rows).c_str());
}

bool gpu_rows_begin(gpu_rows *rows, const std::string &key)
{
    if (rows->done.count(key) || key.find(rows->only) == std::string::npos)
        return false;
    if (gpu_now() - rows->begin > rows->seconds)
        return false;
    FILE *f = fopen(attempt_path(rows).c_str(), "w");
    if (f) {
        fprintf(f, "%s\n", key.c_str());
        fclose(f);
    }
    return true;
}

static const char *verdict(const gpu_errors &e)
{
    return e.each ? "each" : e.normwise ? "normwise" : "wrong";
}

void gpu_rows_end(gpu_rows *rows, const std::string &key, const gpu_case *g,
                  const std::vector<gpu_method> &methods)
{
    const gpu_board board = gpu_board_read();
    std::string text;
    char line[1024];
    for (const gpu_method &m : methods) {
        const int n = (int)m.samples.size();
        const struct stats_interval t = stats_bootstrap_median(m.samples.data(), n, 0.95, 1000, 20);
        snprintf(line, sizeof line,
                 "%s,%s,%.3f,%.3f,%.3f,%.3f,%.3f,%.1f,%zu,%s,%.3g,%.3g,%.3g,%.3g,%s,%.3g,%s,%.3f,"
                 "%d,%d,%d,%.0f,%llx,",
                 key.c_str(), m.name.c_str(), t.value * 1e6, t.low * 1e6, t.high * 1e6,
                 m.hot_s * 1e6, m.loop_s * 1e6, m.open_s * 1e3, m.workspace, verdict(m.normal),
                 m.normal.most, m.normal.rms, m.normal.units, m.positive.most, verdict(m.positive),
                 m.scaled.most, verdict(m.scaled), gpu_case_floor(g) * 1e6, m.nodes, g->slots,
                 board.sm_mhz, board.watts, board.throttled);
        text += line;
        for (int i = 0; i < n; i++) {
            snprintf(line, sizeof line, "%s%.3f", i ? ";" : "", m.samples[i] * 1e6);
            text += line;
        }
        snprintf(line, sizeof line, ",%.3g,%.3g\n", m.positive.rms, m.scaled.rms);
        text += line;
        printf("%-28s %-20s %10.2f us  hot %8.2f  loop %8.2f  %-8s %.2g\n", key.c_str(),
               m.name.c_str(), t.value * 1e6, m.hot_s * 1e6, m.loop_s * 1e6, verdict(m.normal),
               m.normal.units);
    }
    if (methods.empty())
        text = key + ",no method takes it\n";
    append(rows, text);
    rows->done.insert(key);
    unlink(attempt_path(rows).c_str());
    fflush(stdout);
}

void gpu_rows_measure(gpu_rows *rows, const std::string &key, gpu_case *g,
                      const std::vector<std::string> &names, const gpu_options &o)
{
    std::vector<gpu_method> methods;
    for (const std::string &name : names) {
        gpu_method m = gpu_method();
        m.name = name;
        const struct hpc_variant *v = gpu_variant(name);
        if (v && gpu_method_open(&m, v, g))
            methods.push_back(m);
    }
    gpu_methods_time(&methods, g, o.rounds, o.budget);
    for (gpu_method &m : methods)
        gpu_method_check(&m, g);
    gpu_methods_check_values(&methods, g);
    gpu_rows_end(rows, key, g, methods);
    for (gpu_method &m : methods)
        gpu_method_close(&m);
}
