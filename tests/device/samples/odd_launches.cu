/* Launches as people write them: in macros, through pointers, in lambdas, over several lines, with
 * commas in template arguments, with default arguments, from namespaces, in conditions; and "<<<" in
 * strings and comments: fill<<<1, 2>>>(nothing); is none. */
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>
#include <cuda_runtime.h>

#define THREADS 64
#define BLOCKS(n) (((n) + THREADS - 1) / THREADS)
#define LAUNCH(kernel, n, ...) kernel<<<BLOCKS(n), THREADS>>>(__VA_ARGS__)
#define SAFE_LAUNCH(kernel, grid, block, ...)                                                      \
    do {                                                                                           \
        kernel<<<grid, block>>>(__VA_ARGS__);                                                      \
        if (cudaGetLastError() != cudaSuccess)                                                     \
            printf("%s<<<%s, %s>>> failed\n", #kernel, #grid, #block);                             \
    } while (0)

static int evaluations = 0;
static int *counted(int *p)
{
    evaluations++;
    return p;
}

__global__ void add(int *x, int n, int value = 1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += value;
}

namespace outer
{
namespace inner
{
template <typename T, int A, int B = 2> __global__ void affine(T *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = A * x[i] + B;
}
} // namespace inner
using inner::affine;
__global__ void add(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += 1000;
}
} // namespace outer

template <int X, int Y> struct pair_of {
    static const int sum = X + Y;
};

template <class Pair, typename T> __global__ void add_sum(T *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] += Pair::sum;
}

class Adder
{
  public:
    explicit Adder(int value) : value_(value)
    {
    }
    void run(int *x, int n) const
    {
        add<<<BLOCKS(n), THREADS>>>(x, n, value_);
    }

  private:
    int value_;
};

template <typename F> void twice(F f)
{
    f();
    f();
}

template <typename T> void affine_of(T *x, int n)
{
    outer::inner::affine<T, 3, pair_of<1, 1>::sum><<<dim3(BLOCKS(n)), dim3(THREADS, 1, 1)>>>(x, n);
}

/* Each of these returns what every element should be then, having been `want`. */
static int plain_and_in_macros(int *d, int n, cudaStream_t stream, int want)
{
    const int shift = 3;
    add<<<BLOCKS(n), THREADS>>>(d, n), want += 1;
    add<<<dim3(BLOCKS(n), 1, 1), THREADS, 0, stream>>>(d, n, 2), want += 2;
    LAUNCH(add, n, d, n, 4), want += 4;
    SAFE_LAUNCH(add, 1 + n / THREADS, THREADS, d, n, 8);
    want += 8;
    outer::add<<<BLOCKS(n), THREADS>>>(d, n), want += 1000;
    ::add<<<BLOCKS(n), THREADS>>>(d, n, -5), want -= 5;
    outer::affine<int, 3, 7><<<BLOCKS(n), THREADS>>>(d, n), want = 3 * want + 7;
    outer::inner::affine<int, (5 > 2) ? 2 : 1><<<BLOCKS(n), THREADS>>>(d, n), want = 2 * want + 2;
    affine_of(d, n), want = 3 * want + 2;
    add_sum<pair_of<10, 20>, int><<<1, 32>>>(d, n), want += 30;
    add
        <<<
            BLOCKS(n),  /* blocks, */
            THREADS     // threads: <<<never>>>
        >>>
        (
            d,
            n,
            16
        );
    want += 16;
    add<<<BLOCKS(n), 1 << 6, n >> 9>>>(d, n, shift << 2), want += 12;
    add<<<BLOCKS(n), THREADS>>>(counted(d), n, 0), want += evaluations - 1;
    return want;
}

static int by_pointers_and_lambdas(int *d, int n, cudaStream_t stream, int want)
{
    void (*pointer)(int *, int, int) = add;
    pointer<<<BLOCKS(n), THREADS>>>(d, n, 32), want += 32;
    (*pointer)<<<BLOCKS(n), THREADS>>>(d, n, 64), want += 64;
    std::vector<void (*)(int *, int)> table = {outer::add, outer::affine<int, 1, 9>};
    for (auto kernel : table)
        kernel<<<BLOCKS(n), THREADS>>>(d, n);
    table[1]<<<BLOCKS(n), THREADS>>>(d, n), want += 1000 + 9 + 9;

    auto lambda = [&](int value) { add<<<BLOCKS(n), THREADS>>>(d, n, value); };
    lambda(128), want += 128;
    twice([=] { add<<<BLOCKS(n), THREADS, 0, stream>>>(d, n, 256); }), want += 2 * 256;
    std::function<void()> later = [d, n = n]() {
        if (n > 0)
            add<<<BLOCKS(n), THREADS>>>(d, n, 512);
        else
            add<<<1, 1>>>(d, n, 0);
    };
    later(), want += 512;
    return want;
}

static int by_objects_and_in_conditions(int *d, int n, int want)
{
    Adder(7).run(d, n), want += 7;
    for (int k = 0; k < 3; k++) add<<<BLOCKS(n), THREADS>>>(d, n, k);
    want += 3;
    if (want > 0) add<<<BLOCKS(n), THREADS>>>(d, n, 6); else add<<<1, 1>>>(d, n, 0);
    want += 6;
    n > 0 ? add<<<BLOCKS(n), THREADS>>>(d, n, 11) : add<<<1, 1>>>(d, n, 0);
    want += 11;
    return want;
}

int main()
{
    const int n = 100;
    int x[n], *d, want = 0;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&d, sizeof(x));
    cudaMemset(d, 0, sizeof(x));

    want = plain_and_in_macros(d, n, stream, want);
    want = by_pointers_and_lambdas(d, n, stream, want);
    want = by_objects_and_in_conditions(d, n, want);

    std::map<std::string, std::pair<int, std::vector<std::vector<int>>>> nested;
    nested["a>>>b<<<c"] = {1 << 3 >> 1, {{1}, {2, 3}}};
    want += nested.begin()->second.first - 4;
    const char *text = "add<<<1, 1>>>(d, n); // \"<<<\"";
    const char *raw = R"(add<<<1, 2>>>(x);
                         /* )";
    char c = '<', quote = '"';

    cudaMemcpy(x, d, sizeof(x), cudaMemcpyDeviceToHost);
    int wrong = evaluations != 1 || text[3] != c || text[24] != quote || raw[3] != c;
    for (int i = 0; i < n; i++)
        wrong += x[i] != want;
    printf("%s: x[0] = %d, expected %d, %d wrong\n", wrong ? "FAIL" : "PASS", x[0], want, wrong);
    cudaFree(d);
    cudaStreamDestroy(stream);
    return wrong != 0;
}
