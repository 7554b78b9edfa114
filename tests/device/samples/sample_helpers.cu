/* The helpers that NVIDIA's samples include: options, the choice of a device, a stop-watch, images in
 * files, comparisons, and arithmetic of vectors on both sides. */
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <vector>
#include <cuda_runtime.h>

#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_math.h>

static const int N = 256;

/* Where a ray from `eye` along `way` leaves a mirror, in steps of a hundredth. */
__host__ __device__ float4 path(float3 eye, float3 way)
{
    const float3 normal = normalize(make_float3(1.0f, 2.0f, -2.0f));
    float3 at = eye;
    at += normalize(way) * 0.25f;
    const float3 back = reflect(way, normal) / 2.0f;
    at = clamp(lerp(at, back, 0.5f), -1.0f, 1.0f);
    return make_float4(at - 0.5f * cross(normal, way), dot(fracf(eye), fabs(way)));
}

__global__ void paths(const float3 *eyes, float4 *ends, int2 *cells)
{
    const int i = threadIdx.x;
    ends[i] = path(eyes[i], make_float3(0.5f) - eyes[i]);
    int2 cell = make_int2(i % 16, i / 16) * 2 - make_int2(8);
    cell += max(-cell, make_int2(0, 1));
    cells[i] = cell;
}

static bool same_paths()
{
    std::vector<float3> eyes(N);
    std::vector<float4> ends(N), expected(N);
    std::vector<int2> cells(N);
    float3 *d_eyes;
    float4 *d_ends;
    int2 *d_cells;
    for (int i = 0; i < N; i++) {
        eyes[i] = make_float3(i * 0.3f, 7.0f, -0.01f * i) - 1.5f;
        expected[i] = path(eyes[i], make_float3(0.5f) - eyes[i]);
    }
    checkCudaErrors(cudaMalloc(&d_eyes, N * sizeof *d_eyes));
    checkCudaErrors(cudaMalloc(&d_ends, N * sizeof *d_ends));
    checkCudaErrors(cudaMalloc(&d_cells, N * sizeof *d_cells));
    checkCudaErrors(cudaMemcpy(d_eyes, eyes.data(), N * sizeof *d_eyes, cudaMemcpyHostToDevice));
    paths<<<1, N>>>(d_eyes, d_ends, d_cells);
    getLastCudaError("paths");
    checkCudaErrors(cudaMemcpy(ends.data(), d_ends, N * sizeof *d_ends, cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaMemcpy(cells.data(), d_cells, N * sizeof *d_cells, cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaFree(d_eyes));
    checkCudaErrors(cudaFree(d_ends));
    checkCudaErrors(cudaFree(d_cells));
    printf("cells 3: %d %d, 255: %d %d\n", cells[3].x, cells[3].y, cells[255].x, cells[255].y);
    const float *a = &expected[0].x, *b = &ends[0].x;
    return compareData(a, b, 4 * N, 1e-3f, 0.0f) && sdkCompareL2fe(a, b, 4 * N, 1e-5f) &&
           !sdkCompareL2fe(a, a + 1, 4 * N - 1, 1e-5f) && cells[3].x == 0 && cells[3].y == 0 &&
           cells[255].x == 22 && cells[255].y == 23;
}

/* An image comes back from its file as it was, and is found there. */
static bool same_image()
{
    const char *folder = getenv("TMPDIR");
    const std::string name = std::string(folder ? folder : "/tmp") + "/sample_helpers.pgm";
    unsigned char image[5 * 7], *read = NULL;
    unsigned int w = 0, h = 0;
    for (int i = 0; i < 5 * 7; i++)
        image[i] = (unsigned char)(7 * i + 10);
    if (!sdkSavePGM(name.c_str(), image, 5, 7))
        return false;
    const bool ok = sdkLoadPGM(name.c_str(), &read, &w, &h) && w == 5 && h == 7 &&
                    memcmp(image, read, sizeof image) == 0;
    char *found = sdkFindFilePath("sample_helpers.pgm", name.c_str());
    const bool is_found = found && strstr(found, "sample_helpers.pgm");
    remove(name.c_str());
    free(read);
    free(found);
    return ok && is_found && !sdkFindFilePath("sample_helpers.none", name.c_str());
}

static bool stop_watch()
{
    StopWatchInterface *timer = NULL;
    sdkCreateTimer(&timer);
    for (int i = 0; i < 4; i++) {
        sdkStartTimer(&timer);
        checkCudaErrors(cudaDeviceSynchronize());
        sdkStopTimer(&timer);
    }
    const float all = sdkGetTimerValue(&timer), one = sdkGetAverageTimerValue(&timer);
    sdkResetTimer(&timer);
    const bool ok = all >= 0 && fabsf(all - 4 * one) <= 1e-3f * all && sdkGetTimerValue(&timer) == 0;
    sdkDeleteTimer(&timer);
    return ok && timer == NULL;
}

static bool options(int argc, const char **argv)
{
    const char *words[] = {"program", "--width=48", "-Scale=1.5", "flag", "-verbose", "--name=a=b"};
    char *name = NULL;
    const bool ok = checkCmdLineFlag(6, words, "width") && !checkCmdLineFlag(6, words, "flag") &&
                    !checkCmdLineFlag(6, words, "wid") && checkCmdLineFlag(6, words, "verbose") &&
                    getCmdLineArgumentInt(6, words, "width") == 48 &&
                    getCmdLineArgumentInt(6, words, "verbose") == 0 &&
                    getCmdLineArgumentFloat(6, words, "scale") == 1.5f &&
                    getCmdLineArgumentString(6, words, "name", &name) && strcmp(name, "a=b") == 0 &&
                    !getCmdLineArgumentString(6, words, "verbose", &name) && name == NULL;
    const int seed = getCmdLineArgumentInt(argc, argv, "seed");
    return ok && (seed == 0 || seed == 3);
}

int main(int argc, char **argv)
{
    const char **words = (const char **)argv;
    int device = findCudaDevice(argc, words), current = -1;
    cudaDeviceProp properties;
    checkCudaErrors(cudaGetDevice(&current));
    checkCudaErrors(cudaGetDeviceProperties(&properties, device));
    const int cores = _ConvertSMVer2Cores(properties.major, properties.minor);
    const bool told = device == current && cores >= 64 && checkCudaCapabilities(3, 0) &&
                      !checkCudaCapabilities(99, 0);
    const bool parts[] = {told, options(argc, words), stop_watch(), same_image(), same_paths()};
    bool ok = true;
    for (bool part : parts) {
        printf("%d ", part);
        ok &= part;
    }
    printf("\n%s\n", ok ? "PASS" : "FAIL");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
