/* Functions of the host in a stream's order that tell others what they come behind: by an atomic
 * flag, by a condition, and to a thread that they make. */
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cuda_runtime.h>
#include <mutex>
#include <thread>

#define N 256

__global__ void fill_kernel(int *x, int first)
{
    x[threadIdx.x] = first + threadIdx.x;
}

static int count_wrong(const int *x, int first)
{
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += x[i] != first + i;
    return wrong;
}

static void CUDART_CB set_flag(void *data)
{
    static_cast<std::atomic<int> *>(data)->store(1, std::memory_order_release);
}

struct signal {
    std::mutex mutex;
    std::condition_variable condition;
    bool done;
};

static void CUDART_CB give_signal(void *data)
{
    struct signal *s = static_cast<struct signal *>(data);
    std::lock_guard<std::mutex> held(s->mutex);
    s->done = true;
    s->condition.notify_one();
}

struct check {
    const int *x;
    int wrong;
    std::thread thread;
};

static void CUDART_CB start_check(cudaStream_t, cudaError_t status, void *data)
{
    check *c = static_cast<check *>(data);
    if (status == cudaSuccess)
        c->thread = std::thread([c] { c->wrong = count_wrong(c->x, 30); });
}

int main()
{
    int *x, *d_x, wrong = 0;
    cudaStream_t stream;
    std::atomic<int> flag{0};
    struct signal signal = {};
    cudaStreamCreate(&stream);
    cudaMallocHost(&x, N * sizeof(int));
    cudaMalloc(&d_x, N * sizeof(int));

    fill_kernel<<<1, N, 0, stream>>>(d_x, 10);
    cudaMemcpyAsync(x, d_x, N * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaLaunchHostFunc(stream, set_flag, &flag);
    while (!flag.load(std::memory_order_acquire))
        std::this_thread::yield();
    wrong += count_wrong(x, 10);

    fill_kernel<<<1, N, 0, stream>>>(d_x, 20);
    cudaMemcpyAsync(x, d_x, N * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaLaunchHostFunc(stream, give_signal, &signal);
    {
        std::unique_lock<std::mutex> held(signal.mutex);
        signal.condition.wait(held, [&] { return signal.done; });
    }
    wrong += count_wrong(x, 20);

    check check = {x, 0, {}};
    fill_kernel<<<1, N, 0, stream>>>(d_x, 30);
    cudaMemcpyAsync(x, d_x, N * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamAddCallback(stream, start_check, &check, 0);
    cudaStreamSynchronize(stream);
    check.thread.join();
    wrong += check.wrong;

    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaStreamDestroy(stream);
    cudaFreeHost(x);
    cudaFree(d_x);
    return wrong != 0;
}
