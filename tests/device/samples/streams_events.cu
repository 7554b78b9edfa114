/* Copies and kernels in several streams, events between them, the host counting while the device
 * works, a callback at the end. */
#include <stdio.h>
#include <cuda_runtime.h>

#include "helper_cuda.h"

__global__ void increment_kernel(int *g_data, int inc_value)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    g_data[idx] = g_data[idx] + inc_value;
}

static bool correct_output(int *data, const int n, const int x)
{
    for (int i = 0; i < n; i++)
        if (data[i] != x) {
            printf("data[%d] = %d, expected %d\n", i, data[i], x);
            return false;
        }
    return true;
}

static void CUDART_CB count_finished(void *finished)
{
    ++*(int *)finished;
}

/* The first stream by default, the others with the highest priority that there is. */
static void create_streams(cudaStream_t *stream, int n)
{
    int low = 0, high = 0;
    checkCudaErrors(cudaDeviceGetStreamPriorityRange(&low, &high));
    for (int i = 0; i < n; i++) {
        if (i == 0)
            checkCudaErrors(cudaStreamCreate(&stream[i]));
        else
            checkCudaErrors(cudaStreamCreateWithPriority(&stream[i], cudaStreamNonBlocking, high));
    }
}

/* Counts until the device has come to the event. */
static unsigned long count_until(cudaEvent_t event)
{
    unsigned long counter = 0;
    while (cudaEventQuery(event) == cudaErrorNotReady)
        counter++;
    return counter;
}

int main(int argc, char *argv[])
{
    const int n = 16 * 1024, streams = 4, value = 26, part = n / streams;
    const int nbytes = n * sizeof(int);
    int *a = 0, *d_a = 0, finished = 0;
    cudaStream_t stream[streams];
    cudaEvent_t start, stop, ready;
    cudaDeviceProp deviceProps;

    int devID = findCudaDevice(argc, (const char **)argv);
    checkCudaErrors(cudaGetDeviceProperties(&deviceProps, devID));
    printf("CUDA device [%s]\n", deviceProps.name);

    checkCudaErrors(cudaHostAlloc((void **)&a, nbytes, cudaHostAllocDefault));
    memset(a, 0, nbytes);
    checkCudaErrors(cudaMalloc((void **)&d_a, nbytes));
    checkCudaErrors(cudaMemset(d_a, 255, nbytes));
    checkCudaErrors(cudaEventCreate(&start));
    checkCudaErrors(cudaEventCreate(&stop));
    checkCudaErrors(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    create_streams(stream, streams);
    checkCudaErrors(cudaDeviceSynchronize());

    dim3 threads = dim3(256, 1);
    dim3 blocks = dim3(part / threads.x, 1);
    cudaEventRecord(start, 0);
    for (int i = 0; i < streams; i++) {
        int *h_part = a + i * part, *d_part = d_a + i * part;
        cudaMemcpyAsync(d_part, h_part, part * sizeof(int), cudaMemcpyHostToDevice, stream[i]);
        increment_kernel<<<blocks, threads, 0, stream[i]>>>(d_part, value);
        cudaMemcpyAsync(h_part, d_part, part * sizeof(int), cudaMemcpyDeviceToHost, stream[i]);
    }
    for (int i = 1; i < streams; i++) {
        checkCudaErrors(cudaEventRecord(ready, stream[i]));
        checkCudaErrors(cudaStreamWaitEvent(stream[0], ready, 0));
    }
    checkCudaErrors(cudaLaunchHostFunc(stream[0], count_finished, &finished));
    checkCudaErrors(cudaStreamSynchronize(stream[0]));
    cudaEventRecord(stop, 0);

    const unsigned long counter = count_until(stop);
    float gpu_time = -1.0f;
    checkCudaErrors(cudaEventElapsedTime(&gpu_time, start, stop));
    checkCudaErrors(cudaStreamQuery(stream[0]));
    printf("the CPU counted to %lu in %.2f ms of the device\n", counter, gpu_time);

    bool bFinalResults = correct_output(a, n, value) && finished == 1 && gpu_time >= 0;
    for (int i = 0; i < streams; i++)
        checkCudaErrors(cudaStreamDestroy(stream[i]));
    checkCudaErrors(cudaEventDestroy(start));
    checkCudaErrors(cudaEventDestroy(stop));
    checkCudaErrors(cudaEventDestroy(ready));
    checkCudaErrors(cudaFreeHost(a));
    checkCudaErrors(cudaFree(d_a));
    printf(bFinalResults ? "PASS\n" : "FAIL\n");
    return bFinalResults ? EXIT_SUCCESS : EXIT_FAILURE;
}
