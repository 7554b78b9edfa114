/* Networks whose feature maps are wanted: layers, the weights that are drawn for them, and what
 * goes into their convolutions. */
#ifndef HPC_CONV2D_FEATUREMAPS_NETWORK_H
#define HPC_CONV2D_FEATUREMAPS_NETWORK_H

#include <stdint.h>

#include "conv2d/featuremaps/image.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NETWORK_MAX_LAYERS 128

enum layer_kind { LAYER_IMAGE, LAYER_CONVOLUTION, LAYER_MAX_POOL, LAYER_JOIN };

/* A layer's output is not rectified: who reads it does that, as sparsely as it is asked to. */
struct layer {
    enum layer_kind kind;
    char name[32];       /* of a convolution: "conv1_2", "4a.1" */
    int from[4], n_from; /* layers before this one; a join has several: channel after channel */
    int channels, rows, columns; /* of the output */
    int size, stride, pad;
    double sparsity; /* of a convolution's input when it is kept; negative: not kept */
};

struct network {
    char name[16];
    int n;
    struct layer layer[NETWORK_MAX_LAYERS];
};

/* "vgg19", "lenet", "alexnetc" (for CIFAR), "alexneti" (for ImageNet), "alexneti5" (the same on a
 * picture so small that conv4 gets 5 x 5), "googlenet"; NULL-ended. */
extern const char *const network_names[];
bool network_find(const char *name, struct network *out);

/* Run it on the picture: weights by He's initialisation from `seed`; the input of each convolution
 * is max(v - q, 0), q the quantile that leaves the share `sparsity` of zeros (a plain ReLU where
 * the sparsity is not asked for), and for each that is kept keep(arg, network, layer, map) is
 * called with its floats, channel after channel. False as soon as keep() is. */
bool network_run(const struct network *net, const struct image *picture, uint64_t seed,
                 bool (*keep)(void *arg, const struct network *net, const struct layer *layer,
                              const float *map),
                 void *arg);
/* Channels, rows and columns of a convolution's input. */
const struct layer *network_input(const struct network *net, const struct layer *layer);

#ifdef __cplusplus
}
#endif
#endif
