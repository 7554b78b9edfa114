/* The convolution inside of a pool_cudnn_*.cu: as cuDNN chooses without a measurement (what the
 * paper did), with -DBEST as cudnn_search.h finds it, with -DBEST -DACCURATE the best of fp32's
 * accuracy. VARIANT is the variant's name. */
#ifndef HPC_CONV2D_POOL_CONVOLUTION_H
#define HPC_CONV2D_POOL_CONVOLUTION_H

#ifdef BEST
#include "conv2d/variants/cudnn_search.h"
typedef struct cudnn_search pool_convolution;
#else
#include "conv2d/variants/cudnn_forward.h"
typedef struct cudnn_forward pool_convolution;
#endif

namespace
{

/* An accuracy that only fp32 has a name for. */
inline bool pool_takes(int type)
{
#ifdef ACCURATE
    return type == CONV_F32;
#else
    (void)type;
    return true;
#endif
}

} // namespace

#endif
