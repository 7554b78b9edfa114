/* A separable filter on an image, compared with the host's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#include "helper_cuda.h"
#include "convolution_common.h"

extern "C" void convolutionCPU(float *h_Dst, const float *h_Src, const float *h_Kernel, int imageW,
                               int imageH, int dx, int dy)
{
    for (int y = 0; y < imageH; y++)
        for (int x = 0; x < imageW; x++) {
            double sum = 0;
            for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; k++) {
                int u = x + k * dx, v = y + k * dy;
                if (u >= 0 && u < imageW && v >= 0 && v < imageH)
                    sum += h_Src[v * imageW + u] * h_Kernel[KERNEL_RADIUS - k];
            }
            h_Dst[y * imageW + x] = (float)sum;
        }
}

int main(int argc, char **argv)
{
    const int imageW = 128, imageH = 96, pixels = imageW * imageH;
    float h_Kernel[KERNEL_LENGTH];
    float *h_Input = (float *)malloc(pixels * sizeof(float)), *d_Input;
    float *h_Buffer = (float *)malloc(pixels * sizeof(float)), *d_Buffer;
    float *h_CPU = (float *)malloc(pixels * sizeof(float)), *d_Output;
    float *h_GPU = (float *)malloc(pixels * sizeof(float));
    double delta = 0, sum = 0;

    findCudaDevice(argc, (const char **)argv);
    for (unsigned int i = 0; i < KERNEL_LENGTH; i++)
        h_Kernel[i] = (float)(rand() % 16);
    for (int i = 0; i < pixels; i++)
        h_Input[i] = (float)(rand() % 16);
    checkCudaErrors(cudaMalloc((void **)&d_Input, pixels * sizeof(float)));
    checkCudaErrors(cudaMalloc((void **)&d_Output, pixels * sizeof(float)));
    checkCudaErrors(cudaMalloc((void **)&d_Buffer, pixels * sizeof(float)));
    setConvolutionKernel(h_Kernel);
    checkCudaErrors(cudaMemcpy(d_Input, h_Input, pixels * sizeof(float), cudaMemcpyHostToDevice));

    convolutionRowsGPU(d_Buffer, d_Input, imageW, imageH);
    convolutionColumnsGPU(d_Output, d_Buffer, imageW, imageH);
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaMemcpy(h_GPU, d_Output, pixels * sizeof(float), cudaMemcpyDeviceToHost));

    convolutionCPU(h_Buffer, h_Input, h_Kernel, imageW, imageH, 1, 0);
    convolutionCPU(h_CPU, h_Buffer, h_Kernel, imageW, imageH, 0, 1);
    for (int i = 0; i < pixels; i++) {
        delta += (h_GPU[i] - h_CPU[i]) * (h_GPU[i] - h_CPU[i]);
        sum += h_CPU[i] * h_CPU[i];
    }
    double L2norm = sqrt(delta / sum);
    printf("relative L2 norm %g\n%s\n", L2norm, L2norm < 1e-6 ? "PASS" : "FAIL");
    checkCudaErrors(cudaFree(d_Buffer));
    checkCudaErrors(cudaFree(d_Output));
    checkCudaErrors(cudaFree(d_Input));
    free(h_Buffer);
    free(h_Input);
    free(h_CPU);
    free(h_GPU);
    return L2norm < 1e-6 ? EXIT_SUCCESS : EXIT_FAILURE;
}
