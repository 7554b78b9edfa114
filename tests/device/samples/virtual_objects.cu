// Objects with virtual functions that the host made and copied, of which a kernel uses the rest:
// members, functions that are not virtual, and copies, which have tables of their own.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

struct counted {
    int a;
    __host__ __device__ counted(int a = 0) : a(a)
    {
    }
    __host__ __device__ virtual ~counted()
    {
    }
    __host__ __device__ int get() const
    {
        return a;
    }
};
struct triple : counted {
    double d[3];
    __host__ __device__ triple(int a = 0) : counted(a)
    {
        for (int i = 0; i < 3; i++)
            d[i] = a + i;
    }
    __host__ __device__ virtual double sum() const
    {
        return d[0] + d[1] + d[2];
    }
};

__global__ void sums_kernel(const triple *in, triple *out, double *y, int n)
{
    const int i = threadIdx.x;
    if (i >= n)
        return;
    const triple mine = in[i];
    triple assigned;
    assigned = in[i];
    const triple *other = &assigned;
    y[i] = mine.sum() + other->sum() + in[i].triple::sum() + in[i].get();
    for (int k = 0; k < 3; k++)
        out[i].d[k] = in[i].d[k];
}

int main()
{
    const int n = 8;
    std::vector<triple> made;
    for (int i = 0; i < n; i++)
        made.push_back(triple(i));
    std::vector<triple> back(made);
    triple *d_in, *d_out;
    double y[n], *d_y;
    bool right = true;
    cudaMalloc(&d_in, n * sizeof *d_in);
    cudaMalloc(&d_out, n * sizeof *d_out);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_in, made.data(), n * sizeof *d_in, cudaMemcpyHostToDevice);
    cudaMemcpy(d_out, d_in, n * sizeof *d_in, cudaMemcpyDeviceToDevice);
    sums_kernel<<<1, 32>>>(d_in, d_out, d_y, n);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    cudaMemcpy(static_cast<void *>(back.data()), d_out, n * sizeof *d_out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        right = right && y[i] == 3 * (3 * i + 3) + i && back[i].sum() == 3 * i + 3;
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_y);
    printf("%s\n", right ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
