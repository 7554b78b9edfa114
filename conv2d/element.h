/* One element of an array of floats or halves, for variants in C that take every type. */
#ifndef HPC_CONV2D_ELEMENT_H
#define HPC_CONV2D_ELEMENT_H

#include <stddef.h>

#include "conv2d/conv2d.h"
#include "conv2d/half.h"

static inline float element_get(const void *array, int type, size_t i)
{
    return type == CONV_F16 ? half_to_float(((const uint16_t *)array)[i])
                            : ((const float *)array)[i];
}

static inline void element_put(void *array, int type, size_t i, float value)
{
    if (type == CONV_F16)
        ((uint16_t *)array)[i] = half_from_float(value);
    else
        ((float *)array)[i] = value;
}

#endif
