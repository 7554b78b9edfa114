// expect: oob-global
// A transposition that was written for squares: the output's rows are taken as long as the
// input's.
// Without BUG: the output's rows have as many elements as the input has rows.
#include <stdio.h>

#define W 70
#define H 30

__global__ void transpose_kernel(const int *in, int *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < W && y < H)
#ifdef BUG
        out[x * W + y] = in[y * W + x]; // EXPECTED
#else
        out[x * H + y] = in[y * W + x];
#endif
}

int main()
{
    static int in[W * H], out[W * H];
    int *d_in, *d_out, wrong = 0;
    for (int i = 0; i < W * H; i++)
        in[i] = i;
    cudaMalloc(&d_in, sizeof(in));
    cudaMalloc(&d_out, sizeof(out));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    transpose_kernel<<<dim3((W + 15) / 16, (H + 15) / 16), dim3(16, 16)>>>(d_in, d_out);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            wrong += out[x * H + y] != in[y * W + x];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_in);
    cudaFree(d_out);
    return wrong != 0;
}
