/* cuComplex.h: a Julia set in float, roots of unity in double, and a division of what is very
 * large. */
#include <cmath>
#include <cstdio>
#include <cuComplex.h>
#include <cuda_runtime.h>

#define WIDTH  48
#define HEIGHT 32
#define ROOTS  12

__global__ void julia(int *steps)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, n = 0;
    cuFloatComplex z = make_cuFloatComplex(3.0f * x / WIDTH - 1.5f, 2.0f * y / HEIGHT - 1);
    const cuComplex c = make_cuComplex(-0.75f, 0.125f);
    for (; n < 50 && cuCabsf(z) < 2; n++)
        z = cuCaddf(cuCmulf(z, z), c);
    steps[y * WIDTH + x] = n;
}

__global__ void unity(cuDoubleComplex *z)
{
    int k = threadIdx.x;
    double real, imaginary;
    sincospi(2.0 * k / ROOTS, &imaginary, &real);
    cuDoubleComplex root = make_cuDoubleComplex(real, imaginary), power = root;
    for (int i = 1; i < ROOTS; i++)
        power = cuCmul(power, root);
    z[k] = cuCsub(cuCfma(power, cuConj(root), root), cuCdiv(make_cuDoubleComplex(1, 0), root));
    if (k == 0)
        z[0] = cuCdiv(make_cuDoubleComplex(3e300, 6e300), make_cuDoubleComplex(1e300, 2e300));
}

int main()
{
    int steps[WIDTH * HEIGHT], *d_steps, sum = 0, wrong = 0;
    cuDoubleComplex z[ROOTS], *d_z;
    cudaMalloc(&d_steps, sizeof(steps));
    cudaMalloc(&d_z, sizeof(z));
    julia<<<dim3(WIDTH / 16, HEIGHT / 16), dim3(16, 16)>>>(d_steps);
    unity<<<1, ROOTS>>>(d_z);
    cudaMemcpy(steps, d_steps, sizeof(steps), cudaMemcpyDeviceToHost);
    cudaMemcpy(z, d_z, sizeof(z), cudaMemcpyDeviceToHost);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        sum += steps[i] == 50;
        if (i % WIDTH && i >= WIDTH) /* the set is the same upside down */
            wrong += steps[i] != steps[(HEIGHT - i / WIDTH) * WIDTH + WIDTH - i % WIDTH];
    }
    for (int k = 1; k < ROOTS; k++)
        wrong += fabs(cuCreal(z[k]) - cos(2 * M_PI * k / ROOTS)) > 1e-12 ||
                 fabs(cuCimag(z[k]) - sin(2 * M_PI * k / ROOTS)) > 1e-12;
    wrong += fabs(z[0].x - 3) > 1e-12 || fabs(z[0].y) > 1e-12;
    wrong += cuComplexDoubleToFloat(z[0]).x != (float)z[0].x;
    printf("%s: %d wrong, %s inside\n", wrong ? "FAIL" : "PASS", wrong, sum > 0 ? "some" : "none");
    cudaFree(d_steps);
    cudaFree(d_z);
    return wrong != 0;
}
