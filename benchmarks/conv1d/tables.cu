/* The report: tables of medians. */
#include "bench.h"

#include <string.h>
#include <time.h>

#include <algorithm>
#include <fstream>

extern "C" {
#include "common/stats.h"
}

static const int TAPS[] = {3, 9, 31, 127};

static const cell *cell_of(const std::vector<cell> &cells, int64_t n, int taps)
{
    for (const cell &c : cells)
        if (c.n == n && c.taps == taps)
            return &c;
    return NULL;
}

/* Median seconds, -1 where there is none. */
static double seconds_of(const std::vector<contestant> &all, const std::string &name,
                         const char *kind)
{
    for (const contestant &c : all)
        if (c.name == name && c.times.count(kind))
            return c.times.at(kind).median();
    return -1;
}

static bool scaled(const cell &c, const std::string &name)
{
    for (const contestant &k : c.all)
        if (k.name == name && k.times.count("cold"))
            return k.times.at("cold").scaled;
    return c.cpu.count(name) && c.cpu.at(name).scaled;
}

/* cuDNN's best, and which it was. */
static double best_peer(const cell &c, std::string *which)
{
    double best = -1;
    for (const contestant &k : c.peers) {
        const double t = k.peer ? k.times.at("cold").median() : -1;
        if (t > 0 && (best < 0 || t < best)) {
            best = t;
            *which = k.name.substr(7);
        }
    }
    return best;
}

static std::vector<int64_t> lengths(const std::vector<cell> &cells)
{
    std::vector<int64_t> n;
    for (const cell &c : cells)
        if (n.empty() || n.back() != c.n)
            n.push_back(c.n);
    return n;
}

static void table_alone(std::ofstream &f, const std::vector<cell> &cells, int64_t n)
{
    f << text(
        "\n### n = %.0e\n\n| | mask 3 | mask 9 | mask 31 | mask 127 |\n|---|---|---|---|---|\n",
        (double)n);
    for (const contestant &k : cell_of(cells, n, 3)->all) {
        f << "| " << k.name;
        for (int taps : TAPS) {
            const cell *c = cell_of(cells, n, taps);
            const double t = seconds_of(c->all, k.name, "cold");
            f << " | " << (scaled(*c, k.name) ? "~" : "") << format_time(t)
              << text(" (%.3g%%)", 100 * seconds_of(c->all, "copy", "cold") / t);
        }
        f << " |\n";
    }
    for (const char *name : {"cpu", "cpu_simd"}) {
        f << "| " << name << (strcmp(name, "cpu") ? ", all cores" : ", one core");
        for (int taps : TAPS) {
            const cell *c = cell_of(cells, n, taps);
            f << " | " << (scaled(*c, name) ? "~" : "") << format_time(c->cpu.at(name).median());
        }
        f << " |\n";
    }
    f << "| cuDNN, its best";
    for (int taps : TAPS) {
        std::string which;
        const double t = best_peer(*cell_of(cells, n, taps), &which);
        f << " | " << (t < 0 ? "not measured" : format_time(t) + ", " + which);
    }
    f << " |\n";
}

static void table_kinds(std::ofstream &f, const std::vector<cell> &cells, int64_t n, int taps)
{
    const cell *c = cell_of(cells, n, taps);
    f << text("\n### n = %.0e, mask %d\n\n", (double)n, taps)
      << "| | cold, graph | 95% interval | hot, graph | cold, plain loop | with transfers |\n"
         "|---|---|---|---|---|---|\n";
    for (const contestant &k : c->all) {
        const timing &t = k.times.at("cold");
        const struct stats_interval i =
            stats_bootstrap_median(t.seconds.data(), (int)t.seconds.size(), 0.95, 1000, 7);
        f << "| " << k.name << " | " << (t.scaled ? "~" : "") << format_time(i.value) << " | "
          << format_time(i.low) << " to " << format_time(i.high) << " | "
          << format_time(seconds_of(c->all, k.name, "hot")) << " | "
          << format_time(seconds_of(c->all, k.name, "loop")) << " | "
          << format_time(seconds_of(c->all, k.name, "transfers")) << " |\n";
    }
}

static const struct {
    const char *variant, *title;
    double speedup[4]; /* the paper's, n = 1e3, 1e5, 1e7, 1e9 */
} papers[] = {
    {"multi_block", "Table 2, Code 2", {0.1036, 1.9105, 3.5301, 3.0507}},
    {"constant", "Table 3, Code 3", {0.1071, 1.8316, 3.6387, 3.1515}},
    {"tiled_halo", "Table 4, Code 4, strategy 1", {0.0046, 1.8472, 2.8975, 3.2256}},
    {"tiled_cached", "Table 5, Code 5, strategy 2", {0.0389, 1.9306, 3.2460, 2.8494}},
};

static void table_paper(std::ofstream &f, const std::vector<cell> &cells, size_t paper)
{
    const char *name = papers[paper].variant;
    f << "\n"
      << papers[paper].title << " (`" << name << "`), mask 3:\n\n"
      << "| n | cpu, one core | cpu_simd | kernel alone | with transfers | kernel over cpu | over "
         "cpu_simd | with transfers over cpu | the paper's "
         "|\n|---|---|---|---|---|---|---|---|---|\n";
    size_t row = 0;
    for (int64_t n : lengths(cells)) {
        const cell *c = cell_of(cells, n, 3);
        const double cpu = c->cpu.at("cpu").median(), simd = c->cpu.at("cpu_simd").median();
        const double alone = seconds_of(c->all, name, "cold");
        const double with = seconds_of(c->all, name, "transfers");
        f << text("| %.0e | ", (double)n) << format_time(cpu) << " | " << format_time(simd) << " | "
          << format_time(alone) << " | " << format_time(with)
          << text(" | %.3gx | %.3gx | ", cpu / alone, simd / alone)
          << (with > 0 ? text("%.3gx", cpu / with) : "-")
          << text(" | %.3gx |\n", papers[paper].speedup[row++]);
    }
}

