/* [Dong] measured with nvcc -G, 16 threads a block, and the copies from and to the host counted,
 * and concluded that tiles in shared memory do not pay. One of these at a time, and all together.
 */
#include "bench.h"

#include <stdio.h>

extern "C" const struct hpc_variant hpc_variant_multi_block_G, hpc_variant_constant_G,
    hpc_variant_tiled_halo_G, hpc_variant_tiled_cached_G;

static const struct {
    const char *name;
    const struct hpc_variant *debug; /* compiled as the paper did: -g -G -O1 */
} codes[] = {
    {"multi_block", &hpc_variant_multi_block_G},
    {"constant", &hpc_variant_constant_G},
    {"tiled_halo", &hpc_variant_tiled_halo_G},
    {"tiled_cached", &hpc_variant_tiled_cached_G},
};
enum { CODES = 4, WAYS = 4 };
static const char *const ways[WAYS] = {"as it should be", "-G", "16 threads a block",
                                       "-G and 16 threads"};

static const contestant *find(const std::vector<contestant> &all, const std::string &name)
{
    for (const contestant &c : all)
        if (c.name == name)
            return &c;
    return NULL;
}

static void add_row(std::string *text, const char *label, const double *seconds, double cpu)
{
    char words[400];
    snprintf(words, sizeof words, "| %s | %s | %s (%.2fx) | %s (%.2fx) | %s (%.2fx) | %.0fx |\n",
             label, format_time(seconds[0]).c_str(), format_time(seconds[1]).c_str(),
             seconds[0] / seconds[1], format_time(seconds[2]).c_str(), seconds[0] / seconds[2],
             format_time(seconds[3]).c_str(), seconds[0] / seconds[3], cpu / seconds[1]);
    *text += words;
}

static void add_cell(std::string *text, const options &o, cell *c)
{
    signals s;
    std::vector<contestant> all;
    contestant k;
    const int taps = c->taps, pairs = c->n > 100000000 ? 2 : 4;
    signals_open(&s, c->n, taps, pairs);
    for (int way = 0; way < WAYS; way++)
        for (int i = 0; i < CODES; i++) {
            const struct hpc_variant *v = way & 1 ? codes[i].debug : find_variant(codes[i].name);
            if (!v || !open_variant(&k, v, &s, way & 2 ? 16 : 256))
                continue;
            k.name = std::string(codes[i].name) + ", " + ways[way];
            all.push_back(k);
        }
    time_cold(&all, &s, o);
    char head[200];
    snprintf(
        head, sizeof head,
        "\nn = %.0e, mask %d. In brackets: multi_block's time over this one's. Last column: cpu's "
        "time over constant's.\n\n",
        (double)c->n, taps);
    *text += head;
    *text += "| | multi_block | constant | tiled_halo | tiled_cached | over cpu |\n"
             "|---|---|---|---|---|---|\n";
    const double cpu = c->cpu["cpu"].median();
    double seconds[CODES];
    for (int way = 0; way < WAYS; way++) {
        for (int i = 0; i < CODES; i++)
            seconds[i] =
                find(all, std::string(codes[i].name) + ", " + ways[way])->times.at("cold").median();
        add_row(text, ways[way], seconds, cpu);
    }
    for (int way = 0; way < WAYS; way += WAYS - 1) {
        for (int i = 0; i < CODES; i++) {
            contestant *t = (contestant *)find(all, std::string(codes[i].name) + ", " + ways[way]);
            t->times["transfers"] = time_transfers(*t, &s, c->n > 100000000 ? 1 : 5);
            seconds[i] = t->times["transfers"].median();
        }
        add_row(text, way == 0 ? "copies counted" : "all three, as the paper", seconds, cpu);
    }
    for (contestant &t : all) {
        if (!(t.timed.most < 1e-5))
            *text += "\nWRONG: " + t.name + "\n";
        c->confounds.push_back(t); /* for the raw samples */
        t.close();
    }
    signals_close(&s);
}

std::string confounds(const options &o, std::vector<cell> *cells)
{
    std::string text;
    for (cell &c : *cells)
        if (c.taps == 3 && (c.n == 10000000 || (c.n == 1000000000 && !o.quick)))
            add_cell(&text, o, &c);
    return text;
}
