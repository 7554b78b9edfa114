// Arguments of kernels: references, which stand for managed objects; classes with functions of
// their own for copies and ends, of which a launch makes one copy, on the host; packs; a large
// struct.
#include <cstdio>

#include <cuda_runtime.h>

struct handle {
    int *data, *copies;
    handle(int *d, int *c) : data(d), copies(c)
    {
        ++*copies;
    }
    handle(const handle &other) : data(other.data), copies(other.copies)
    {
        ++*copies;
    }
    ~handle()
    {
        --*copies;
    }
};

struct wide {
    float at[700];
};

struct counter {
    int n, last;
};

__global__ void fill_kernel(handle h, int value)
{
    h.data[threadIdx.x] = value;
    __syncthreads();
    value = h.data[(threadIdx.x + 1) % blockDim.x];
    h.data[blockDim.x + threadIdx.x] = value;
}

__global__ void count_down_kernel(handle h, int n, int *out)
{
    while (n > 0)
        n -= 7;
    out[threadIdx.x] = h.data[threadIdx.x] + n;
}

__global__ void count_kernel(counter &c, const int &step)
{
    atomicAdd(&c.n, step);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        c.last = step;
}

template <class T, class F> __global__ void map_kernel(T *const out, const F &f, const T (&add)[3])
{
    out[threadIdx.x] = f(threadIdx.x) + add[1];
}

template <class... A> __global__ void sum_kernel(int *out, A... values)
{
    int sum = 0;
    ((sum += values), ...);
    out[threadIdx.x] = sum;
}

__global__ void wide_kernel(const wide w, float *out)
{
    out[threadIdx.x] = w.at[3 * threadIdx.x];
}

struct twice {
    int times;
    __device__ int operator()(int x) const
    {
        return times * x;
    }
};

template <class T> static T *managed(size_t n = 1)
{
    T *p = NULL;
    if (cudaMallocManaged(&p, n * sizeof(T)) != cudaSuccess)
        printf("no memory\n");
    return p;
}

static int wrong(bool right, const char *what)
{
    if (!right)
        printf("wrong: %s\n", what);
    return !right;
}

int main()
{
    int bad = 0, *d = managed<int>(1024), *copies = managed<int>();
    *copies = 0;
    {
        handle h(d, copies);
        fill_kernel<<<1, 64>>>(h, 9);
        cudaDeviceSynchronize();
        bad += wrong(*copies == 1 && d[64] == 9, "a class by value");
        count_down_kernel<<<1, 32>>>(h, 10, d + 200);
        cudaDeviceSynchronize();
        bad += wrong(*copies == 1 && d[205] == 5, "arguments that threads change");
    }
    bad += wrong(*copies == 0, "the end of a class");

    counter *c = managed<counter>();
    int *step = managed<int>();
    *c = counter{0, 0};
    *step = 3;
    count_kernel<<<2, 40>>>(*c, *step);
    cudaDeviceSynchronize();
    bad += wrong(c->n == 240 && c->last == 3, "references");

    twice *f = managed<twice>();
    int(*add)[3] = managed<int[3]>();
    f->times = 2;
    (*add)[1] = 100;
    map_kernel<<<1, 8>>>(d, *f, *add);
    cudaDeviceSynchronize();
    bad += wrong(d[7] == 114, "references to a functor and an array");
    sum_kernel<<<1, 4>>>(d, 1, 2.0f, (char)3);
    cudaDeviceSynchronize();
    bad += wrong(d[3] == 6, "a pack");

    wide w;
    for (int i = 0; i < 700; i++)
        w.at[i] = (float)i;
    wide_kernel<<<1, 200>>>(w, (float *)d);
    cudaDeviceSynchronize();
    bad += wrong(((float *)d)[199] == 597, "a large struct");
    void *all[] = {d, copies, c, step, f, add};
    for (void *p : all)
        cudaFree(p);
    printf(bad ? "FAIL\n" : "PASS\n");
    return bad;
}
