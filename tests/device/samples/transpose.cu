/* A matrix transposed by several kernels, called through a table of function pointers and timed
 * with events: copy, naive, through shared memory, and that with a padded tile. */
#include <stdio.h>
#include <string.h>
#include <cuda_runtime.h>

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;
const int REPEATS = 2;

__global__ void copy(float *odata, const float *idata, int width, int height)
{
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < width && y + j < height)
            odata[(y + j) * width + x] = idata[(y + j) * width + x];
}

__global__ void transposeNaive(float *odata, const float *idata, int width, int height)
{
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < width && y + j < height)
            odata[x * height + (y + j)] = idata[(y + j) * width + x];
}

template <int PAD>
__global__ void transposeTiled(float *odata, const float *idata, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + PAD];
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;

    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < width && y + j < height)
            tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < height && y + j < width)
            odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

typedef void (*kernel_t)(float *, const float *, int, int);

int main(int argc, char **argv)
{
    const int width = 200, height = 120;
    const size_t bytes = width * height * sizeof(float);
    static float in[width * height], out[width * height];
    struct {
        const char *name;
        kernel_t kernel;
        bool transposes;
    } kernels[] = {{"copy", copy, false},
                   {"naive", &transposeNaive, true},
                   {"tiled", transposeTiled<0>, true},
                   {"tiled, padded", transposeTiled<1>, true}};
    float *d_in, *d_out, ms;
    cudaEvent_t start, stop;
    int wrong = 0;

    cudaMalloc(&d_in, bytes);
    cudaMalloc(&d_out, bytes);
    cudaEventCreate(&start);
    cudaEventCreateWithFlags(&stop, cudaEventDefault);
    for (int i = 0; i < width * height; i++)
        in[i] = i;
    cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice);

    dim3 threads(TILE_DIM, BLOCK_ROWS);
    dim3 grid((width + TILE_DIM - 1) / TILE_DIM, (height + TILE_DIM - 1) / TILE_DIM);
    for (size_t k = 0; k < sizeof(kernels) / sizeof(kernels[0]); k++) {
        kernel_t kernel = kernels[k].kernel;
        cudaMemset(d_out, 0, bytes);
        cudaEventRecord(start, 0);
        for (int r = 0; r < REPEATS; r++)
            kernel<<<grid, threads>>>(d_out, d_in, width, height);
        cudaEventRecord(stop, 0);
        cudaEventSynchronize(stop);
        cudaEventElapsedTime(&ms, start, stop);
        cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
        int bad = !(ms >= 0);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                bad += out[kernels[k].transposes ? x * height + y : y * width + x] !=
                       in[y * width + x];
        printf("%-14s %s\n", kernels[k].name, bad ? "wrong" : "right");
        wrong += bad;
    }
    printf("%s\n", wrong ? "FAIL" : "PASS");
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFree(d_in);
    cudaFree(d_out);
    return wrong != 0;
}
