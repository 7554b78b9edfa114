// expect: uninit-global
// An image has a pitch, and the kernel reads it as if its rows followed one another.
// Without BUG: the row's address is computed from the pitch.
#include <stdio.h>

#define W 50
#define H 20

__global__ void row_sum_kernel(const int *image, size_t pitch, int *sums)
{
    int y = threadIdx.x, sum = 0;
#ifdef BUG
    const int *row = image + y * W;
#else
    const int *row = (const int *)((const char *)image + y * pitch);
#endif
    for (int x = 0; x < W; x++)
        sum += row[x]; // EXPECTED
    sums[y] = sum;
}

int main()
{
    int image[H][W], sums[H], *d_image, *d_sums, wrong = 0;
    size_t pitch, width = W * sizeof(int);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            image[y][x] = x * y + 1;
    cudaMallocPitch(&d_image, &pitch, width, H);
    cudaMalloc(&d_sums, sizeof(sums));
    cudaMemcpy2D(d_image, pitch, image, width, width, H, cudaMemcpyHostToDevice);
    row_sum_kernel<<<1, H>>>(d_image, pitch, d_sums);
    cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost);
    for (int y = 0; y < H; y++) {
        int want = 0;
        for (int x = 0; x < W; x++)
            want += image[y][x];
        wrong += sums[y] != want;
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_image);
    cudaFree(d_sums);
    return wrong != 0;
}
