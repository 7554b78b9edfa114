// expect: race-host
// The host reads the mapped result of a kernel when an event is over that was recorded before it.
// Without BUG: it waits for the event behind the kernel.
#include <stdio.h>

#define N 256

__global__ void sum_kernel(int *result, int n)
{
    int sum = 0;
    for (int i = 1; i <= n; i++)
        sum += i;
    *result = sum;
}

int main()
{
    int *result, *d_result, wrong = 0;
    cudaStream_t s;
    cudaEvent_t begin, end;
    cudaStreamCreate(&s);
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaHostAlloc(&result, sizeof(int), cudaHostAllocMapped);
    cudaHostGetDevicePointer((void **)&d_result, result, 0);
    *result = 0;
    cudaEventRecord(begin, s);
    sum_kernel<<<1, 1, 0, s>>>(d_result, N); // EXPECTED
    cudaEventRecord(end, s);
#ifdef BUG
    cudaEventSynchronize(begin);
#else
    cudaEventSynchronize(end);
#endif
    wrong += *result != N * (N + 1) / 2; // EXPECTED
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaStreamDestroy(s);
    cudaFreeHost(result);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
