#!/usr/bin/env bash
# What the checker of `hpclab cuda` says of one place and of calls, and its schedules: more than whether
# a seeded bug is found.
. tests/tap.sh
hpclab=build/hpclab

if ! command -v g++ >/dev/null; then
    skip 'reports of hpclab cuda' 'no g++ here'
    done_testing
    exit
fi

cat >"$scratch/two.cu" <<'EOF'
#include <cuda_runtime.h>
__device__ void fill(int *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = i;
}
__global__ void copy(int *a, const int *b)
{
    int own[4], unset;
    fill(own, blockDim.x / 8 + 1);
    if (threadIdx.x > 40)
        unset = blockDim.x;
    a[threadIdx.x] = b[threadIdx.x] + own[1] + unset;
}
int main()
{
    int *a, *b;
    cudaMalloc(&a, 120);
    cudaMalloc(&b, 124);
    cudaMemset(b, 0, 124);
    copy<<<1, 32>>>(a, b);
    cudaFree(a);
    cudaFree(b);
    cudaFree(b);
}
EOF
fails 1 'three overruns, two on one line, and memory freed twice' env CXX=g++ $hpclab cuda "$scratch/two.cu"
shows 'two\.cu:13:[0-9]*: warning: .unset. may be used uninitialized' 'a variable that nobody may have set'
shows "uses 'int' at .*two\.cu:5, by a pointer past the end of the array" 'the one of an array on the stack'
shows 'writes 4 bytes at .*two\.cu:13, just past the end of the allocation of .*two\.cu:18' 'the one that is written'
shows 'reads 4 bytes at .*two\.cu:13, just past the end of the allocation of .*two\.cu:19' 'the one that is read'
shows 'cudaFree at .*two\.cu:24 was given' 'the line of the second cudaFree'

check 'a program that prints times, in four orders' $hpclab cuda --schedules 4 tests/device/samples/clocks.cu
shows '^PASS$' 'prints the same in all of them'

cat >"$scratch/order.cu" <<'EOF'
#include <cstdio>
#include <cuda_runtime.h>
__device__ int last;
__global__ void race()
{
    atomicExch(&last, threadIdx.x);
}
int main()
{
    int h;
    race<<<1, 64>>>();
    cudaMemcpyFromSymbol(&h, last, sizeof h);
    printf("%d\n", h);
}
EOF
fails 1 'a program that depends on the order' $hpclab cuda --schedules 4 "$scratch/order.cu"
shows 'schedule: ' 'is still told so'

