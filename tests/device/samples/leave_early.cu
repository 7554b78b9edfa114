// reported: divergent-barrier
/* Threads that return before a barrier, at once and in a loop: the others of their block go on
 * without them, as they do on GPUs since Volta. */
#include <cstdio>

enum { BLOCK = 128, BLOCKS = 5, N = BLOCK * BLOCKS - 50, ROUNDS = 4 };

__global__ void leave(const int *x, int *y, int n)
{
    __shared__ int s[BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    s[threadIdx.x] = x[i];
    __syncthreads();
    for (int d = 1; d < ROUNDS; d++) {
        if (x[i] % 7 == d) {
            y[i] = -d;
            return;
        }
        __syncthreads();
    }
    y[i] = s[threadIdx.x ^ 1] + s[threadIdx.x];
}

int main()
{
    static int x[N], y[N];
    int *d_x, *d_y, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i * 37 % 101;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    leave<<<BLOCKS + 1, BLOCK>>>(d_x, d_y, N);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) {
        const int left = x[i] % 7;
        wrong += y[i] != (left > 0 && left < ROUNDS ? -left : x[i] + x[i ^ 1]);
    }
    cudaFree(d_x);
    cudaFree(d_y);
    printf(wrong ? "FAIL: %d differ\n" : "PASS\n", wrong);
    return wrong != 0;
}
