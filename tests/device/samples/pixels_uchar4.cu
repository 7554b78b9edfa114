/* A picture of four bytes a pixel is made grey and blurred over rows. */
#include <cstdio>
#include <cuda_runtime.h>

#define W 64
#define H 16

__global__ void grey_kernel(uchar4 *pixels)
{
    uchar4 &p = pixels[blockIdx.x * W + threadIdx.x];
    const unsigned char grey = (p.x * 2 + p.y * 5 + p.z) / 8;
    p = make_uchar4(grey, grey, grey, p.w);
}

__global__ void blur_kernel(const uchar4 *pixels, uchar4 *blurred)
{
    __shared__ uchar4 row[W];
    const int x = threadIdx.x, i = blockIdx.x * W + x;
    row[x] = pixels[i];
    __syncthreads();
    const int left = row[max(x - 1, 0)].x, right = row[min(x + 1, W - 1)].x;
    const unsigned char b = (left + 2 * row[x].x + right) / 4;
    blurred[i] = make_uchar4(b, b, b, row[x].w);
}

int main()
{
    static uchar4 p[W * H];
    uchar4 *d_p, *d_q;
    bool right = true;
    for (int i = 0; i < W * H; i++)
        p[i] = make_uchar4(i % W * 4, i % W * 4, i % W * 4, i / W);
    cudaMalloc(&d_p, sizeof p);
    cudaMalloc(&d_q, sizeof p);
    cudaMemcpy(d_p, p, sizeof p, cudaMemcpyHostToDevice);
    grey_kernel<<<H, W>>>(d_p);
    blur_kernel<<<H, W>>>(d_p, d_q);
    cudaMemcpy(p, d_q, sizeof p, cudaMemcpyDeviceToHost);
    for (int i = 0; i < W * H; i++) {
        const int x = i % W, wanted = x == 0 ? 1 : x == W - 1 ? 251 : 4 * x;
        right = right && p[i].x == wanted && p[i].y == wanted && p[i].w == i / W;
    }
    cudaFree(d_p);
    cudaFree(d_q);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
