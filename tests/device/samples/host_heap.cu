// The host's heap in every way that a program may use it: nothing is reported. Strings that grow,
// maps, streams, sorts with memory of their own, aligned blocks, what the C library allocates for
// its caller or moves, blocks that another thread frees, and one that nobody can have.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

__global__ void add_one(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i]++;
}

struct alignas(64) line {
    float f[16];
};

/* Strings, containers and streams. */
static size_t containers(int seed)
{
    std::string s;
    for (int k = 0; k < 300; k++) {
        s += (char)('a' + k % 26);
        if (k % 7 == 0)
            s = s.substr(s.size() / 3) + s.substr(0, 5);
    }
    std::map<std::string, std::vector<std::string>> all;
    for (int k = 0; k < 50; k++)
        all[std::to_string(k * seed)].push_back(s.substr(0, (size_t)k));
    std::ostringstream out;
    for (auto &one : all)
        out << one.first << one.second.size() << '\n';
    std::istringstream in(out.str() + s);
    std::string text;
    while (std::getline(in, text))
        s += text;
    std::vector<int> v;
    for (int k = 0; k < 1000; k++)
        v.push_back(k * seed % 77);
    std::stable_sort(v.begin(), v.end(), std::greater<int>());
    std::vector<bool> bits(77, true);
    bits.push_back(false);
    std::unique_ptr<char[]> bytes(new char[17]);
    memset(bytes.get(), 1, 17);
    std::thread([mine = std::move(bytes)] {}).join();
    return s.size() + (size_t)v[0] + bits.size();
}

/* Blocks that the C library gives, moves or grows by itself. */
static size_t libraries(const std::string &s)
{
    size_t sum = 0;
    for (size_t room = 1; room < 150; room += 3) {
        char *text = (char *)malloc(room);
        std::string row(room + room % 90, 'q');
        FILE *f = fmemopen(&row[0], row.size(), "r");
        size_t n = room;
        while (getline(&text, &n, f) > 0)
            sum += strlen(text);
        fclose(f);
        free(text);
    }
    char *copy = strdup(s.c_str()), *grown = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&grown, &n);
    fprintf(f, "%s%s", copy, copy);
    fclose(f);
    grown = (char *)realloc(grown, 2 * n + 1);
    memset(grown + n, 'z', n);
    sum += n;
    free(copy);
    free(grown);
    return sum;
}

/* Sizes from nothing to a page and more, each used to its last byte; aligned ones too. */
static size_t blocks()
{
    size_t sum = 0;
    for (size_t n = 0; n < 5000; n += n / 9 + 1) {
        char *a = (char *)malloc(n), *b = new char[n], *c = (char *)calloc(n, 3);
        char *d = (char *)aligned_alloc(64, (n + 63) / 64 * 64);
        void *e = NULL;
        sum += (size_t)posix_memalign(&e, 256, n);
        for (size_t i = 0; i < n; i++)
            a[i] = b[i] = c[3 * i] = d[i] = ((char *)e)[i] = (char)i;
        a = (char *)realloc(a, 2 * n + 1);
        a[2 * n] = 1;
        a = (char *)realloc(a, n / 2 + 1);
        a[n / 2] = 1;
        sum += (size_t)((uintptr_t)d % 64 + (uintptr_t)e % 256) + n;
        free(a);
        delete[] b;
        free(c);
        free(d);
        free(e);
    }
    line *lines = new line[3];
    lines[2].f[15] = 1;
    sum += (size_t)((uintptr_t)lines % 64) + (size_t)lines[2].f[15];
    delete[] lines;
    return sum;
}

static void *volatile kept; /* so that the compiler does not do without the block */

static bool refused()
{
    try {
        std::vector<char> huge(SIZE_MAX / 4);
        kept = huge.data();
        return false;
    } catch (const std::exception &) {
        return true;
    }
}

int main()
{
    const int n = 200;
    std::vector<size_t> sums(4);
    std::vector<std::thread> threads;
    for (int k = 0; k < 4; k++)
        threads.emplace_back([&sums, k] {
            for (int round = 0; round < 3; round++)
                sums[(size_t)k] = containers(k + 1) + libraries("some words") + blocks();
        });
    for (auto &one : threads)
        one.join();
    std::vector<int> x(n, 1);
    int *d_x, wrong = sums[0] == 0 || !refused();
    cudaMalloc(&d_x, n * sizeof(int));
    cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    add_one<<<2, 128>>>(d_x, n);
    cudaMemcpy(x.data(), d_x, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int v : x)
        wrong += v != 2;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    return wrong != 0;
}
