// expect: schedule
// Selected elements take the places that atomicAdd hands out, so their order is that of the
// threads.
// Without BUG: a thread's place is the number of selected elements before its own.
#include <stdio.h>

#define N 512

__global__ void select_kernel(const int *x, int *out, int *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] % 5 == 0) {
#ifdef BUG
        int place = atomicAdd(count, 1);
#else
        int place = 0;
        for (int k = 0; k < i; k++)
            place += x[k] % 5 == 0;
        atomicAdd(count, 1);
#endif
        out[place] = x[i];
    }
}

int main()
{
    int x[N], out[N], *d_x, *d_out, *d_count, count, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i * 3 + i / 10;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_out, sizeof(out));
    cudaMalloc(&d_count, sizeof(int));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemset(d_count, 0, sizeof(int));
    select_kernel<<<N / 64, 64>>>(d_x, d_out, d_count); // EXPECTED
    cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(out, d_out, count * sizeof(int), cudaMemcpyDeviceToHost); // EXPECTED
    for (int i = 0, k = 0; i < N; i++)
        if (x[i] % 5 == 0)
            wrong += k >= count || out[k++] != x[i];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_out);
    cudaFree(d_count);
    return wrong != 0;
}
