/* Bodies in tiles of shared memory: float4 and float3, operators of our own on them, rsqrtf, a
 * struct template that maps a type to its vectors. */
#include <cmath>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

template <typename T> struct vec3 {
    typedef float Type;
};
template <> struct vec3<float> {
    typedef float3 Type;
};
template <typename T> struct vec4 {
    typedef float Type;
};
template <> struct vec4<float> {
    typedef float4 Type;
};

__constant__ float softeningSquared;

inline __host__ __device__ float3 operator*(float3 a, float s)
{
    return make_float3(a.x * s, a.y * s, a.z * s);
}

inline __host__ __device__ void operator+=(float3 &a, float3 b)
{
    a.x += b.x, a.y += b.y, a.z += b.z;
}

__device__ float3 bodyBodyInteraction(float3 ai, float4 bi, float4 bj)
{
    float3 r = {bj.x - bi.x, bj.y - bi.y, bj.z - bi.z};
    float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + softeningSquared;
    float invDist = rsqrtf(distSqr);
    float s = bj.w * invDist * invDist * invDist;

    ai += r * s;
    return ai;
}

template <typename T>
__global__ void integrateBodies(typename vec4<T>::Type *__restrict__ newPos,
                                const typename vec4<T>::Type *__restrict__ oldPos,
                                typename vec4<T>::Type *vel, T deltaTime, int numTiles)
{
    extern __shared__ typename vec4<T>::Type sharedPos[];
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    typename vec4<T>::Type position = oldPos[index];
    typename vec3<T>::Type accel = {0.0f, 0.0f, 0.0f};

    for (int tile = 0; tile < numTiles; tile++) {
        sharedPos[threadIdx.x] = oldPos[tile * blockDim.x + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (unsigned int counter = 0; counter < blockDim.x; counter++) {
            accel = bodyBodyInteraction(accel, position, sharedPos[counter]);
        }
        __syncthreads();
    }
    typename vec4<T>::Type velocity = vel[index];
    velocity.x += accel.x * deltaTime;
    velocity.y += accel.y * deltaTime;
    velocity.z += accel.z * deltaTime;
    position.x += velocity.x * deltaTime;
    position.y += velocity.y * deltaTime;
    position.z += velocity.z * deltaTime;
    newPos[index] = position;
    vel[index] = velocity;
}

int main()
{
    const int n = 256, threads = 64;
    const float dt = 0.01f, soft = 0.01f;
    std::vector<float4> pos(n), vel(n, make_float4(0, 0, 0, 0)), got(n);
    float4 *d_pos[2], *d_vel;
    double worst = 0;

    for (int i = 0; i < n; i++)
        pos[i] =
            make_float4(i * 37 % 101 / 10.f, i * 53 % 97 / 10.f, i * 11 % 89 / 10.f, 1 + i % 3);
    cudaMalloc(&d_pos[0], n * sizeof(float4));
    cudaMalloc(&d_pos[1], n * sizeof(float4));
    cudaMalloc(&d_vel, n * sizeof(float4));
    cudaMemcpy(d_pos[0], pos.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
    cudaMemcpy(d_vel, vel.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(softeningSquared, &soft, sizeof(float), 0, cudaMemcpyHostToDevice);
    integrateBodies<float><<<n / threads, threads, threads * sizeof(float4)>>>(
        d_pos[1], d_pos[0], d_vel, dt, n / threads);
    cudaMemcpy(got.data(), d_pos[1], n * sizeof(float4), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        double a[3] = {0, 0, 0};
        for (int j = 0; j < n; j++) {
            double r[3] = {(double)pos[j].x - pos[i].x, (double)pos[j].y - pos[i].y,
                           (double)pos[j].z - pos[i].z};
            double s = pos[j].w * std::pow(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + soft, -1.5);
            for (int k = 0; k < 3; k++)
                a[k] += r[k] * s;
        }
        worst = std::fmax(worst, std::fabs(got[i].x - (pos[i].x + a[0] * dt * dt)));
        worst = std::fmax(worst, std::fabs(got[i].y - (pos[i].y + a[1] * dt * dt)));
        worst = std::fmax(worst, std::fabs(got[i].z - (pos[i].z + a[2] * dt * dt)));
    }
    printf("largest difference %g\n%s\n", worst, worst < 1e-4 ? "PASS" : "FAIL");
    cudaFree(d_pos[0]);
    cudaFree(d_pos[1]);
    cudaFree(d_vel);
    return !(worst < 1e-4);
}
