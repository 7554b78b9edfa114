/* Objects with virtual functions, made and used on the device. */
#include <cstdio>
#include <cuda_runtime.h>

struct shape {
    __device__ virtual int area() const = 0;
};
struct square : shape {
    int side;
    __device__ square(int s) : side(s)
    {
    }
    __device__ int area() const override
    {
        return side * side;
    }
};
struct rectangle : shape {
    int a, b;
    __device__ rectangle(int a, int b) : a(a), b(b)
    {
    }
    __device__ int area() const override
    {
        return a * b;
    }
};

__global__ void areas_kernel(int *y)
{
    const int t = threadIdx.x;
    const square s(t);
    const rectangle r(t, t + 1);
    const shape *one = t % 2 ? (const shape *)&s : (const shape *)&r;
    y[t] = one->area();
}

int main()
{
    int y[32], *d_y;
    bool right = true;
    cudaMalloc(&d_y, sizeof y);
    areas_kernel<<<1, 32>>>(d_y);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        right = right && y[i] == (i % 2 ? i * i : i * (i + 1));
    cudaFree(d_y);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
