/* cuBLAS's own copies: matrices by columns, every second element of a vector, and in a stream's
 * order from and to pinned memory. */
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#define AT(i, j, ld) ((j) * (ld) + (i))

enum { ROWS = 6, COLUMNS = 5, LD = 8, N = 50 };

static void scale_cross(cublasHandle_t handle, float *m, int ld, int row, int column, float along,
                        float down)
{
    cublasSscal(handle, COLUMNS - column, &along, &m[AT(row, column, ld)], ld);
    cublasSscal(handle, ROWS - row, &down, &m[AT(row, column, ld)], 1);
}

int main()
{
    float *host = (float *)malloc(ROWS * COLUMNS * sizeof *host), *matrix, *vector, *out, *in;
    const float three = 3;
    cublasHandle_t handle;
    cudaStream_t stream;
    int bad = 0;
    for (int k = 0; k < ROWS * COLUMNS; k++)
        host[k] = k + 1;
    cudaMalloc(&matrix, LD * COLUMNS * sizeof *matrix);
    cudaMalloc(&vector, N * sizeof *vector);
    cudaMallocHost(&in, 2 * N * sizeof *in);
    cudaMallocHost(&out, 2 * N * sizeof *out);
    cudaStreamCreate(&stream);
    if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS)
        return 1;

    cublasSetMatrix(ROWS, COLUMNS, sizeof *host, host, ROWS, matrix, LD);
    scale_cross(handle, matrix, LD, 1, 2, 16, 12);
    cublasGetMatrix(ROWS, COLUMNS, sizeof *host, matrix, LD, host, ROWS);
    for (int j = 0; j < COLUMNS; j++)
        for (int i = 0; i < ROWS; i++) {
            const float factor = (i == 1 && j >= 2 ? 16 : 1) * (j == 2 && i >= 1 ? 12 : 1);
            bad += host[AT(i, j, ROWS)] != factor * (AT(i, j, ROWS) + 1);
        }

    for (int i = 0; i < 2 * N; i++) {
        in[i] = i;
        out[i] = -1;
    }
    cublasSetVector(N, sizeof *in, in, 2, vector, 1);
    cublasSscal(handle, N, &three, vector, 1);
    cublasGetVector(N, sizeof *out, vector, 1, out, 2);
    for (int i = 0; i < N; i++)
        bad += out[2 * i] != 3 * in[2 * i] || out[2 * i + 1] != -1;

    cublasSetStream(handle, stream);
    cublasSetVectorAsync(N, sizeof *in, in, 1, vector, 1, stream);
    cublasSscal(handle, N, &three, vector, 1);
    cublasGetVectorAsync(N, sizeof *out, vector, 1, out, 1, stream);
    cudaStreamSynchronize(stream);
    for (int i = 0; i < N; i++)
        bad += out[i] != 3 * in[i];

    puts(bad ? "FAIL" : "PASS");
    cublasDestroy(handle);
    cudaStreamDestroy(stream);
    cudaFree(matrix);
    cudaFree(vector);
    cudaFreeHost(in);
    cudaFreeHost(out);
    free(host);
    return 0;
}
