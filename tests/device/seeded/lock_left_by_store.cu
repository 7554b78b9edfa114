// expect: race-global
// A lock that is taken by an atomic operation and left by a plain store.
// Without BUG: atomicExch() leaves it.
#include <stdio.h>

#define BLOCKS 8

__global__ void sum_kernel(int *lock, int *sum)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) // EXPECTED
            ;
        __threadfence();
        *sum += blockIdx.x;
        __threadfence();
#ifdef BUG
        *lock = 0; // EXPECTED
#else
        atomicExch(lock, 0);
#endif
    }
}

int main()
{
    int *d, sum = 0;
    cudaMalloc(&d, 2 * sizeof(int));
    cudaMemset(d, 0, 2 * sizeof(int));
    sum_kernel<<<BLOCKS, 32>>>(d, d + 1);
    cudaMemcpy(&sum, d + 1, sizeof(sum), cudaMemcpyDeviceToHost);
    cudaFree(d);
    printf("%s: %d\n", sum == 28 ? "PASS" : "FAIL", sum);
    return sum != 28;
}
