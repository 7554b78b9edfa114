/* Rows of a sparse matrix, a warp each, through volatile shared memory: what is read of it is a plain
 * value, in `c ? s[t] : 0`, where a float and an int are a float, and in max(s[t], 0). */
#include <cstdio>
#include <cuda_runtime.h>

#define ROWS 70
#define WARPS 4

__global__ void row_sums(const int *begin, const float *x, float *sum, float *most)
{
    __shared__ volatile float part[WARPS * 32], largest[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= ROWS)
        return;
    part[threadIdx.x] = 0;
    largest[warp][lane] = 0;
    for (int i = begin[row] + lane; i < begin[row + 1]; i += 32) {
        part[threadIdx.x] += x[i];
        largest[warp][lane] = fmaxf(largest[warp][lane], x[i]);
    }
    __syncwarp();
    for (int d = 16; d > 0; d /= 2) {
        float other = lane < d ? part[threadIdx.x + d] : 0;
        float above = lane < d ? *(largest[warp] + lane + d) : 0;
        __syncwarp();
        part[threadIdx.x] += other;
        (largest[warp][lane]) = max(largest[warp][lane], above);
        __syncwarp();
    }
    if (lane == 0) {
        sum[row] = part[threadIdx.x];
        most[row] = (largest[warp][0]);
    }
}

int main()
{
    int begin[ROWS + 1] = {0}, *d_begin;
    for (int r = 0; r < ROWS; r++)
        begin[r + 1] = begin[r] + r * 37 % 61;
    const int n = begin[ROWS];
    float *x = new float[n], sum[ROWS], most[ROWS], *d_x, *d_sum, *d_most;
    for (int i = 0; i < n; i++)
        x[i] = i * 29 % 127 * 0.25f;
    cudaMalloc(&d_begin, sizeof(begin));
    cudaMalloc(&d_x, n * sizeof(float));
    cudaMalloc(&d_sum, sizeof(sum));
    cudaMalloc(&d_most, sizeof(most));
    cudaMemcpy(d_begin, begin, sizeof(begin), cudaMemcpyHostToDevice);
    cudaMemcpy(d_x, x, n * sizeof(float), cudaMemcpyHostToDevice);
    row_sums<<<(ROWS + WARPS - 1) / WARPS, WARPS * 32>>>(d_begin, d_x, d_sum, d_most);
    cudaMemcpy(sum, d_sum, sizeof(sum), cudaMemcpyDeviceToHost);
    cudaMemcpy(most, d_most, sizeof(most), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int r = 0; r < ROWS; r++) {
        float s = 0, m = 0;
        for (int i = begin[r]; i < begin[r + 1]; i++) {
            s += x[i];
            m = x[i] > m ? x[i] : m;
        }
        wrong += s != sum[r] || m != most[r];
    }
    printf("%s: %d of %d rows wrong\n", wrong ? "FAIL" : "PASS", wrong, ROWS);
    cudaFree(d_begin);
    cudaFree(d_x);
    cudaFree(d_sum);
    cudaFree(d_most);
    delete[] x;
    return wrong != 0;
}
