// Device variables that are declared together with their type, and the inverses of error functions.
#include <cmath>
#include <cstdio>

__device__ struct {
    int n;
    float scale;
} settings = {3, 1.5f};
__constant__ struct weights {
    float of[3];
} left_weights = {{1, 2, 3}}, right_weights = {{4, 5, 6}};
__managed__ union {
    int whole;
    unsigned char bytes[4];
} seen = {7};
__device__ enum { IDLE, BUSY } state = BUSY;
__device__ int braced{4};

__global__ void use_kernel(float *y)
{
    const int t = threadIdx.x;
    y[t] = settings.scale * left_weights.of[t % 3] + right_weights.of[t % 3] + braced;
    if (t == 0) {
        settings.n += state == BUSY;
        seen.bytes[1] = 1;
        state = IDLE;
    }
}

__global__ void inverse_kernel(double *wrong)
{
    const double p = (threadIdx.x + 0.5) / blockDim.x;
    const double there = fabs(erf(erfinv(2 * p - 1)) - (2 * p - 1)),
                 tail = fabs(erfc(erfcinv(2 * p)) / (2 * p) - 1);
    const double normal = fabs(normcdf(normcdfinv(p)) / p - 1);
    const double small = fabs(erfinv(p * 1e-12) / (p * 1e-12 * 0.88622692545275801) - 1);
    wrong[threadIdx.x] = fmax(fmax(there, tail), fmax(normal, small));
}

int main()
{
    const int n = 64;
    float y[n], *d_y;
    double wrong[n], *d_wrong;
    weights w;
    int bad = 0;
    cudaMalloc(&d_y, sizeof y);
    cudaMalloc(&d_wrong, sizeof wrong);
    use_kernel<<<1, n>>>(d_y);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&w, right_weights, sizeof w);
    for (int i = 0; i < n; i++)
        bad += y[i] != 1.5f * (i % 3 + 1) + w.of[i % 3] + 4;
    bad += seen.whole != 256 + 7;
    inverse_kernel<<<1, n>>>(d_wrong);
    cudaMemcpy(wrong, d_wrong, sizeof wrong, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        bad += !(wrong[i] < 1e-14);
    cudaFree(d_y);
    cudaFree(d_wrong);
    printf("%s\n", bad ? "FAIL" : "PASS");
    return bad != 0;
}
