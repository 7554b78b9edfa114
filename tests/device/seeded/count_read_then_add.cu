// expect: race-global
// Each thread takes the counter's value for its place and then adds to it: another thread may have
// read the same value. What decides nothing is no question whether to go on: a note.
// Without BUG: the place is what the atomic operation returns.
#include <cstdio>
#include <cuda_runtime.h>

#define N 256

__global__ void take_kernel(int *next, int *places)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BUG
    const int mine = *next; // EXPECTED
    atomicAdd(next, 1); // EXPECTED
#else
    const int mine = atomicAdd(next, 1);
#endif
    places[mine] = i;
}

int main()
{
    int places[N], next = 0, wrong = 0, *d_next, *d_places;
    bool seen[N] = {};
    cudaMalloc(&d_next, sizeof next);
    cudaMalloc(&d_places, sizeof places);
    cudaMemset(d_places, 0, sizeof places);
    cudaMemcpy(d_next, &next, sizeof next, cudaMemcpyHostToDevice);
    take_kernel<<<N / 64, 64>>>(d_next, d_places);
    cudaMemcpy(places, d_places, sizeof places, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) {
        wrong += seen[places[i]];
        seen[places[i]] = true;
    }
    cudaFree(d_next);
    cudaFree(d_places);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
