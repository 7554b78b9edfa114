#!/usr/bin/env bash
# What the checker of the CPU device says of a library's calls: a product that counts for nothing.
. tests/tap.sh
hpclab=build/hpclab
if ! command -v g++ >/dev/null; then
    skip 'calls of libraries' 'no g++ here'
    done_testing
    exit
fi

# product ALPHA BETA: a product of two matrices that cuBLAS multiplies by these.
product() {
    cat <<CUDA
#include <cublas_v2.h>
int main()
{
    float *m;
    cublasHandle_t h;
    $1, $2;
    cudaMalloc(&m, 12 * sizeof *m);
    cudaMemset(m, 0, 12 * sizeof *m);
    cublasCreate(&h);
    cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, (const float *)&a, m, 2, m + 4, 2, (const float *)&b, m + 8, 2);
    cublasDestroy(h);
    return cudaFree(m);
}
CUDA
}
product 'float a = 0' 'b = 0.5f' >"$scratch/product.cu"
check 'a matrix that is scaled, by a product of factor 0' "$hpclab" cuda "$scratch/product.cu"
product 'double a = 1' 'b = 0' >"$scratch/product.cu"
says 1 'factor 0: cublasSgemm.* at .*product\.cu:10 .*.* is the double 1, ' 'a double as a factor' \
    "$hpclab" cuda "$scratch/product.cu"
done_testing
