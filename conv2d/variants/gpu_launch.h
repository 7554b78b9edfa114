/* Launches that may overlap, and of clusters, on GPUs and by toolkits that have them; elsewhere
 * plain ones. */
#ifndef HPC_CONV2D_GPU_LAUNCH_H
#define HPC_CONV2D_GPU_LAUNCH_H

#include "conv2d/variants/gpu.h"

namespace
{

struct gpu_launch {
    dim3 grid;
    int threads, shared_bytes, cluster; /* blocks along x; 0: no clusters */
    bool overlap; /* it may begin before the stream's last one has ended: the kernel waits */
};

/* kernel(arguments ..) in the thread's own stream. */
template <class... PARAMETERS, class... ARGUMENTS>
void gpu_launch_kernel(const gpu_launch &launch, void (*kernel)(PARAMETERS...),
                       const ARGUMENTS &...arguments)
{
#if CUDART_VERSION >= 12030 /* graphs with clusters and overlapping launches */
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attributes[2] = {};
    config.gridDim = launch.grid;
    config.blockDim = dim3(launch.threads);
    config.dynamicSmemBytes = launch.shared_bytes;
    config.stream = cudaStreamPerThread;
    config.attrs = attributes;
    if (launch.cluster) {
        cudaLaunchAttribute &cluster = attributes[config.numAttrs++];
        cluster.id = cudaLaunchAttributeClusterDimension;
        cluster.val.clusterDim.x = launch.cluster;
        cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    }
    if (launch.overlap) {
        cudaLaunchAttribute &overlap = attributes[config.numAttrs++];
        overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        overlap.val.programmaticStreamSerializationAllowed = 1;
    }
    CUDA(cudaLaunchKernelEx(&config, kernel, arguments...));
#else
    kernel<<<launch.grid, launch.threads, launch.shared_bytes, cudaStreamPerThread>>>(arguments...);
#endif
    CUDA(cudaGetLastError());
}

} // namespace

#endif
