/* What the runtime says of a kernel and how many threads it suggests; then the suggestion is used.
 */
#include <cstdio>
#include <cuda_runtime.h>

__global__ void square(int *array, int arrayCount)
{
    extern __shared__ int dynamicSmem[];
    int idx = threadIdx.x + blockIdx.x * blockDim.x;

    if (idx < arrayCount) {
        array[idx] *= array[idx];
    }
}

static size_t sharedFor(int blockSize)
{
    return blockSize * sizeof(int);
}

static int reportOccupancy(int blockSize)
{
    int device, numBlocks = 0, minGridSize = 0, suggested = 0;
    cudaDeviceProp prop;
    cudaGetDevice(&device);
    cudaGetDeviceProperties(&prop, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numBlocks, square, blockSize, 0);
    int activeWarps = numBlocks * blockSize / prop.warpSize;
    int maxWarps = prop.maxThreadsPerMultiProcessor / prop.warpSize;
    printf("%d threads a block: occupancy %.0f%%\n", blockSize, 100.0 * activeWarps / maxWarps);
    if (numBlocks < 1 || activeWarps > maxWarps)
        return 0;
    if (cudaOccupancyMaxPotentialBlockSizeVariableSMem(&minGridSize, &suggested, square, sharedFor,
                                                       0) != cudaSuccess)
        return 0;
    return suggested;
}

static bool launch(int *array, int count, bool automatic)
{
    int blockSize = 64, minGridSize = 0;
    int *dArray;
    size_t size = count * sizeof(int);
    cudaFuncAttributes attributes;

    cudaMalloc(&dArray, size);
    cudaMemcpy(dArray, array, size, cudaMemcpyHostToDevice);
    if (automatic) {
        cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, (void *)square, 0, count);
        printf("suggested block size %d, at least %d blocks\n", blockSize, minGridSize);
    }
    bool sane = blockSize >= 32 && blockSize <= 1024 && blockSize % 32 == 0;
    sane = sane && cudaFuncGetAttributes(&attributes, square) == cudaSuccess;
    sane = sane && attributes.maxThreadsPerBlock >= blockSize && attributes.sharedSizeBytes == 0;
    if (sane)
        square<<<(count + blockSize - 1) / blockSize, blockSize>>>(dArray, count);
    cudaMemcpy(array, dArray, size, cudaMemcpyDeviceToHost);
    cudaFree(dArray);
    return sane && reportOccupancy(blockSize) >= 32;
}

int main()
{
    const int count = 10000;
    static int array[count];
    for (int automatic = 0; automatic < 2; automatic++) {
        for (int i = 0; i < count; i++)
            array[i] = i;
        bool right = launch(array, count, automatic);
        for (int i = 0; i < count; i++)
            right = right && array[i] == i * i;
        if (!right) {
            printf("FAIL\n");
            return 1;
        }
    }
    printf("PASS\n");
    return 0;
}
