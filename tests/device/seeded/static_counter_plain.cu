// expect: race-global
// A static variable of a device function, one for all threads, is counted up without an atomic
// operation.
// Without BUG: atomicAdd.
#include <stdio.h>

#define THREADS 256

__device__ int next_number()
{
    static int given;
#ifdef BUG
    return given++; // EXPECTED
#else
    return atomicAdd(&given, 1);
#endif
}

__global__ void number_kernel(int *number)
{
    number[threadIdx.x] = next_number();
}

int main()
{
    int got[THREADS], *d, sum = 0;
    cudaMalloc(&d, sizeof got);
    number_kernel<<<1, THREADS>>>(d);
    cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < THREADS; i++)
        sum += got[i];
    printf("%s: %d\n", sum == THREADS * (THREADS - 1) / 2 ? "PASS" : "FAIL", sum);
    cudaFree(d);
    return sum != THREADS * (THREADS - 1) / 2;
}
