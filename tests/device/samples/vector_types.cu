/* Vectors of two, three and four, their alignment, loads of 16 bytes through casts, __ldg, and
 * types of our own that are aligned. */
#include <cstdio>
#include <cuda_runtime.h>

struct __align__(16) particle
{
    float3 position;
    float mass;
};
struct alignas(8) cell {
    short2 place;
    char4 colour;
};

static_assert(sizeof(float3) == 12 && alignof(float3) == 4, "float3");
static_assert(sizeof(float4) == 16 && alignof(float4) == 16, "float4");
static_assert(sizeof(double2) == 16 && alignof(double2) == 16, "double2");
static_assert(sizeof(uchar4) == 4 && alignof(uchar4) == 4, "uchar4");
static_assert(sizeof(longlong2) == 16 && sizeof(ushort3) == 6, "longlong2, ushort3");
static_assert(sizeof(particle) == 16 && sizeof(cell) == 8, "our own");

__host__ __device__ inline float4 operator+(const float4 &a, const float4 &b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__device__ __forceinline__ float sum_of(float4 v)
{
    return (v.x + v.y) + (v.z + v.w);
}

__global__ void vectors(const float *__restrict__ x, float4 *sums, int2 *pairs, int n4)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n4)
        return;
    const float4 *x4 = reinterpret_cast<const float4 *>(x);
    float4 v = x4[i] + __ldg(x4 + (n4 - 1 - i));
    v.w += __ldg(&x[4 * i]);
    sums[i] = v;
    pairs[i] = make_int2((int)sum_of(v), (int)((float *)&v)[i % 4]);
}

__global__ void structures(particle *p, cell *c, double2 *d, uint4 *u)
{
    int i = threadIdx.x;
    particle q = p[i];
    q.position.x += q.mass;
    q.position = make_float3(q.position.z, q.position.x, q.position.y);
    p[i] = q;
    c[i] = {make_short2(i, -i), {char(i), char(1), char(2), char(3)}};
    d[i].x = i * 0.5, d[i].y = d[i].x * d[i].x;
    u[i] = uint4{1u * i, 2u * i, 3u * i, 4u * i};
}

int main()
{
    const int n = 400, n4 = n / 4, m = 64;
    float x[n], *d_x;
    float4 sums[n4], *d_sums;
    int2 pairs[n4], *d_pairs;
    particle p[m], *d_p;
    cell c[m], *d_c;
    double2 d[m], *d_d;
    uint4 u[m], *d_u;
    int wrong = 0;

    for (int i = 0; i < n; i++)
        x[i] = i % 40;
    for (int i = 0; i < m; i++)
        p[i] = {{1.0f * i, 2.0f * i, 3.0f * i}, 0.5f};
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_sums, sizeof(sums));
    cudaMalloc(&d_pairs, sizeof(pairs));
    cudaMalloc(&d_p, sizeof(p));
    cudaMalloc(&d_c, sizeof(c));
    cudaMalloc(&d_d, sizeof(d));
    cudaMalloc(&d_u, sizeof(u));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemcpy(d_p, p, sizeof(p), cudaMemcpyHostToDevice);
    vectors<<<(n4 + 31) / 32, 32>>>(d_x, d_sums, d_pairs, n4);
    structures<<<1, m>>>(d_p, d_c, d_d, d_u);
    cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost);
    cudaMemcpy(pairs, d_pairs, sizeof(pairs), cudaMemcpyDeviceToHost);
    cudaMemcpy(p, d_p, sizeof(p), cudaMemcpyDeviceToHost);
    cudaMemcpy(c, d_c, sizeof(c), cudaMemcpyDeviceToHost);
    cudaMemcpy(d, d_d, sizeof(d), cudaMemcpyDeviceToHost);
    cudaMemcpy(u, d_u, sizeof(u), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n4; i++) {
        const float *a = x + 4 * i, *b = x + 4 * (n4 - 1 - i);
        float v[4] = {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3] + a[0]};
        wrong += sums[i].x != v[0] || sums[i].y != v[1] || sums[i].z != v[2] || sums[i].w != v[3];
        wrong += pairs[i].x != (int)(v[0] + v[1] + v[2] + v[3]) || pairs[i].y != (int)v[i % 4];
    }
    for (int i = 0; i < m; i++) {
        wrong +=
            p[i].position.x != 3 * i || p[i].position.y != i + 0.5f || p[i].position.z != 2 * i;
        wrong += c[i].place.y != -i || c[i].colour.x != i || c[i].colour.w != 3;
        wrong += d[i].y != 0.25 * i * i || u[i].w != 4u * i;
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_sums);
    cudaFree(d_pairs);
    cudaFree(d_p);
    cudaFree(d_c);
    cudaFree(d_d);
    cudaFree(d_u);
    return wrong != 0;
}
