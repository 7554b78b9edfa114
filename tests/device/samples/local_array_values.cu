// Local arrays that are set in other ways than by name, or in part, and used where they are set:
// by a pointer, a reference, a function; in part, and only copied beyond that.
#include <cstdio>
#include <cuda_runtime.h>

__device__ void fill(int *to, int n, int value)
{
    for (int k = 0; k < n; k++)
        to[k] = value + k;
}

__device__ void add(float &sum, float value)
{
    sum += value;
}

template <class T, int N> __device__ T sum_of(const T (&values)[N])
{
    T sum = 0;
    for (const T &v : values)
        sum += v;
    return sum;
}

__global__ void arrays_kernel(int *out)
{
    const int t = threadIdx.x;
    int a[4], b[3][2], heap[8];
    float f[2], *p = f;
    unsigned long long wide[2];
    fill(a, 4, t);
    for (int i = 0; i < 6; i++)
        b[i / 2][i % 2] = i;
    int n = 0;
    for (int i = 0; i < t % 8; i++) {
        int at = n++;
        heap[at] = t - i;
        while (at > 0 && heap[(at - 1) / 2] > heap[at]) {
            const int parent = heap[(at - 1) / 2];
            heap[(at - 1) / 2] = heap[at];
            heap[at] = parent;
            at = (at - 1) / 2;
        }
    }
    p[0] = 1;
    *(p + 1) = 0;
    add(f[1], 2.5f);
    wide[0] = wide[1] = 7ull << 40;
    wide[1] >>= 40;
    const int copied[2] = {heap[7], n};
    int &last = a[3];
    last++;
    out[t] = sum_of(a) + b[2][1] * b[1][1] + (n > 0 ? heap[0] + 1 : 0) + (int)(f[0] + f[1] * 2) +
             (int)(wide[0] >> 42) + (int)wide[1] + copied[1] - n;
}

int main()
{
    int out[64], *d_out, wrong = 0;
    cudaMalloc(&d_out, sizeof out);
    arrays_kernel<<<1, 64>>>(d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    for (int t = 0; t < 64; t++) {
        const int n = t % 8;
        wrong += out[t] != 4 * t + 7 + 15 + (n ? t - n + 2 : 0) + 6 + 1 + 7;
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
