/* What is written beside the tables: the machine, the raw samples. */
#include "bench.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <fstream>
#include <sstream>

std::string text(const char *format, ...)
{
    char words[1000];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    return words;
}

std::string format_time(double s)
{
    if (s < 0)
        return "-";
    return s < 1e-3 ? text("%.4g us", 1e6 * s)
           : s < 1  ? text("%.4g ms", 1e3 * s)
                    : text("%.3g s", s);
}

/* The first line that a command prints. */
static std::string line_of(const char *command)
{
    char words[500] = "";
    FILE *f = popen(command, "r");
    if (f && !fgets(words, sizeof words, f))
        words[0] = '\0';
    if (f)
        pclose(f);
    words[strcspn(words, "\n")] = '\0';
    return words;
}

std::string board_line(void)
{
    return line_of("nvidia-smi --format=csv,noheader --query-gpu=clocks.sm,clocks.mem,power.draw,"
                   "temperature.gpu,clocks_event_reasons.active 2>/dev/null");
}

std::string gpu_name(void)
{
    cudaDeviceProp p;
    CUDA(cudaGetDeviceProperties(&p, 0));
    return p.name;
}

std::string machine_line(const options &o)
{
    int runtime = 0;
    CUDA(cudaRuntimeGetVersion(&runtime));
    return gpu_name() + ", driver " +
           line_of("nvidia-smi --format=csv,noheader --query-gpu=driver_version 2>/dev/null") +
           text(", CUDA %d.%d, ", runtime / 1000, runtime / 10 % 100) + cudnn_state() + "; " +
           line_of("sed -n 's/^model name.*: //p' /proc/cpuinfo") + text(", %d cores", o.cores);
}

std::string result_path(const options &o, const char *suffix)
{
    std::istringstream name(gpu_name()); /* its first word that has a digit, as publish has it */
    std::string word, file;
    while (name >> word && word.find_first_of("0123456789") == std::string::npos)
        ;
    for (char c : word)
        file += (char)tolower(c);
    return o.out + "/" + file + "-conv1d" + suffix;
}

static void csv_contestants(std::ofstream &f, const cell &c, const char *group,
                            const std::vector<contestant> &all)
{
    for (const contestant &k : all)
        for (const auto &t : k.times)
            for (size_t i = 0; i < t.second.seconds.size(); i++)
                f << c.n << "," << c.taps << "," << group << ",\"" << k.name << "\"," << t.first
                  << (t.second.scaled ? " scaled" : "") << "," << t.second.nodes << "," << i
                  << text(",%.6g\n", t.second.seconds[i]);
}

void write_csv(const options &o, const std::vector<cell> &cells)
{
    std::ofstream f(result_path(o, ".csv"));
    f << "n,mask,group,contestant,timing,calls,round,seconds\n";
    for (const cell &c : cells) {
        csv_contestants(f, c, "variants", c.all);
        csv_contestants(f, c, "peers", c.peers);
        csv_contestants(f, c, "confounds", c.confounds);
        for (const auto &t : c.cpu)
            for (size_t i = 0; i < t.second.seconds.size(); i++)
                f << c.n << "," << c.taps << ",processor," << t.first << ",host"
                  << (t.second.scaled ? " scaled" : "") << "," << t.second.nodes << "," << i
                  << text(",%.6g\n", t.second.seconds[i]);
    }
}
