#ifndef SIGNAL_H
#define SIGNAL_H

/* y[i] = the mean of x over [i - radius, i + radius], as far as it lies inside. */
struct window {
    int radius;
    __host__ __device__ int first(int i) const
    {
        return i - radius < 0 ? 0 : i - radius;
    }
    __host__ __device__ int end(int i, int n) const
    {
        return i + radius + 1 > n ? n : i + radius + 1;
    }
};

__global__ void mean_kernel(window w, const float *x, float *y, int n);
void mean_on_device(window w, const float *x, float *y, int n);
extern int launches;

#endif
