/* The distance of two words, a launch an anti-diagonal of the table. */
#include <cstdio>
#include <cuda_runtime.h>

#define MOST 32

__global__ void diagonal_kernel(const char *a, int m, const char *b, int n, int *table, int k)
{
    const int i = threadIdx.x, j = k - i;
    if (i > m || j < 0 || j > n)
        return;
    int best = i + j;
    if (i > 0 && j > 0) {
        const int same = table[(i - 1) * MOST + j - 1] + (a[i - 1] != b[j - 1]);
        const int less = table[(i - 1) * MOST + j] + 1, more = table[i * MOST + j - 1] + 1;
        best = min(same, min(less, more));
    }
    table[i * MOST + j] = best;
}

static int distance(const char *a, int m, const char *b, int n)
{
    char *d_a, *d_b;
    int *d_table, end = -1;
    cudaMalloc(&d_a, MOST);
    cudaMalloc(&d_b, MOST);
    cudaMalloc(&d_table, MOST * MOST * sizeof(int));
    cudaMemcpy(d_a, a, m, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, n, cudaMemcpyHostToDevice);
    for (int k = 0; k <= m + n; k++)
        diagonal_kernel<<<1, MOST>>>(d_a, m, d_b, n, d_table, k);
    cudaMemcpy(&end, d_table + m * MOST + n, sizeof end, cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_table);
    return end;
}

int main()
{
    const bool right = distance("kitten", 6, "sitting", 7) == 3 &&
                       distance("flaw", 4, "lawn", 4) == 2 && distance("abc", 3, "abc", 3) == 0 &&
                       distance("intention", 9, "execution", 9) == 5;

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
