/* NVTX's ranges and marks, which name a program's parts for a profiler. */
#include <cstdio>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#define N 500

class range
{
  public:
    range(const char *name, unsigned color)
    {
        nvtxEventAttributes_t event = {};
        event.version = NVTX_VERSION;
        event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
        event.colorType = NVTX_COLOR_ARGB;
        event.color = color;
        event.messageType = NVTX_MESSAGE_TYPE_ASCII;
        event.message.ascii = name;
        nvtxRangePushEx(&event);
    }
    ~range()
    {
        nvtxRangePop();
    }
};

__global__ void cube(int *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        x[i] = i * i * i;
}

int main()
{
    int x[N], *d_x, wrong = 0;
    cudaProfilerStart();
    nvtxRangeId_t all = nvtxRangeStartA("all");
    {
        range r("allocation", 0xff00ff00);
        cudaMalloc(&d_x, sizeof(x));
    }
    nvtxRangePushA("kernel");
    cube<<<(N + 127) / 128, 128>>>(d_x);
    nvtxRangePop();
    nvtxMarkA("copy");
    cudaMemcpy(x, d_x, sizeof(x), cudaMemcpyDeviceToHost);
    nvtxRangeEnd(all);
    cudaProfilerStop();
    for (int i = 0; i < N; i++)
        wrong += x[i] != i * i * i;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    return wrong != 0;
}
