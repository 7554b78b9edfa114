/* hpclab featuremaps: what goes into the convolutions of [Xu]'s networks, as .npy files with a list
 * and their sizes; and what a user's own .npy holds. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "conv2d/featuremaps/network.h"
#include "conv2d/featuremaps/npy.h"
#include "common/command.h"
#include "common/interrupt.h"
#include "common/ui.h"
#include "harness/verbs/verbs.h"

struct words {
    const char *network, *image, *out;
    uint64_t seed;
    bool show;
};

#define AT(member) .at = offsetof(struct words, member)
static const struct option_row rows[] = {
    {"network", "NAME",
     "all, or vgg19 (all sixteen layers), lenet, alexnetc, alexneti, alexneti5, googlenet (the "
     "layers of [Xu]'s Table I)",
     OPTION_TEXT, AT(network)},
    {"image", "FILE", "a PGM or PPM picture; without, one that is built in", OPTION_TEXT,
     AT(image)},
    {"seed", "N", "of the weights; default 1", OPTION_SEED, AT(seed)},
    {"out", "FOLDER", "default results/featuremaps", OPTION_TEXT, AT(out)},
    {"show", NULL, "what each FILE.npy, such a file or one of your own, holds", OPTION_SWITCH,
     AT(show)},
    {0},
};
const struct option_table featuremaps_options = {
    .command = "./hpclab featuremaps",
    .words = "[--show FILE.npy ..]",
    .title = "what goes into the convolutions of known networks, as .npy",
    .about = "Runs networks on a picture, with weights drawn by He's initialisation, rectified so "
             "that the stated share of each map is zero, and writes what goes into their "
             "convolutions: one NETWORK-LAYER.npy each (float32, C x H x W), files.txt (names) and "
             "sizes.txt (name, C, H, W, share of zeros).",
    .examples = "./hpclab featuremaps --network vgg19 --image cat.ppm",
    .most = INT_MAX,
    .expected = "options alone",
    .rows = rows,
};

/* Everything that keep() needs. */
struct writing {
    const char *folder;
    FILE *files, *sizes;
    struct hpc_error *err;
    int written;
};

static bool keep(void *arg, const struct network *net, const struct layer *layer, const float *map)
{
    struct writing *w = arg;
    const struct layer *in = network_input(net, layer);
    const size_t size[3] = {(size_t)in->channels, (size_t)in->rows, (size_t)in->columns};
    const size_t count = size[0] * size[1] * size[2];
    size_t zeros = 0;
    for (size_t i = 0; i < count; i++)
        zeros += map[i] == 0;
    ui_progress("%s-%s", net->name, layer->name);
    char *path = hpc_printf("%s/%s-%s.npy", w->folder, net->name, layer->name);
    const bool good = npy_write(path, 3, size, HPC_F32, map, w->err);
    free(path);
    fprintf(w->files, "%s-%s.npy\n", net->name, layer->name);
    fprintf(w->sizes, "%s-%s.npy %zu %zu %zu %.4f\n", net->name, layer->name, size[0], size[1],
            size[2], (double)zeros / (double)count);
    w->written++;
    return good && (!hpc_interrupted() || hpc_fail_env(w->err, "interrupted; files written stay"));
}

static FILE *open_list(const char *folder, const char *name, struct hpc_error *err)
{
    char *path = hpc_printf("%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (!f)
        hpc_fail_env(err, "%s: %s; expected a file that can be written", path, strerror(errno));
    free(path);
    return f;
}

static bool run_networks(const struct words *o, const struct image *picture, struct writing *w)
{
    bool all = strcmp(o->network, "all") == 0, good = true, known = false;
    struct network net;
    for (int i = 0; network_names[i] && good; i++)
        if (all || strcmp(o->network, network_names[i]) == 0) {
            known = network_find(network_names[i], &net);
            good = network_run(&net, picture, o->seed, keep, w);
        }
    if (good && !known)
        good = hpc_fail(w->err,
                        "featuremaps: unknown network '%.40s', expected vgg19, lenet, alexnetc, "
                        "alexneti, alexneti5, googlenet or all",
                        o->network);
    return good;
}

static bool write_maps(const struct words *o, const char *folder, struct hpc_error *err)
{
    struct image picture = {0};
    struct writing w = {.folder = folder, .err = err};
    if (!o->image)
        picture = image_built_in();
    else if (!image_read(o->image, &picture, err))
        return false;
    bool good = folder_make(folder, err);
    w.files = good ? open_list(folder, "files.txt", err) : NULL;
    w.sizes = w.files ? open_list(folder, "sizes.txt", err) : NULL;
    good = w.sizes && run_networks(o, &picture, &w);
    ui_progress_end();
    if (w.files && fclose(w.files) != 0)
        good = hpc_fail_env(err, "%s/files.txt cannot be written", folder);
    if (w.sizes && fclose(w.sizes) != 0)
        good = hpc_fail_env(err, "%s/sizes.txt cannot be written", folder);
    image_free(&picture);
    if (good)
        printf("%d maps in %s, see sizes.txt\n", w.written, folder);
    return good;
}

static bool show(const char *path, struct hpc_error *err)
{
    struct npy array;
    if (!npy_read(path, &array, err))
        return false;
    size_t zeros = 0;
    float low = array.count ? array.value[0] : 0, high = low;
    for (size_t i = 0; i < array.count; i++) {
        zeros += array.value[i] == 0;
        low = array.value[i] < low ? array.value[i] : low;
        high = array.value[i] > high ? array.value[i] : high;
    }
    printf("%s:", path);
    for (int d = 0; d < array.dimensions; d++)
        printf("%s%zu", d ? " x " : " ", array.size[d]);
    printf(", %.4f of it zero, from %g to %g\n",
           array.count ? (double)zeros / (double)array.count : 0, (double)low, (double)high);
    npy_free(&array);
    return true;
}

int verb_featuremaps(struct project *p, int argc, char **argv)
{
    struct words o = {.network = "all", .seed = 1};
    struct hpc_error err = {0};
    int go = options_read(&featuremaps_options, &argc, &argv, &o, &err);
    if (go == 0)
        return HPC_EXIT_OK;
    if (go > 0 && o.show != (argc > 0))
        go = hpc_fail(&err, "featuremaps: %s, expected --show FILE.npy ..",
                      argc ? argv[0] : "--show without a file");
    bool good = go > 0;
    for (int i = 0; i < argc && good; i++)
        good = show(argv[i], &err);
    if (good && !o.show) {
        char *folder = o.out ? hpc_strdup(o.out) : hpc_printf("%s/results/featuremaps", p->root);
        good = write_maps(&o, folder, &err);
        free(folder);
    }
    return good ? HPC_EXIT_OK : hpc_report(&err);
}
