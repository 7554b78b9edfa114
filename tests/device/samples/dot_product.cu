/* A dot product as a first book on CUDA has it: a cache a block, cacheIndex, the rest on the host.
 */
#include <stdio.h>
#include <stdlib.h>

#define imin(a, b)        (a < b ? a : b)
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))
#define HANDLE_NULL(a)                                                                             \
    {                                                                                              \
        if (a == NULL) {                                                                           \
            printf("Host memory failed in %s at line %d\n", __FILE__, __LINE__);                   \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    }

static void HandleError(cudaError_t err, const char *file, int line)
{
    if (err != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}

const int N = 33 * 1024;
const int threadsPerBlock = 256;
const int blocksPerGrid = imin(32, (N + threadsPerBlock - 1) / threadsPerBlock);

__global__ void dot(float *a, float *b, float *c)
{
    __shared__ float cache[threadsPerBlock];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    int cacheIndex = threadIdx.x;

    float temp = 0;
    while (tid < N) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }
    cache[cacheIndex] = temp;
    __syncthreads();

    int i = blockDim.x / 2;
    while (i != 0) {
        if (cacheIndex < i)
            cache[cacheIndex] += cache[cacheIndex + i];
        __syncthreads();
        i /= 2;
    }
    if (cacheIndex == 0)
        c[blockIdx.x] = cache[0];
}

int main(void)
{
    float *a, *b, c, *partial_c;
    float *dev_a, *dev_b, *dev_partial_c;
    double want = 0;

    a = (float *)malloc(N * sizeof(float));
    HANDLE_NULL(a);
    b = (float *)malloc(N * sizeof(float));
    HANDLE_NULL(b);
    partial_c = (float *)malloc(blocksPerGrid * sizeof(float));
    HANDLE_NULL(partial_c);
    HANDLE_ERROR(cudaMalloc((void **)&dev_a, N * sizeof(float)));
    HANDLE_ERROR(cudaMalloc((void **)&dev_b, N * sizeof(float)));
    HANDLE_ERROR(cudaMalloc((void **)&dev_partial_c, blocksPerGrid * sizeof(float)));
    for (int i = 0; i < N; i++) {
        a[i] = i % 10;
        b[i] = i % 3;
        want += a[i] * b[i];
    }
    HANDLE_ERROR(cudaMemcpy(dev_a, a, N * sizeof(float), cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(dev_b, b, N * sizeof(float), cudaMemcpyHostToDevice));

    dot<<<blocksPerGrid, threadsPerBlock>>>(dev_a, dev_b, dev_partial_c);

    HANDLE_ERROR(cudaMemcpy(partial_c, dev_partial_c, blocksPerGrid * sizeof(float),
                            cudaMemcpyDeviceToHost));
    c = 0;
    for (int i = 0; i < blocksPerGrid; i++)
        c += partial_c[i];
    printf("Does GPU value %.6g = %.6g?\n%s\n", c, want, c == want ? "PASS" : "FAIL");
    HANDLE_ERROR(cudaFree(dev_a));
    HANDLE_ERROR(cudaFree(dev_b));
    HANDLE_ERROR(cudaFree(dev_partial_c));
    free(a);
    free(b);
    free(partial_c);
    return c != want;
}
