/* Memory that host and device share: managed, and pinned with its address on the device; a list
 * built by the host and walked by the device; new and delete through managed memory. */
#include <cstdio>
#include <new>
#include <cuda_runtime.h>

class Managed
{
  public:
    void *operator new(size_t len)
    {
        void *ptr;
        if (cudaMallocManaged(&ptr, len) != cudaSuccess)
            throw std::bad_alloc();
        cudaDeviceSynchronize();
        return ptr;
    }
    void operator delete(void *ptr)
    {
        cudaDeviceSynchronize();
        cudaFree(ptr);
    }
};

struct node : public Managed {
    int value;
    node *next;
};

__managed__ int total = 10;

__global__ void walk(node *list, int *longest)
{
    int count = 0;
    for (node *n = list; n != NULL; n = n->next) {
        total += n->value;
        n->value = -n->value;
        count++;
    }
    *longest = count;
}

__global__ void twice(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}

int main()
{
    const int n = 500;
    node *list = NULL;
    int *length, wrong = 0;
    float *x, *pinned, *d_pinned;

    for (int i = 1; i <= 20; i++) {
        node *first = new node;
        first->value = i;
        first->next = list;
        list = first;
    }
    cudaMallocManaged(&length, sizeof(int));
    cudaMallocManaged(&x, n * sizeof(float));
    cudaHostAlloc(&pinned, n * sizeof(float), cudaHostAllocMapped);
    cudaHostGetDevicePointer((void **)&d_pinned, pinned, 0);
    for (int i = 0; i < n; i++)
        pinned[i] = x[i] = i;
    walk<<<1, 1>>>(list, length);
    twice<<<(n + 63) / 64, 64>>>(x, n);
    twice<<<(n + 63) / 64, 64>>>(d_pinned, n);
    cudaDeviceSynchronize();

    wrong += *length != 20 || total != 220;
    for (int i = 0; i < n; i++)
        wrong += x[i] != 2 * i || pinned[i] != 2 * i;
    for (int i = 20; list != NULL; i--) {
        node *first = list;
        wrong += first->value != -i;
        list = first->next;
        delete first;
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(length);
    cudaFree(x);
    cudaFreeHost(pinned);
    return wrong != 0;
}
