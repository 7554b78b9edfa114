// expect: schedule
// A list is linked by atomicExch of its head, so that its order is that of the threads.
// Without BUG: each element is linked to the one before it.
#include <stdio.h>

#define N 256

__global__ void link_kernel(int *next, int *head)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BUG
    next[i] = atomicExch(head, i);
#else
    next[i] = i - 1;
    atomicMax(head, i);
#endif
}

int main()
{
    int next[N], head = -1, *d_next, *d_head, wrong = 0;
    cudaMalloc(&d_next, sizeof(next));
    cudaMalloc(&d_head, sizeof(int));
    cudaMemcpy(d_head, &head, sizeof(int), cudaMemcpyHostToDevice);
    link_kernel<<<N / 64, 64>>>(d_next, d_head);                    // EXPECTED
    cudaMemcpy(next, d_next, sizeof(next), cudaMemcpyDeviceToHost); // EXPECTED
    cudaMemcpy(&head, d_head, sizeof(int), cudaMemcpyDeviceToHost); // EXPECTED
    for (int want = N - 1; want >= 0; want--) {
        wrong += head != want;
        head = head >= 0 ? next[head] : -1;
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_next);
    cudaFree(d_head);
    return wrong != 0;
}
