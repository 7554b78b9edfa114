// expect: device-pointer
// The host fills in the members of a structure that it has allocated on the device.
// Without BUG: it fills in one of its own and copies it.
#include <stdio.h>

#define N 100

struct line {
    float slope, offset;
};

__global__ void line_kernel(const line *l, float *y)
{
    y[threadIdx.x] = l->slope * threadIdx.x + l->offset;
}

int main()
{
    float y[N], *d_y;
    line *d_line;
    int wrong = 0;
    cudaMalloc(&d_line, sizeof(line));
    cudaMalloc(&d_y, sizeof(y));
#ifdef BUG
    d_line->slope = 2;   // EXPECTED
    d_line->offset = -1; // EXPECTED
#else
    line h_line = {2, -1};
    cudaMemcpy(d_line, &h_line, sizeof(line), cudaMemcpyHostToDevice);
#endif
    line_kernel<<<1, N>>>(d_line, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != 2 * i - 1;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_line);
    cudaFree(d_y);
    return wrong != 0;
}
