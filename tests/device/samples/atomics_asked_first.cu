/* A plain read that only decides whether an atomic operation is worth it: shortest ways through a
 * graph, vertices seen for the first time, and the largest float by its bits. The checker leaves a
 * note. */
#include <climits>
#include <cstdio>
#include <cuda_runtime.h>

#define VERTICES 400
#define DEGREE   5
#define EDGES    (VERTICES * DEGREE)

__global__ void relax(const int *to, const int *length, int *distance, int *changed)
{
    int u = blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= VERTICES)
        return;
    int so_far = *(volatile int *)&distance[u];
    if (so_far == INT_MAX)
        return;
    for (int e = u * DEGREE; e < (u + 1) * DEGREE; e++) {
        int through = so_far + length[e];
        if (through < distance[to[e]] && atomicMin(&distance[to[e]], through) > through)
            atomicExch(changed, 1);
    }
}

__global__ void visit(const int *to, const int *front, int size, int *next, int *next_size,
                      int *seen)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size)
        return;
    for (int e = front[i] * DEGREE; e < (front[i] + 1) * DEGREE; e++)
        if (!seen[to[e]] && atomicCAS(&seen[to[e]], 0, 1) == 0)
            next[atomicAdd(next_size, 1)] = to[e];
}

__device__ void atomic_max(float *address, float value)
{
    int *bits = (int *)address, old = *bits;
    while (value > __int_as_float(old)) {
        int assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(value));
        if (old == assumed)
            break;
    }
}

__global__ void farthest(const int *distance, float *most)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < VERTICES && distance[i] != INT_MAX)
        atomic_max(most, (float)distance[i]);
}

/* Shortest ways by looking at all edges again and again. */
static void find_ways(const int *to, const int *length, int *distance)
{
    for (bool more = true; more;) {
        more = false;
        for (int e = 0; e < EDGES; e++) {
            int from = distance[e / DEGREE];
            if (from != INT_MAX && from + length[e] < distance[to[e]]) {
                distance[to[e]] = from + length[e];
                more = true;
            }
        }
    }
}

int main()
{
    int *to, *length, *distance, *changed, *front, *next, *size, *seen, want[VERTICES], wrong = 0;
    float *most, largest = 0;
    cudaMallocManaged(&to, EDGES * sizeof(int));
    cudaMallocManaged(&length, EDGES * sizeof(int));
    cudaMallocManaged(&distance, VERTICES * sizeof(int));
    cudaMallocManaged(&changed, sizeof(int));
    cudaMallocManaged(&front, VERTICES * sizeof(int));
    cudaMallocManaged(&next, VERTICES * sizeof(int));
    cudaMallocManaged(&size, sizeof(int));
    cudaMallocManaged(&seen, VERTICES * sizeof(int));
    cudaMallocManaged(&most, sizeof(float));
    unsigned state = 1;
    for (int e = 0; e < EDGES; e++) {
        state = state * 1664525u + 1013904223u;
        to[e] = (state >> 10) % VERTICES;
        length[e] = (state >> 25) % 20 + 1;
    }
    for (int i = 0; i < VERTICES; i++) {
        distance[i] = want[i] = i ? INT_MAX : 0;
        seen[i] = i == 0;
    }
    do {
        *changed = 0;
        relax<<<(VERTICES + 127) / 128, 128>>>(to, length, distance, changed);
        cudaDeviceSynchronize();
    } while (*changed);
    int reached = 1;
    front[0] = 0;
    for (int now = 1; now > 0; now = *size, reached += now) {
        *size = 0;
        visit<<<(now + 63) / 64, 64>>>(to, front, now, next, size, seen);
        cudaDeviceSynchronize();
        int *swapped = front;
        front = next;
        next = swapped;
    }
    *most = 0;
    farthest<<<(VERTICES + 63) / 64, 64>>>(distance, most);
    cudaDeviceSynchronize();
    find_ways(to, length, want);
    for (int i = 0; i < VERTICES; i++) {
        wrong += want[i] != distance[i];
        reached -= want[i] != INT_MAX;
        largest = want[i] != INT_MAX && want[i] > largest ? want[i] : largest;
    }
    wrong += (reached != 0) + (*most != largest);
    printf("%s: %d wrong, the farthest at %.0f\n", wrong ? "FAIL" : "PASS", wrong, *most);
    cudaFree(to);
    cudaFree(length);
    cudaFree(distance);
    cudaFree(changed);
    cudaFree(front);
    cudaFree(next);
    cudaFree(size);
    cudaFree(seen);
    cudaFree(most);
    return wrong != 0;
}
