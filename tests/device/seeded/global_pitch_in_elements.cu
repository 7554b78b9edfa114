// expect: oob-global
// A pitch counts bytes, but is used as a number of elements.
// Without BUG: the row's address is computed in bytes.
#include <stdio.h>

#define W 50
#define H 20

__global__ void invert_kernel(float *image, size_t pitch)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= W)
        return;
#ifdef BUG
    float *row = image + y * pitch;
#else
    float *row = (float *)((char *)image + y * pitch);
#endif
    row[x] = 255 - row[x]; // EXPECTED
}

int main()
{
    float image[H][W], got[H][W], *d_image;
    size_t pitch;
    int wrong = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            image[y][x] = (x * y) % 256;
    cudaMallocPitch(&d_image, &pitch, W * sizeof(float), H);
    cudaMemcpy2D(d_image, pitch, image, W * sizeof(float), W * sizeof(float), H,
                 cudaMemcpyHostToDevice);
    invert_kernel<<<dim3(2, H), 32>>>(d_image, pitch);
    cudaMemcpy2D(got, W * sizeof(float), d_image, pitch, W * sizeof(float), H,
                 cudaMemcpyDeviceToHost);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            wrong += got[y][x] != 255 - image[y][x];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_image);
    return wrong != 0;
}
