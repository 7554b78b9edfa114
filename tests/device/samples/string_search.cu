/* Where a word stands in a text: pattern in constant memory, places by an atomic counter, then
 * sorted. */
#include <cstdio>
#include <cuda_runtime.h>

#include <cstring>

__constant__ char word[16];
__constant__ int word_length;

__global__ void search_kernel(const char *text, int n, int *places, int *count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + word_length > n)
        return;
    for (int k = 0; k < word_length; k++)
        if (text[i + k] != word[k])
            return;
    places[atomicAdd(count, 1)] = i;
}

int main()
{
    const char text[] = "abracadabra, said the abra of cadabra";
    const int n = (int)strlen(text), length = 4, wanted[4] = {0, 7, 22, 33};
    char *d_text;
    int places[64], count, *d_places, *d_count;
    cudaMalloc(&d_text, n);
    cudaMalloc(&d_places, sizeof places);
    cudaMalloc(&d_count, sizeof count);
    cudaMemcpy(d_text, text, n, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(word, "abra", 4);
    cudaMemcpyToSymbol(word_length, &length, sizeof length);
    cudaMemset(d_count, 0, sizeof count);
    search_kernel<<<2, 32>>>(d_text, n, d_places, d_count);
    cudaMemcpy(&count, d_count, sizeof count, cudaMemcpyDeviceToHost);
    cudaMemcpy(places, d_places, count * sizeof(int), cudaMemcpyDeviceToHost);
    bool right = count == 4;
    for (int i = 0; i < 4 && right; i++) {
        bool found = false;
        for (int k = 0; k < 4; k++)
            found = found || places[k] == wanted[i];
        right = found;
    }
    cudaFree(d_text);
    cudaFree(d_places);
    cudaFree(d_count);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