/* Targets of the record: a share of the copy at least, or at mask 127 TFLOP/s. */
static void table_targets(std::ofstream &f, const std::vector<cell> &cells)
{
    static const struct {
        double n;
        int taps;
        double share;
    } targets[] = {{1e9, 3, .97},   {1e9, 9, .97},  {1e9, 31, .95}, {1e7, 3, .95},
                   {1e7, 9, .95},   {1e7, 31, .90}, {1e5, 3, .869}, {1e5, 9, .869},
                   {1e5, 31, .869}, {1e3, 3, .869}, {1e3, 9, .869}, {1e3, 31, .869}};
    f << "\n| n | mask | register_record, share of the copy | target | |\n|---|---|---|---|---|\n";
    for (const auto &t : targets) {
        const cell *c = cell_of(cells, (int64_t)t.n, t.taps);
        if (!c)
            continue;
        const double share =
            seconds_of(c->all, "copy", "cold") / seconds_of(c->all, "register_record", "cold");
        f << text("| %.0e | %d | %.1f%% | %.1f%% | %s |\n", t.n, t.taps, 100 * share, 100 * t.share,
                  share >= t.share ? "met" : "missed");
    }
    const cell *c = cell_of(cells, 1000000000, 127);
    const double s = c ? seconds_of(c->all, "register_record", "cold") : -1;
    if (s > 0)
        f << text("\nMask 127, n = 1e9: %s, %.1f TFLOP/s, %.1f%% of the 63.6 TFLOP/s that fp32 FMA "
                  "reaches; target 85%% (4.7 ms): %s.\n",
                  format_time(s).c_str(), 254e9 / s / 1e12, 100 * 254e9 / s / 63.6e12,
                  s <= 254e9 / (.85 * 63.6e12) ? "met" : "missed");
}

static void table_errors(std::ofstream &f, const std::vector<cell> &cells)
{
    f << "\n| | timed outputs, largest | timed, rms | positive inputs, largest | ill-scaled, "
         "largest "
         "|\n|---|---|---|---|---|\n";
    for (const contestant &k : cells[0].all) {
        double worst[4] = {0, 0, 0, 0};
        for (const cell &c : cells)
            for (const contestant &other : c.all)
                if (other.name == k.name) {
                    worst[0] = std::max(worst[0], other.timed.most);
                    worst[1] = std::max(worst[1], other.timed.rms);
                    worst[2] = std::max(worst[2], other.positive.most);
                    worst[3] = std::max(worst[3], other.scaled.most);
                }
        f << "| " << k.name
          << text(" | %.1e | %.1e | %.1e | %.1e |\n", worst[0], worst[1], worst[2], worst[3]);
    }
}

static void about(std::ofstream &f, const options &o, const std::string &machine)
{
    char day[20];
    const time_t now = time(NULL);
    strftime(day, sizeof day, "%F", gmtime(&now));
    f << "# 1D convolution on " << gpu_name() << "\n\n"
      << machine << "; commit " << o.commit << "; " << day << ".  \nCommand: `" << o.command
      << "`. Raw samples: " << result_path(o, ".csv").substr(o.out.size() + 1) << ".\n\n"
      << "Times are medians of up to " << o.rounds
      << " rounds of a call's share of a CUDA graph: 1000 calls at n = 1e3, 400 at 1e5, 100 at "
         "1e7, 20 at 1e9 (fewer where a graph would take over 0.3 s), contestants in random order, "
         "inputs and outputs in turn through 240 MB or more (short signals: the L2 is flushed "
         "before "
         "each graph). In brackets: the time of `copy`, a kernel that moves the same bytes, over "
         "this "
         "one's. ~: too slow to measure, from a smaller n in proportion. With transfers: pageable "
         "memory, both ways, on the host's clock.\n";
}

void write_report(const options &o, const std::vector<cell> &cells, const std::string &machine,
                  const std::vector<std::string> &board, const std::string &confounds)
{
    std::ofstream f(result_path(o, ".md"));
    const std::vector<int64_t> all = lengths(cells);
    about(f, o, machine);
    f << "\n## Targets\n";
    table_targets(f, cells);
    f << "\n## Kernel alone, nothing in the caches\n";
    for (int64_t n : all)
        table_alone(f, cells, n);
    f << "\ncuDNN: n / channels pixels of so many channels, the mask in the diagonals of channels "
         "x "
         "channels matrices, fp32, its engines searched three times, laid-out weights and zeros "
         "around x not counted; the best layout.\n"
         "\n## The paper's tables\n";
    for (size_t paper = 0; paper < sizeof papers / sizeof *papers; paper++)
        table_paper(f, cells, paper);
    f << "\n## What the paper's way of measuring does\n" << confounds;
    f << "\n## Hot, in a loop, with transfers\n";
    for (int64_t n : all)
        for (int taps : {3, 31})
            table_kinds(f, cells, n, taps);
    f << "\n## Errors\n\nOf |got - want| / sum |w||x| against sums in double, over all outputs.\n";
    table_errors(f, cells);
    f << "\n## The board after each cell\n\nSM clock, memory clock, power, degrees, reasons that "
         "throttle.\n\n";
    for (const std::string &line : board)
        f << "- " << line << "\n";
}
