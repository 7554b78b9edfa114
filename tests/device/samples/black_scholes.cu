/* Prices of options: much arithmetic a byte, the kernel in a file that is included, with
 * intrinsics, restrict pointers, launch bounds and vectors of two floats. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#include "helper_cuda.h"

#define DIV_UP(a, b) (((a) + (b)-1) / (b))
#define THREAD_N     128

__device__ inline float cndGPU(float d)
{
    const float A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f, A4 = -1.821255978f,
                A5 = 1.330274429f, RSQRT2PI = 0.39894228040143267793994605993438f;
    float K = __fdividef(1.0f, (1.0f + 0.2316419f * fabsf(d)));
    float cnd =
        RSQRT2PI * __expf(-0.5f * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
    if (d > 0)
        cnd = 1.0f - cnd;
    return cnd;
}

__device__ inline void BlackScholesBodyGPU(float &CallResult, float &PutResult, float S, float X,
                                           float T, float R, float V)
{
    float sqrtT = __fdividef(1.0F, rsqrtf(T));
    float d1 = __fdividef(__logf(S / X) + (R + 0.5f * V * V) * T, V * sqrtT);
    float d2 = d1 - V * sqrtT;
    float CNDD1 = cndGPU(d1), CNDD2 = cndGPU(d2);
    float expRT = __expf(-R * T);
    CallResult = S * CNDD1 - X * expRT * CNDD2;
    PutResult = X * expRT * (1.0f - CNDD2) - S * (1.0f - CNDD1);
}

__launch_bounds__(THREAD_N) __global__
    void BlackScholesGPU(float2 *__restrict d_CallResult, float2 *__restrict__ d_PutResult,
                         const float2 *__restrict d_StockPrice,
                         const float2 *__restrict__ d_OptionStrike,
                         const float2 *__restrict d_OptionYears, float Riskfree, float Volatility,
                         int optN)
{
    const int opt = blockDim.x * blockIdx.x + threadIdx.x;

    if (opt < (optN / 2)) {
        float callResult1, callResult2, putResult1, putResult2;
        BlackScholesBodyGPU(callResult1, putResult1, d_StockPrice[opt].x, d_OptionStrike[opt].x,
                            d_OptionYears[opt].x, Riskfree, Volatility);
        BlackScholesBodyGPU(callResult2, putResult2, d_StockPrice[opt].y, d_OptionStrike[opt].y,
                            d_OptionYears[opt].y, Riskfree, Volatility);
        d_CallResult[opt] = make_float2(callResult1, callResult2);
        d_PutResult[opt] = make_float2(putResult1, putResult2);
    }
}

static double normal(double d)
{
    return 0.5 * erfc(-d / sqrt(2.0));
}

static float RandFloat(float low, float high)
{
    float t = (float)rand() / (float)RAND_MAX;
    return (1.0f - t) * low + t * high;
}

int main(int argc, char **argv)
{
    const int OPT_N = 20000, OPT_SZ = OPT_N * sizeof(float);
    const float RISKFREE = 0.02f, VOLATILITY = 0.30f;
    float *h[5], *d[5]; /* stock price, strike, years, call, put */
    double worst = 0;

    findCudaDevice(argc, (const char **)argv);
    srand(5347);
    for (int k = 0; k < 5; k++) {
        h[k] = (float *)malloc(OPT_SZ);
        checkCudaErrors(cudaMalloc((void **)&d[k], OPT_SZ));
    }
    for (int i = 0; i < OPT_N; i++) {
        h[0][i] = RandFloat(5.0f, 30.0f);
        h[1][i] = RandFloat(1.0f, 100.0f);
        h[2][i] = RandFloat(0.25f, 10.0f);
    }
    for (int k = 0; k < 3; k++)
        checkCudaErrors(cudaMemcpy(d[k], h[k], OPT_SZ, cudaMemcpyHostToDevice));
    BlackScholesGPU<<<DIV_UP((OPT_N / 2), THREAD_N), THREAD_N>>>(
        (float2 *)d[3], (float2 *)d[4], (float2 *)d[0], (float2 *)d[1], (float2 *)d[2], RISKFREE,
        VOLATILITY, OPT_N);
    getLastCudaError("BlackScholesGPU() execution failed\n");
    checkCudaErrors(cudaMemcpy(h[3], d[3], OPT_SZ, cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaMemcpy(h[4], d[4], OPT_SZ, cudaMemcpyDeviceToHost));
    for (int i = 0; i < OPT_N; i++) {
        double S = h[0][i], X = h[1][i], T = h[2][i], R = RISKFREE, V = VOLATILITY;
        double d1 = (log(S / X) + (R + 0.5 * V * V) * T) / (V * sqrt(T)), d2 = d1 - V * sqrt(T);
        double call = S * normal(d1) - X * exp(-R * T) * normal(d2);
        double put = X * exp(-R * T) * normal(-d2) - S * normal(-d1);
        worst = fmax(worst, fmax(fabs(call - h[3][i]), fabs(put - h[4][i])));
    }
    printf("largest difference %g\n%s\n", worst, worst < 1e-4 ? "PASS" : "FAIL");
    for (int k = 0; k < 5; k++) {
        checkCudaErrors(cudaFree(d[k]));
        free(h[k]);
    }
    return worst < 1e-4 ? EXIT_SUCCESS : EXIT_FAILURE;
}
