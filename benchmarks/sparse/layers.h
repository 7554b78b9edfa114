/* The layers of [Xu]: Table I's and VGG-19's. Filters and sparsity of Table I are the paper's, all
 * else is from the networks (its "4a.7" at 7 x 7 is 5a.7; AlexNet's conv4 also at its usual size).
 */
#ifndef HPC_BENCHMARKS_SPARSE_LAYERS_H
#define HPC_BENCHMARKS_SPARSE_LAYERS_H

struct sparse_layer {
    const char *name; /* and its map's file: NETWORK-LAYER.npy of `hpclab featuremaps` */
    int c, k, r, pad, size;
    double sparsity;
};

static const struct sparse_layer table1_layers[] = {
    {"lenet-conv2", 20, 50, 5, 0, 11, .95},     {"alexnetc-conv3", 32, 64, 5, 2, 6, .9},
    {"alexneti5-conv4", 384, 384, 3, 1, 5, .9}, {"alexneti-conv4", 384, 384, 3, 1, 13, .9},
    {"googlenet-4a.1", 480, 192, 1, 0, 14, .9}, {"googlenet-4a.2", 480, 96, 1, 0, 14, .9},
    {"googlenet-4e.3", 160, 320, 3, 1, 14, .9}, {"googlenet-5a.1", 832, 256, 1, 0, 7, .95},
    {"googlenet-5a.2", 832, 160, 1, 0, 7, .9},  {"googlenet-5b.3", 192, 384, 3, 1, 7, .95},
    {"googlenet-5a.7", 832, 128, 1, 0, 7, .95},
};

static const struct sparse_layer vgg19_layers[] = {
    {"vgg19-conv1_1", 3, 64, 3, 1, 224, 0},     {"vgg19-conv1_2", 64, 64, 3, 1, 224, 0},
    {"vgg19-conv2_1", 64, 128, 3, 1, 112, .4},  {"vgg19-conv2_2", 128, 128, 3, 1, 112, .4},
    {"vgg19-conv3_1", 128, 256, 3, 1, 56, .6},  {"vgg19-conv3_2", 256, 256, 3, 1, 56, .6},
    {"vgg19-conv3_3", 256, 256, 3, 1, 56, .6},  {"vgg19-conv3_4", 256, 256, 3, 1, 56, .6},
    {"vgg19-conv4_1", 256, 512, 3, 1, 28, .75}, {"vgg19-conv4_2", 512, 512, 3, 1, 28, .75},
    {"vgg19-conv4_3", 512, 512, 3, 1, 28, .75}, {"vgg19-conv4_4", 512, 512, 3, 1, 28, .75},
    {"vgg19-conv5_1", 512, 512, 3, 1, 14, .85}, {"vgg19-conv5_2", 512, 512, 3, 1, 14, .85},
    {"vgg19-conv5_3", 512, 512, 3, 1, 14, .85}, {"vgg19-conv5_4", 512, 512, 3, 1, 14, .85},
};

#endif
