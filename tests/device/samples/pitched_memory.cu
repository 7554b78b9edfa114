/* Rows of an image that begin at good addresses: pitched memory, its copies, its clearing. */
#include <cstdio>
#include <cuda_runtime.h>

__device__ unsigned char *row_of(unsigned char *image, size_t pitch, int y)
{
    return image + y * pitch;
}

__global__ void flip(const uchar3 *in, size_t in_pitch, unsigned char *out, size_t pitch, int width,
                     int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const uchar3 *row = (const uchar3 *)((const char *)in + y * in_pitch);
    uchar3 pixel = row[x];
    row_of(out, pitch, height - 1 - y)[x] = (pixel.x + pixel.y + pixel.z) / 3;
}

int main()
{
    const int width = 75, height = 40, margin = 5;
    static uchar3 in[height][width];
    static unsigned char out[height + 2 * margin][width + 2 * margin];
    uchar3 *d_in;
    unsigned char *d_out;
    size_t in_pitch, pitch, in_row = width * sizeof(uchar3);
    int wrong = 0;

    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            in[y][x] = make_uchar3(x, 2 * y, x * y);
    cudaMallocPitch((void **)&d_in, &in_pitch, in_row, height);
    cudaMallocPitch(&d_out, &pitch, width, height);
    cudaMemcpy2D(d_in, in_pitch, in, in_row, in_row, height, cudaMemcpyHostToDevice);
    cudaMemset2D(d_out, pitch, 200, width, height);
    flip<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(d_in, in_pitch, d_out,
                                                                        pitch, width, height - 1);
    cudaMemcpy2D(&out[margin][margin], sizeof(out[0]), d_out, pitch, width, height,
                 cudaMemcpyDeviceToHost);
    wrong += in_pitch < in_row || pitch < (size_t)width || pitch % 32 != 0;
    for (int y = 0; y < height + 2 * margin; y++)
        for (int x = 0; x < width + 2 * margin; x++) {
            int u = x - margin, v = height - 2 - (y - margin), want = 0;
            if (u >= 0 && u < width && y >= margin && y < margin + height)
                want = v >= 0 ? (in[v][u].x + in[v][u].y + in[v][u].z) / 3 : 200;
            wrong += out[y][x] != want;
        }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_in);
    cudaFree(d_out);
    return wrong != 0;
}
