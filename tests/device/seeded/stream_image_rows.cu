// expect: race-stream
// An image of bytes is inverted in two halves, on two streams; the second copy to the host begins a
// row too early, in the other stream's half.
// Without BUG: each stream copies the rows that its own kernel wrote.
#include <stdio.h>

#define WIDTH  101
#define HEIGHT 40

__global__ void invert_kernel(unsigned char *image, size_t pitch, int first, int rows)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < WIDTH && y < rows) {
        unsigned char *p = image + (first + y) * pitch + x;
        *p = 255 - *p;
    }
}

int main()
{
    unsigned char *image, *d_image;
    size_t pitch;
    int wrong = 0;
    cudaStream_t s[2];
    cudaMallocHost(&image, WIDTH * HEIGHT);
    cudaMallocPitch(&d_image, &pitch, WIDTH, HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        image[i] = i % 251;
    cudaMemcpy2D(d_image, pitch, image, WIDTH, WIDTH, HEIGHT, cudaMemcpyHostToDevice);
    for (int k = 0; k < 2; k++) {
        int first = k * HEIGHT / 2, rows = HEIGHT / 2;
        cudaStreamCreate(&s[k]);
        invert_kernel<<<dim3(4, rows), 32, 0, s[k]>>>(d_image, pitch, first, rows); // EXPECTED
#ifdef BUG
        first -= k;
        rows += k;
#endif
        unsigned char *to = image + first * WIDTH, *from = d_image + first * pitch;
        const cudaMemcpyKind kind = cudaMemcpyDeviceToHost;
        cudaMemcpy2DAsync(to, WIDTH, from, pitch, WIDTH, rows, kind, s[k]); // EXPECTED
    }
    cudaDeviceSynchronize();
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        wrong += image[i] != 255 - i % 251;
    for (int k = 0; k < 2; k++)
        cudaStreamDestroy(s[k]);
    cudaFree(d_image);
    cudaFreeHost(image);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
