/* One kernel template for many block sizes and types, chosen by a switch. */
#include <cstdio>
#include <cuda_runtime.h>

template <class T, int SIZE> __global__ void largest_kernel(const T *x, T *y)
{
    __shared__ T s[SIZE];
    const int t = threadIdx.x;
    s[t] = x[blockIdx.x * SIZE + t];
    __syncthreads();
#pragma unroll
    for (int half = SIZE / 2; half > 0; half /= 2) {
        if (t < half)
            s[t] = s[t] > s[t + half] ? s[t] : s[t + half];
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = s[0];
}

template <class T> static bool largest(int size)
{
    T x[256], y[8], *d_x, *d_y;
    bool right = true;
    for (int i = 0; i < 256; i++)
        x[i] = (T)(i * 3 % 256);
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    switch (size) {
    case 32:
        largest_kernel<T, 32><<<8, 32>>>(d_x, d_y);
        break;
    case 64:
        largest_kernel<T, 64><<<4, 64>>>(d_x, d_y);
        break;
    case 128:
        largest_kernel<T, 128><<<2, 128>>>(d_x, d_y);
        break;
    default:
        largest_kernel<T, 256><<<1, 256>>>(d_x, d_y);
        break;
    }
    cudaMemcpy(y, d_y, 256 / size * sizeof(T), cudaMemcpyDeviceToHost);
    for (int b = 0; b < 256 / size; b++) {
        T most = 0;
        for (int i = 0; i < size; i++)
            most = x[b * size + i] > most ? x[b * size + i] : most;
        right = right && y[b] == most;
    }
    cudaFree(d_x);
    cudaFree(d_y);
    return right;
}

int main()
{
    bool right = true;
    for (int size = 32; size <= 256; size *= 2)
        right = right && largest<int>(size) && largest<float>(size) && largest<double>(size) &&
                largest<unsigned char>(size);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
