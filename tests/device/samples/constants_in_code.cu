/* What kernels read of the program's own constants: strings, tables that the compiler makes of
 * switches and local arrays, constants of the device. */
#include <cstdio>
#include <cstring>

enum { N = 64 };

struct shape {
    int sides[3];
};
static __device__ const float weights[4] = {1, 2, 3, 4};
__device__ constexpr short steps[4] = {5, 6, 7, 8};
__constant__ shape triangle = {{7, 8, 9}};
__constant__ char greeting[6] = "hello";
__device__ const char *const units[3] = {"mm", "cm", "km"};
static const double HALF = 0.5;

__host__ __device__ static int digit(int i)
{
    switch (i) {
    case 0:
        return 17;
    case 1:
        return 3;
    case 2:
        return 99;
    case 3:
        return 12;
    case 4:
        return 5;
    case 5:
        return 1;
    default:
        return 0;
    }
}

__device__ static const char *colour(int i)
{
    switch (i) {
    case 0:
        return "red";
    case 1:
        return "green";
    case 2:
        return "blue";
    default:
        return "none";
    }
}

__global__ void numbers(float *out)
{
    const int i = threadIdx.x, around[8] = {1, 0, -1, 0, 5, 6, 7, 8};
    static const float parts[4] = {0.5f, 0.25f, 0.125f, 1};
    out[i] = weights[i % 4] + steps[i % 4] + (3 + i % 4) + triangle.sides[i % 3] + digit(i % 7) +
             around[i % 8] + parts[i % 4] + HALF;
}

__global__ void letters(char *out)
{
    const int i = threadIdx.x;
    const char *text = "a string as long as the block of threads that reads it, or more so";
    const char *name = colour(i % 4);
    out[i] = i % 4 == 0   ? text[i]
             : i % 4 == 1 ? units[i % 3][i % 2]
             : i % 4 == 2 ? name[i % 2]
                          : greeting[i % 5];
}

int main()
{
    const float weight[4] = {1, 2, 3, 4}, part[4] = {0.5f, 0.25f, 0.125f, 1};
    const int around[8] = {1, 0, -1, 0, 5, 6, 7, 8};
    float *out, got[N];
    char *text, read[N + 1] = {0};
    int bad = 0;
    cudaMalloc(&out, sizeof got);
    cudaMalloc(&text, N);
    numbers<<<1, N>>>(out);
    letters<<<1, N>>>(text);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaMemcpy(read, text, N, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        bad += got[i] != weight[i % 4] + (5 + i % 4) + (3 + i % 4) + (7 + i % 3) + digit(i % 7) +
                             around[i % 8] + part[i % 4] + 0.5f;
    bad += read[0] != 'a' || read[4] != 'r' || strlen(read) != N;
    puts(read);
    puts(bad ? "FAIL" : "PASS");
    cudaFree(out);
    cudaFree(text);
    return bad != 0;
}
