/* The networks of [Xu]: VGG-19 (Simonyan and Zisserman, 2015), LeNet (LeCun et al., 1998), AlexNet
 * (Krizhevsky et al., 2012) and GoogLeNet (Szegedy et al., 2015), up to the last layer that its
 * table or figures name. */
#include "conv2d/featuremaps/network.h"

#include <stdio.h>
#include <string.h>

const char *const network_names[] = {"vgg19",     "lenet",     "alexnetc", "alexneti",
                                     "alexneti5", "googlenet", NULL};

static int add(struct network *net, struct layer layer)
{
    HPC_ASSERT(net->n < NETWORK_MAX_LAYERS);
    net->layer[net->n] = layer;
    return net->n++;
}

static void start(struct network *net, const char *name, int channels, int size)
{
    *net = (struct network){.n = 0};
    snprintf(net->name, sizeof net->name, "%s", name);
    add(net,
        (struct layer){.kind = LAYER_IMAGE, .channels = channels, .rows = size, .columns = size});
}

/* How many windows of `size` fit; with `ceil`, one that reaches over the end counts too. */
static int windows(int length, int size, int stride, int pad, bool ceil)
{
    return (length + 2 * pad - size + (ceil ? stride - 1 : 0)) / stride + 1;
}

/* A convolution of layer `from`; its input is kept with this sparsity, or not where negative. */
static int convolve(struct network *net, int from, const char *name, int filters, int size,
                    int stride, int pad, double sparsity)
{
    const struct layer *in = &net->layer[from];
    struct layer layer = {LAYER_CONVOLUTION, "", {from}, 1, filters, 0, 0, size, stride, pad,
                          sparsity};
    layer.rows = windows(in->rows, size, stride, pad, false);
    layer.columns = windows(in->columns, size, stride, pad, false);
    snprintf(layer.name, sizeof layer.name, "%s", name);
    return add(net, layer);
}

static int pool(struct network *net, int from, int size, int stride, int pad)
{
    const struct layer *in = &net->layer[from];
    struct layer layer = {LAYER_MAX_POOL, "", {from}, 1, in->channels, 0, 0, size, stride, pad, -1};
    layer.rows = windows(in->rows, size, stride, pad, true);
    layer.columns = windows(in->columns, size, stride, pad, true);
    return add(net, layer);
}

static void vgg19(struct network *net)
{
    static const int convolutions[5] = {2, 2, 4, 4, 4}, filters[5] = {64, 128, 256, 512, 512};
    static const double sparsity[5] = {0, .4, .6, .75, .85};
    int at = 0;
    start(net, "vgg19", 3, 224);
    for (int block = 0; block < 5; block++) {
        for (int i = 0; i < convolutions[block]; i++) {
            char name[32];
            snprintf(name, sizeof name, "conv%d_%d", block + 1, i + 1);
            at = convolve(net, at, name, filters[block], 3, 1, 1, sparsity[block]);
        }
        at = pool(net, at, 2, 2, 0);
    }
}

/* On 26 x 26, so that conv2 gets the table's 11 x 11. */
static void lenet(struct network *net)
{
    start(net, "lenet", 1, 26);
    const int at = convolve(net, 0, "conv1", 20, 5, 1, 0, -1);
    convolve(net, pool(net, at, 2, 2, 0), "conv2", 50, 5, 1, 0, .95);
}

/* cuda-convnet's for CIFAR-10, on its 24 x 24 crops. */
static void alexnetc(struct network *net)
{
    start(net, "alexnetc", 3, 24);
    int at = convolve(net, 0, "conv1", 32, 5, 1, 2, -1);
    at = convolve(net, pool(net, at, 2, 2, 0), "conv2", 32, 5, 1, 2, -1);
    convolve(net, pool(net, at, 2, 2, 0), "conv3", 64, 5, 1, 2, .9);
}

static void alexnet(struct network *net, const char *name, int size)
{
    start(net, name, 3, size);
    int at = convolve(net, 0, "conv1", 96, 11, 4, 0, -1);
    at = convolve(net, pool(net, at, 3, 2, 0), "conv2", 256, 5, 1, 2, -1);
    at = convolve(net, pool(net, at, 3, 2, 0), "conv3", 384, 3, 1, 1, -1);
    convolve(net, at, "conv4", 384, 3, 1, 1, .9);
}

