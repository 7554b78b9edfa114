/* Pieces of an array on their way through the device: copied in, computed and copied out on three
 * streams, through two buffers, which events hand from stream to stream and back to the host. */
#include <stdio.h>
#include <cuda_runtime.h>

#include "helper_cuda.h"

#define PIECE  1000
#define PIECES 7
#define BYTES  (PIECE * sizeof(float))

__global__ void scale_kernel(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i] + 1;
}

struct buffer {
    float *in, *out, *d_in, *d_out;
    cudaEvent_t copied, computed, returned;
};

static void make(struct buffer *b)
{
    checkCudaErrors(cudaMallocHost(&b->in, BYTES));
    checkCudaErrors(cudaMallocHost(&b->out, BYTES));
    checkCudaErrors(cudaMalloc(&b->d_in, BYTES));
    checkCudaErrors(cudaMalloc(&b->d_out, BYTES));
    checkCudaErrors(cudaEventCreate(&b->copied));
    checkCudaErrors(cudaEventCreate(&b->computed));
    checkCudaErrors(cudaEventCreate(&b->returned));
}

static void drop(struct buffer *b)
{
    checkCudaErrors(cudaFreeHost(b->in));
    checkCudaErrors(cudaFreeHost(b->out));
    checkCudaErrors(cudaFree(b->d_in));
    checkCudaErrors(cudaFree(b->d_out));
    checkCudaErrors(cudaEventDestroy(b->copied));
    checkCudaErrors(cudaEventDestroy(b->computed));
    checkCudaErrors(cudaEventDestroy(b->returned));
}

/* The result of piece k, which is in buffer b. */
static int wrong_in(const struct buffer *b, int k)
{
    int wrong = 0;
    checkCudaErrors(cudaEventSynchronize(b->returned));
    for (int i = 0; i < PIECE; i++)
        wrong += b->out[i] != 2.0f * (float)(k * PIECE + i) + 1;
    return wrong;
}

int main(void)
{
    struct buffer buffers[2];
    cudaStream_t in, compute, out;
    int wrong = 0;
    make(&buffers[0]);
    make(&buffers[1]);
    checkCudaErrors(cudaStreamCreateWithFlags(&in, cudaStreamNonBlocking));
    checkCudaErrors(cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking));
    checkCudaErrors(cudaStreamCreateWithFlags(&out, cudaStreamNonBlocking));

    for (int k = 0; k < PIECES; k++) {
        struct buffer *b = &buffers[k % 2];
        if (k >= 2)
            wrong += wrong_in(b, k - 2);
        for (int i = 0; i < PIECE; i++)
            b->in[i] = (float)(k * PIECE + i);
        checkCudaErrors(cudaMemcpyAsync(b->d_in, b->in, BYTES, cudaMemcpyHostToDevice, in));
        checkCudaErrors(cudaEventRecord(b->copied, in));
        checkCudaErrors(cudaStreamWaitEvent(compute, b->copied, 0));
        scale_kernel<<<(PIECE + 127) / 128, 128, 0, compute>>>(b->d_out, b->d_in, PIECE);
        checkCudaErrors(cudaEventRecord(b->computed, compute));
        checkCudaErrors(cudaStreamWaitEvent(out, b->computed, 0));
        checkCudaErrors(cudaMemcpyAsync(b->out, b->d_out, BYTES, cudaMemcpyDeviceToHost, out));
        checkCudaErrors(cudaEventRecord(b->returned, out));
    }
    for (int k = PIECES - 2; k < PIECES; k++)
        wrong += wrong_in(&buffers[k % 2], k);

    checkCudaErrors(cudaStreamDestroy(in));
    checkCudaErrors(cudaStreamDestroy(compute));
    checkCudaErrors(cudaStreamDestroy(out));
    drop(&buffers[0]);
    drop(&buffers[1]);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
