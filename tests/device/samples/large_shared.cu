/* More dynamic shared memory than 48 KB: refused first, and granted after it was asked for. */
#include <cstdio>
#include <cuda_runtime.h>

template <typename T, int N> __global__ void sort_in_shared(T *data)
{
    extern __shared__ __align__(16) unsigned char raw[];
    T *s = reinterpret_cast<T *>(raw);

    for (int i = threadIdx.x; i < N; i += blockDim.x)
        s[i] = data[i];
    for (int size = 2; size <= N; size *= 2) {
        for (int d = size / 2; d > 0; d /= 2) {
            __syncthreads();
            for (int i = threadIdx.x; i < N; i += blockDim.x) {
                int other = i ^ d;
                if (other > i && (s[i] > s[other]) == ((i & size) == 0)) {
                    T swap = s[i];
                    s[i] = s[other];
                    s[other] = swap;
                }
            }
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        data[i] = s[i];
}

int main()
{
    const int n = 8192;
    const size_t bytes = n * sizeof(double); /* 64 KB */
    static double x[n];
    double *d_x;
    int granted = 0, device = 0;
    bool right = true;

    for (int i = 0; i < n; i++)
        x[i] = i * 4099ll % n;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&granted, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (granted < (int)bytes) {
        printf("PASS (a block may have no more than %d bytes here)\n", granted);
        return 0;
    }
    cudaMalloc(&d_x, bytes);
    cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);

    sort_in_shared<double, n><<<1, 512, bytes>>>(d_x);
    cudaError_t refused = cudaGetLastError();
    right = right && refused == cudaErrorInvalidValue;
    auto kernel = sort_in_shared<double, n>;
    right = right && cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          (int)bytes) == cudaSuccess;
    cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferShared);
    kernel<<<1, 512, bytes>>>(d_x);
    right = right && cudaGetLastError() == cudaSuccess;
    cudaMemcpy(x, d_x, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        right = right && x[i] == i;
    printf("%s\n", right ? "PASS" : "FAIL");
    cudaFree(d_x);
    return !right;
}