/* Filters of one inception module: 1x1; 3x3 reduced, 3x3; 5x5 reduced, 5x5; after its pool. The
 * parts are numbered as in [Xu]'s table; sparsity[i]: of what goes into part i + 1. */
static int inception(struct network *net, int from, const char *name, const int filters[6],
                     const double sparsity[7])
{
    struct layer join = {.kind = LAYER_JOIN, .n_from = 4, .sparsity = -1};
    char part[7][32];
    for (int i = 0; i < 7; i++)
        snprintf(part[i], sizeof part[i], "%.8s.%d", name, i + 1);
    join.from[0] = convolve(net, from, part[0], filters[0], 1, 1, 0, sparsity[0]);
    const int three = convolve(net, from, part[1], filters[1], 1, 1, 0, sparsity[1]);
    join.from[1] = convolve(net, three, part[2], filters[2], 3, 1, 1, sparsity[2]);
    const int five = convolve(net, from, part[3], filters[3], 1, 1, 0, sparsity[3]);
    join.from[2] = convolve(net, five, part[4], filters[4], 5, 1, 2, sparsity[4]);
    join.from[3] =
        convolve(net, pool(net, from, 3, 1, 1), part[6], filters[5], 1, 1, 0, sparsity[6]);
    join.rows = net->layer[from].rows;
    join.columns = net->layer[from].columns;
    join.channels = filters[0] + filters[2] + filters[4] + filters[5];
    return add(net, join);
}

static void googlenet(struct network *net)
{
    static const double none[7] = {-1, -1, -1, -1, -1, -1, -1};
    static const double in_4a[7] = {.9, .9, -1, -1, -1, -1, -1};
    static const double in_4e[7] = {-1, -1, .9, -1, -1, -1, -1};
    static const double in_5a[7] = {.95, .9, -1, -1, -1, -1, .95};
    static const double in_5b[7] = {-1, -1, .95, -1, -1, -1, -1};
    static const struct {
        const char *name;
        int filters[6];
        const double *sparsity;
        bool pooled; /* afterwards */
    } modules[] = {
        {"3a", {64, 96, 128, 16, 32, 32}, none, false},
        {"3b", {128, 128, 192, 32, 96, 64}, none, true},
        {"4a", {192, 96, 208, 16, 48, 64}, in_4a, false},
        {"4b", {160, 112, 224, 24, 64, 64}, none, false},
        {"4c", {128, 128, 256, 24, 64, 64}, none, false},
        {"4d", {112, 144, 288, 32, 64, 64}, none, false},
        {"4e", {256, 160, 320, 32, 128, 128}, in_4e, true},
        {"5a", {256, 160, 320, 32, 128, 128}, in_5a, false},
        {"5b", {384, 192, 384, 48, 128, 128}, in_5b, false},
    };
    start(net, "googlenet", 3, 224);
    int at = convolve(net, 0, "conv1", 64, 7, 2, 3, -1);
    at = convolve(net, pool(net, at, 3, 2, 0), "conv2", 64, 1, 1, 0, -1);
    at = pool(net, convolve(net, at, "conv3", 192, 3, 1, 1, -1), 3, 2, 0);
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        at = inception(net, at, modules[i].name, modules[i].filters, modules[i].sparsity);
        if (modules[i].pooled)
            at = pool(net, at, 3, 2, 0);
    }
}

bool network_find(const char *name, struct network *out)
{
    if (strcmp(name, "vgg19") == 0)
        vgg19(out);
    else if (strcmp(name, "lenet") == 0)
        lenet(out);
    else if (strcmp(name, "alexnetc") == 0)
        alexnetc(out);
    else if (strcmp(name, "alexneti") == 0)
        alexnet(out, name, 227);
    else if (strcmp(name, "alexneti5") == 0)
        alexnet(out, name, 99);
    else if (strcmp(name, "googlenet") == 0)
        googlenet(out);
    else
        return false;
    return true;
}

const struct layer *network_input(const struct network *net, const struct layer *layer)
{
    return &net->layer[layer->from[0]];
}