# Host code that nobody instruments (device/rewrite/hosts.h) meets the wall before the device's memory; a
# function that a kernel calls, too, is instrumented.
cat >"$scratch/walled.cu" <<'EOF'
#include <cstdio>
#include <cstring>
#include <vector>
#include <cuda_runtime.h>
float forgotten(const float *p, int i)
{
    return p[i];
}
__global__ void index(float *p)
{
    p[threadIdx.x] = threadIdx.x + forgotten(p, threadIdx.x + 1);
}
static float sum(const float *p, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
int main(int argc, char **argv)
{
    float *d;
    std::vector<float> h(101);
    cudaMalloc(&d, 404);
    cudaMemset(d, 0, 404);
    index<<<1, argc < 2 ? 100 : 1>>>(d);
    cudaMemcpy(h.data(), d, 404, cudaMemcpyDeviceToHost);
    printf("sum %g\n", sum(h.data(), 100));
    if (argc < 3)
        return 0;
    printf("device %g\n", sum(d, 100));
    d[3] = 4;
    printf("text %zu\n", strlen((char *)d));
    index<<<1, 1>>>(d);
    cudaMemcpy(h.data(), d, 400, cudaMemcpyDeviceToHost);
    std::vector<float> copy(d, d + 100);
    printf("copy %g\n", copy[3]);
    cudaFree(d);
}
EOF
for cxx in g++ clang++; do
    command -v $cxx >/dev/null || continue
    check "host code that keeps to its own memory, $cxx" env CXX=$cxx $hpclab cuda "$scratch/walled.cu" -- right
    fails 1 "a kernel that calls a function of the host, $cxx" env CXX=$cxx $hpclab cuda "$scratch/walled.cu"
    shows 'race in index: .*walled\.cu:7' 'is told of at its line'
    fails 1 "host code that uses the device's memory, $cxx" env CXX=$cxx $hpclab cuda "$scratch/walled.cu" -- right not
    for line in 'reads memory at .*walled\.cu:17,' 'writes memory at .*walled\.cu:32,' 'reads memory at .*walled\.cu:33,' 'reads 400 bytes at .*walled\.cu:36,'; do
        shows "device memory in host code: the host $line in device memory: allocation of .*walled\.cu:24" "where it $line"
    done
    shows '^copy 4$' 'and goes on'
done

# parameters BYTES: a program whose kernel has so many bytes of parameters, launched twice.
parameters() {
    cat <<EOF
#include <cuda_runtime.h>
struct table { char bytes[$1]; };
__global__ void last(table t)
{
    if (t.bytes[$1 - 1] != 7)
        __trap();
}
int main()
{
    table t = {};
    t.bytes[$1 - 1] = 7;
    last<<<1, 1>>>(t);
    last<<<1, 32>>>(t);
    return cudaDeviceSynchronize();
}
EOF
}
parameters 4097 >"$scratch/large.cu"
parameters 4096 >"$scratch/most.cu"
check 'a kernel with more than 4 KiB of parameters' $hpclab cuda "$scratch/large.cu"
check 'is told of once, by its line' \
    test "$(grep -c 'large\.cu:3: kernel last has 4097 bytes of parameters; .* 4096 are the most$' "$scratch/.output")" = 1
check 'one with 4 KiB' $hpclab cuda "$scratch/most.cu"
hides parameters 'is not'

# What is known of reads ends at each barrier, though its number comes again after 65535 of them.
cat >"$scratch/long.cu" <<'EOF'
#include <cuda_runtime.h>
__global__ void many(int *out, int barriers)
{
    __shared__ int s;
    int sum = 0;
    if (threadIdx.x == 0)
        s = 1;
    for (int k = 0; k < barriers; k++) {
        __syncthreads();
        if (k == 0 || k == barriers - 1)
            sum += s;
    }
    if (threadIdx.x == 7) /* the last one that reads */
        s = 2;
    out[threadIdx.x] = sum;
}
int main()
{
    int *out;
    cudaMalloc(&out, 8 * sizeof *out);
    many<<<1, 8>>>(out, BARRIERS);
    cudaFree(out);
}
EOF
for barriers in 65535 65536 65537; do
    fails 1 "a race behind $barriers barriers" $hpclab cuda -DBARRIERS=$barriers "$scratch/long.cu"
    shows 'writes s at .*long\.cu:14 while thread .* reads it at .*long\.cu:11' 'is found'
done

# ---- notes, and kernels that end early ---------------------------------------------------------

seeded=tests/device/seeded
fails 1 'a block of the heap that the host wrote behind' $hpclab cuda -DBUG $seeded/host_heap_past_vector.cu
shows 'past the end of the 4000 bytes .*--watch-host names the line' 'with the option that names the line'
fails 1 'the same, each access looked at' $hpclab cuda --watch-host -DBUG $seeded/host_heap_past_vector.cu
shows 'writes 4 bytes at .*host_heap_past_vector.cu:26' 'at its line'
check 'a leak is a note' $hpclab cuda -DBUG $seeded/leak_forgotten.cu
shows '^check: note: leak: the 256 bytes' 'which is printed'
fails 1 '--leaks=error: a leak is an error' $hpclab cuda --leaks=error -DBUG $seeded/leak_forgotten.cu
shows '^check: leak: the 256 bytes' 'and printed as one'
cat >"$scratch/heap.cu" <<'CU'
__global__ void k(int **kept) { kept[threadIdx.x] = new int(3); }
int main() { int **p; cudaMalloc(&p, 256); k<<<1, 32>>>(p); return cudaFree(p); }
CU
check 'what kernels leave on their heap is a note' $hpclab cuda "$scratch/heap.cu"
shows '^check: note: leak: the 4 bytes of the heap of kernels .* free it in a kernel, .* .32 times' 'with who is to free it'
check 'threads that write the same value are a note' $hpclab cuda -DBUG $seeded/race_same_flag.cu
shows '^check: note: race in find_kernel: .* the same value' 'which is printed'
fails 1 'threads that write different values are none' $hpclab cuda -DBUG $seeded/histogram_global_plain.cu

cat >"$scratch/early.cu" <<'EOF'
#include <cstdio>
#include <cuda_runtime.h>
__global__ void divide(int *x, int n)
{
    x[threadIdx.x] = 100 / (n - (int)threadIdx.x);
}
__global__ void store(int *x)
{
    x[threadIdx.x] = 1;
}
__global__ void store_behind_barrier(int *x)
{
    __syncthreads();
    x[threadIdx.x] = 1;
}
static void tell(const char *what)
{
    int *x;
    cudaError_t error = cudaDeviceSynchronize(), after = cudaMalloc(&x, 4);
    printf("%s: %s, then %s\n", what, cudaGetErrorName(error), cudaGetErrorName(after));
    cudaDeviceReset();
}
int main()
{
    int *x;
    cudaMalloc(&x, 128);
    divide<<<1, 32>>>(x, 5);
    tell("divide");
    store<<<4, 32>>>(NULL);
    tell("store");
    store_behind_barrier<<<4, 64>>>(NULL);
    tell("barrier");
    cudaMalloc(&x, 128);
    store<<<1, 32>>>(x);
    tell("again");
}
EOF
for mode in run check; do
    fails "$([ $mode = run ] && echo 0 || echo 1)" "kernels that end early, in $mode mode" $hpclab cuda --mode $mode "$scratch/early.cu"
    shows '^divide: cudaErrorLaunchFailure, then cudaErrorLaunchFailure$' 'the next calls fail after a division by zero'
    shows '^store: cudaErrorIllegalAddress, then cudaErrorIllegalAddress$' 'and after a null pointer'
    shows '^barrier: cudaErrorIllegalAddress, then cudaErrorIllegalAddress$' 'and after one behind a barrier'
    shows '^again: cudaSuccess, then cudaSuccess$' 'until the device is reset'
done

cat >"$scratch/some.cu" <<'EOF'
#include <cooperative_groups.h>
__global__ void some()
{
    if (blockIdx.x > 0)
        cooperative_groups::this_grid().sync();
}
int main()
{
    cudaLaunchCooperativeKernel((void *)some, dim3(2), dim3(32), nullptr, 0, 0);
    return cudaDeviceSynchronize();
}
EOF
for mode in run check; do
    fails 1 "a grid that some blocks wait for, in $mode mode" timeout 60 $hpclab cuda --mode $mode "$scratch/some.cu"
    shows 'some\.cu:5: kernel some: 1 of 2 blocks wait here for their grid' 'ends with the line of the wait'
done

cat >"$scratch/freed.cu" <<'EOF'
#include <cstdio>
int main()
{
    int h[64], *p;
    cudaMalloc(&p, sizeof h);
    const cudaError_t behind = cudaMemset(p + 64, 0, 4);
    cudaFree(p);
    const cudaError_t freed = cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    printf("%s, %s\n", cudaGetErrorName(behind), cudaGetErrorName(freed));
}
EOF
says 0 '^cudaErrorInvalidValue, cudaErrorInvalidValue$' 'calls with what is not allocated fail in run mode' \
    $hpclab cuda --mode run "$scratch/freed.cu"
fails 1 'and in check mode' $hpclab cuda "$scratch/freed.cu"
shows 'out of bounds: cudaMemset at .*freed\.cu:6 of 4 bytes, outside of the allocation of .*freed\.cu:5' 'with the place of one behind it'
shows 'use of freed memory: cudaMemcpy at .*freed\.cu:8 of 256 bytes, in the allocation of .*freed\.cu:5' 'and of one that was freed'
done_testing
