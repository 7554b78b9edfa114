// expect: oob-shared
// A block's histogram has a bin for each letter, and the text has blanks, which come before 'a'.
// Without BUG: only letters are counted.
#include <stdio.h>
#include <string.h>

#define LETTERS 26

__global__ void letters_kernel(const char *text, int n, int *counts)
{
    __shared__ int s_counts[LETTERS];
    if (threadIdx.x < LETTERS)
        s_counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
#ifdef BUG
        atomicAdd(&s_counts[text[i] - 'a'], 1); // EXPECTED
#else
        if (text[i] >= 'a' && text[i] <= 'z')
            atomicAdd(&s_counts[text[i] - 'a'], 1);
#endif
    __syncthreads();
    if (threadIdx.x < LETTERS)
        counts[threadIdx.x] = s_counts[threadIdx.x];
}

int main()
{
    const char *text = "a block of threads counts the letters of a text that has blanks";
    int n = strlen(text), counts[LETTERS], want[LETTERS] = {0}, *d_counts, wrong = 0;
    char *d_text;
    for (int i = 0; i < n; i++)
        if (text[i] != ' ')
            want[text[i] - 'a']++;
    cudaMalloc(&d_text, n);
    cudaMalloc(&d_counts, sizeof(counts));
    cudaMemcpy(d_text, text, n, cudaMemcpyHostToDevice);
    letters_kernel<<<1, 32>>>(d_text, n, d_counts);
    cudaMemcpy(counts, d_counts, sizeof(counts), cudaMemcpyDeviceToHost);
    for (int k = 0; k < LETTERS; k++)
        wrong += counts[k] != want[k];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_text);
    cudaFree(d_counts);
    return wrong != 0;
}
