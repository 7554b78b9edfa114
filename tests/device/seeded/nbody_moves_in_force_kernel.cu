// expect: race-global
// Particles on a line: a thread moves its particle while others still compute forces from the
// old place.
// Without BUG: the particles are moved by a second kernel.
#include <math.h>
#include <stdio.h>

#define N 96

__global__ void step_kernel(float *x, float *v, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float force = 0;
    for (int j = 0; j < N; j++) {
        float d = x[j] - x[i]; // EXPECTED
        force += d / (d * d + 0.1f);
    }
    v[i] += dt * force;
#ifndef BUG
}

__global__ void move_kernel(float *x, const float *v, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#endif
    x[i] += dt * v[i]; // EXPECTED
}

int main()
{
    float x[N], v[N] = {0}, got[N], *d_x, *d_v;
    for (int i = 0; i < N; i++)
        x[i] = (i * 37 % N) * 0.1f;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_v, sizeof(v));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemset(d_v, 0, sizeof(v));
    step_kernel<<<N / 32, 32>>>(d_x, d_v, 0.01f);
#ifndef BUG
    move_kernel<<<N / 32, 32>>>(d_x, d_v, 0.01f);
#endif
    cudaMemcpy(got, d_x, sizeof(got), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        double force = 0;
        for (int j = 0; j < N; j++)
            force += (x[j] - x[i]) / ((x[j] - x[i]) * (x[j] - x[i]) + 0.1);
        v[i] = 0.01 * force;
    }
    for (int i = 0; i < N; i++)
        wrong += !(fabs(got[i] - (x[i] + 0.01 * v[i])) < 1e-5);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_v);
    return wrong != 0;
}
