// Memory of malloc() that kernels use where it is: cudaHostRegister, and an atomic counter in
// mapped memory.
#include <cstdio>
#include <cstdlib>

__global__ void add_kernel(const float *a, const float *b, float *sum, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sum[i] = a[i] + b[i];
}

__global__ void count_kernel(const float *sum, int n, unsigned *above)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        if (sum[i] > 10.f)
            atomicInc(above, 0xffffffffu);
}

#define MUST(call)                                                                                 \
    do {                                                                                           \
        const cudaError_t e = (call);                                                              \
        if (e != cudaSuccess) {                                                                    \
            printf("FAIL: line %d: %s\n", __LINE__, cudaGetErrorString(e));                        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static float *aligned(void *p)
{
    return (float *)(((size_t)p + 4095) & ~(size_t)4095);
}

int main()
{
    const int n = 5000;
    const size_t bytes = n * sizeof(float);
    void *whole[2] = {malloc(bytes + 4096), malloc(bytes + 4096)};
    float *a = aligned(whole[0]), *b = aligned(whole[1]), *sum, *d_a, *d_b, *d_sum;
    unsigned *above, *d_above;
    MUST(cudaHostRegister(a, bytes, cudaHostRegisterMapped));
    MUST(cudaHostRegister(b, bytes, cudaHostRegisterMapped));
    MUST(cudaHostAlloc((void **)&sum, bytes, cudaHostAllocMapped));
    MUST(cudaHostAlloc((void **)&above, sizeof *above, cudaHostAllocMapped));
    int bad =
        cudaHostRegister(a, bytes, cudaHostRegisterMapped) != cudaErrorHostMemoryAlreadyRegistered;
    bad += cudaGetLastError() != cudaErrorHostMemoryAlreadyRegistered;
    *above = 0;
    for (int i = 0; i < n; i++) {
        a[i] = (float)(i % 10);
        b[i] = (float)(i % 7);
    }
    MUST(cudaHostGetDevicePointer((void **)&d_a, a, 0));
    MUST(cudaHostGetDevicePointer((void **)&d_b, b, 0));
    MUST(cudaHostGetDevicePointer((void **)&d_sum, sum, 0));
    MUST(cudaHostGetDevicePointer((void **)&d_above, above, 0));
    add_kernel<<<(n + 255) / 256, 256>>>(d_a, d_b, d_sum, n);
    count_kernel<<<1, 128>>>(d_sum, n, d_above);
    MUST(cudaDeviceSynchronize());
    unsigned expected = 0;
    for (int i = 0; i < n; i++) {
        bad += sum[i] != a[i] + b[i];
        expected += sum[i] > 10.f;
    }
    bad += *above != expected;
    MUST(cudaHostUnregister(a));
    MUST(cudaHostUnregister(b));
    bad += cudaHostUnregister(a) != cudaErrorHostMemoryNotRegistered;
    bad += cudaGetLastError() != cudaErrorHostMemoryNotRegistered;
    MUST(cudaFreeHost(sum));
    MUST(cudaFreeHost(above));
    free(whole[0]);
    free(whole[1]);
    printf("%s\n", bad ? "FAIL" : "PASS");
    return bad != 0;
}
