// new, delete, malloc and free in kernels: objects with virtual functions that one kernel makes,
// another one asks, and a third one ends.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

class shape
{
  public:
    __device__ virtual float distance(float x) const = 0;
    __device__ virtual ~shape()
    {
    }
};

class interval : public shape
{
    float middle, half;

  public:
    __device__ interval(float m, float h) : middle(m), half(h)
    {
    }
    __device__ float distance(float x) const override
    {
        return fabsf(x - middle) - half;
    }
};

class point : public shape
{
    float at;

  public:
    __device__ explicit point(float x) : at(x)
    {
    }
    __device__ float distance(float x) const override
    {
        return fabsf(x - at);
    }
};

__device__ int *squares;

__global__ void make_kernel(shape **shapes, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 2)
        shapes[i] = new point((float)i);
    else if (i < n)
        shapes[i] = new interval((float)i, 0.25f);
    if (i == 0) {
        squares = (int *)malloc(n * sizeof *squares);
        int *two = new int[2];
        two[0] = two[1] = 1;
        for (int k = 0; k < n; k++)
            squares[k] = k * k * two[k % 2];
        delete[] two;
    }
}

__global__ void ask_kernel(shape *const *shapes, int n, float *nearest)
{
    float x = 0.5f * (float)(blockIdx.x * blockDim.x + threadIdx.x), least = 1e9f;
    for (int k = 0; k < n; k++)
        least = fminf(least, shapes[k]->distance(x));
    nearest[blockIdx.x * blockDim.x + threadIdx.x] = least + (float)squares[3];
}

__global__ void end_kernel(shape **shapes, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        delete shapes[i];
    if (i == 0)
        free(squares);
}

int main()
{
    const int n = 20, points = 64;
    shape **shapes;
    float *nearest, got[points];
    cudaMalloc((void **)&shapes, n * sizeof *shapes);
    cudaMalloc((void **)&nearest, sizeof got);
    make_kernel<<<1, 32>>>(shapes, n);
    ask_kernel<<<2, points / 2>>>(shapes, n, nearest);
    end_kernel<<<1, 32>>>(shapes, n);
    cudaMemcpy(got, nearest, sizeof got, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < points; i++) {
        float x = 0.5f * (float)i, least = 1e9f;
        for (int k = 0; k < n; k++)
            least = fminf(least, fabsf(x - (float)k) - (k % 2 ? 0 : 0.25f));
        bad += got[i] != least + 9;
    }
    cudaFree(shapes);
    cudaFree(nearest);
    printf(bad ? "FAIL: %d\n" : "PASS\n", bad);
    return bad != 0;
}
