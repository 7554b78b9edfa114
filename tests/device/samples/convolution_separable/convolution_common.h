#ifndef CONVOLUTION_COMMON_H
#define CONVOLUTION_COMMON_H

#define KERNEL_RADIUS 8
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)

extern "C" void convolutionCPU(float *h_Dst, const float *h_Src, const float *h_Kernel, int imageW,
                               int imageH, int dx, int dy);
extern "C" void setConvolutionKernel(float *h_Kernel);
extern "C" void convolutionRowsGPU(float *d_Dst, float *d_Src, int imageW, int imageH);
extern "C" void convolutionColumnsGPU(float *d_Dst, float *d_Src, int imageW, int imageH);

#endif
