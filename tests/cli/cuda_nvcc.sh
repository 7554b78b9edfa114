#!/usr/bin/env bash
# hpclab cuda in nvcc's place: a Makefile with nvcc's options, objects, several kinds of files, and a
# program that runs by itself. What is not supported is named with its line, with and without an
# installed toolkit; --explain lists what a program needs.
. tests/tap.sh
root=$PWD
cuda() { "$root/hpclab" cuda "$@"; }
cp -r tests/device/makefile "$scratch/course"
cd "$scratch/course" || exit 1

if ! command -v g++ >/dev/null; then
    skip 'hpclab cuda as nvcc' 'no g++ here'
    done_testing
    exit
fi

# A toolkit's headers, as far as it is known by them.
mkdir -p toolkit/crt toolkit/thrust
echo '#error foreign' | tee toolkit/cuda_runtime.h toolkit/thrust/device_vector.h >toolkit/crt/host_config.h

says 0 '^hpclab: passed over, for there is no GPU here: -arch=sm_70 -gencode arch=compute_80,code=sm_80 -lineinfo --use_fast_math -I' \
    'a Makefile' make "NVCC=$root/hpclab cuda" TOOLKIT=toolkit
says 0 '^78, 42 words$' 'its program runs by itself' ./scaled
check 'no object of the host is compiled as CUDA' test -e words.o
says 1 '^check: out of bounds in scale_kernel: .*kernels.cu:7' 'and is looked at with --mode check' \
    sh -c "make -B NVCC='$root/hpclab cuda --mode check' TOOLKIT=toolkit BUG=-DBUG >/dev/null 2>&1; ./scaled; test \$? -eq 99 && exit 1"
says 0 '^78, 42 words$' 'several files on one command line' \
    cuda --mode run -std=c++14 -Xcompiler -Wall,-Wextra kernels.cu main.cpp words.c -lm
says 0 '^78, 42 words$' 'objects among them' \
    sh -c "'$root/hpclab' cuda -c kernels.cu main.cpp && '$root/hpclab' cuda -o p kernels.o main.o words.c && ./p"
says 2 '^hpclab: cuda: -ptx: not supported: ' 'no GPU code' cuda -ptx kernels.cu
says 2 '^hpclab: cuda: a value is missing after -o' 'a value that is missing' cuda kernels.cu -o
says 2 '^hpclab: cuda: -c -o x: 2 files found, expected one' 'one object of two files' cuda -c -o x kernels.cu main.cpp

# Device code of another file: with -rdc=true alone, as nvcc has it. The -dc of one file is of that file.
echo '__device__ int sum();' >sum.h
cat >shared.cu <<'END'
#include "sum.h"
__device__ int table[3] = {1, 2, 4};
__constant__ int scale = 10;
__device__ int twice(int x) { return 2 * x; }
static __device__ int own() { return 3; }
__device__ int sum() { return table[0] + table[1] + table[2] + own(); }
END
cat >uses.cu <<'END'
#include <cstdio>
extern __device__ int table[3];
extern __constant__ int scale;
extern __device__ int twice(int x);
__device__ int sum();
static __device__ int own() { return 100; }
__global__ void k(int *p) { *p = twice(table[2]) * scale + sum() + own(); }
int main()
{
    int n, *d;
    cudaMalloc(&d, sizeof n);
    k<<<1, 1>>>(d);
    cudaMemcpy(&n, d, sizeof n, cudaMemcpyDeviceToHost);
    cudaFree(d);
    printf("%d\n", n);
}
END
for mode in run check traffic asan; do
    says 0 '^190$' "-rdc=true in $mode mode" cuda --mode $mode -rdc=true shared.cu uses.cu
done
says 2 '^hpclab: device code is its file.s own, as with nvcc; -rdc=true shares it$' '  without it' cuda shared.cu uses.cu
printf '#include "sum.h"\n__global__ void k(int *p) { *p = sum(); }\nint main() { k<<<1, 1>>>(0); }\n' >asks.cu
says 2 'its file.s own' '  -rdc false, of what a header declares' cuda --mode run -rdc false shared.cu asks.cu
says 0 '^190$' '  -dc' sh -c "'$root/hpclab' cuda -dc shared.cu uses.cu && '$root/hpclab' cuda -o p shared.o uses.o && ./p"
says 2 '^host.cpp:2: error: not supported: .* \(CUresult\)$' 'a name of CUDA in a file of the host' sh -c "
    printf '#include <cuda_runtime.h>\nCUresult ask(void);\n' >host.cpp; '$root/hpclab' cuda uses.cu host.cpp"

# unsupported LINE WHAT SOURCE: a program, with and without a toolkit.
unsupported() {
    printf '%s\n' "$3" >needs.cu
    says 2 "^needs.cu:$1: error: not supported: $2" "$2" cuda needs.cu
    says 2 "^needs.cu:$1: error: not supported: $2" '  beside a toolkit' cuda -Itoolkit needs.cu
}
unsupported 2 'Thrust \(<thrust/device_vector.h>\)$' '#include <cstdio>
#include <thrust/device_vector.h>
int main() { thrust::device_vector<int> v(3); }'
says 2 '^needs.cu:2: error: not supported: Thrust' '  found by CPATH' env CPATH=toolkit "$root/hpclab" cuda needs.cu
unsupported 1 'Thrust ' '#include <thrust\device_vector.h>'
unsupported 1 'CUB \(<cub/cub.cuh>\)$' '#include <cub/cub.cuh>'
unsupported 1 'cuRAND \(<curand_kernel.h>\)$' '#include <curand_kernel.h>'
unsupported 1 'libcu\+\+; .*atomicAdd.* are there \(<cuda/atomic>\)$' '#include <cuda/atomic>'
unsupported 1 'libcu\+\+; .*atomicAdd.* are there \(cuda\)$' '__global__ void k(int *p) { cuda::atomic_ref<int> r(*p); }'
unsupported 2 'textures \(tex2D\)$' '#include <cstdio>
__global__ void k(cudaTextureObject_t t, float *y) { *y = tex2D<float>(t, 0, 0); }'
unsupported 1 'graphs of launches \(cudaGraphCreate\)$' 'int main() { cudaGraph_t g; cudaGraphCreate(&g, 0); }'
unsupported 2 'tensor cores \(wmma\)' '
#include <mma.h>'
unsupported 1 'inline PTX' '__global__ void k() { asm volatile("exit;"); }'
unsupported 1 'clusters of blocks' '__global__ void __cluster_dims__(2) k() { }'
unsupported 3 'tiles of other than 1, 2, 4, 8, 16 or 32 threads$' '#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k() { cg::tiled_partition<64>(cg::this_thread_block()).sync(); }'
unsupported 2 'tiles of more than 32 threads \(block_tile_memory\)$' '#include <cooperative_groups.h>
__global__ void k() { __shared__ cooperative_groups::block_tile_memory<128> memory; }'
cat >nested.cu <<'END'
__global__ void inner() { }
__global__ void outer() { inner<<<1, 1>>>(); }
__device__ void deep() { outer<<<1, 1>>>(); }
int main() { outer<<<1, 1>>>(); return cudaDeviceSynchronize(); }
END
says 2 '^nested.cu:2: error: not supported: a launch from a kernel \(of inner\)$' 'nested launches' cuda nested.cu
says 1 '^not supported  nested.cu:2: a launch from a kernel \(inner\)$' '  in --explain' cuda --explain nested.cu
shows '^not supported  nested.cu:3: a launch from a kernel \(outer\)$' '  each of them'
cat >nested.cu <<'END'
template <class T> __global__ void inner(T *x) { *x = 1; }
__host__ __device__ void both(int *x) { inner<int><<<1, 1>>>(x); }
#ifdef NESTED
__device__ void deep(int *x) { inner<int><<<1, 1>>>(x); }
#endif
int main()
{
    int *x, y;
    cudaMalloc(&x, 4);
    both(x);
    cudaMemcpy(&y, x, 4, cudaMemcpyDeviceToHost);
    return y - 1;
}
END
says 2 '^nested.cu:4: error: not supported: a launch from a kernel \(of inner\)$' '  in a device function' cuda -DNESTED nested.cu
check '  in one of both sides, which the host calls' cuda --mode run nested.cu
cat >>nested.cu <<'END'
__host__ __device__ void twice(int *x) { both(x); both(x); }
__global__ void outer(int *x) { twice(x); }
END
says 2 '^nested.cu:15: error: not supported: a launch from a kernel \(of twice\)$' '  that a kernel calls' cuda nested.cu
says 1 '^not supported  nested.cu:15: a launch from a kernel \(twice\)$' '  in --explain' cuda --explain nested.cu
# Names that nobody has declared, by g++ and by clang: each is told once, and a program's own are not.
cat >undeclared.cu <<'END'
__global__ void k(int *x) { *x = __vmerge4(*x, 2); }
int main()
{
    cudaDeviceProp p = {};
    CUpalette palette;
    cudaMerge(p.paletteSize); cudaMerge(0);
    return merge_own(cudaDevAttrPalette);
}
END
for compiler in g++ clang++; do
    command -v $compiler >found || continue
    says 2 '^undeclared.cu:1: error: not supported: a name that .* \(__vmerge4\)$' "a name of kernels, $compiler" \
        env CXX=$compiler "$root/hpclab" cuda undeclared.cu
    shows '^undeclared.cu:5: error: not supported: .* \(CUpalette\)$' '  a type'
    shows '^undeclared.cu:6: error: not supported: .* \(cudaMerge\)$' '  a call'
    shows '^undeclared.cu:6: error: not supported: .* \(paletteSize\)$' '  a member'
    shows '^undeclared.cu:7: error: not supported: .* \(cudaDevAttrPalette\)$' '  an enumerator'
    check '  each once, and no others' test "$(CXX=$compiler cuda undeclared.cu 2>&1 | grep -c 'not supported')" = 5
done
# Macros are the program's alone, whatever names the device's headers have.
cat >macros.cu <<'END'
#include <stdio.h>
#ifdef GONE
#error a macro that is to be gone
#endif
__global__ void k(T *x) { x[threadIdx.x] = F(threadIdx.x) + N; }
int main()
{
    T *x;
    cudaMallocManaged(&x, N * sizeof(T));
    k<<<1, N>>>(x);
    cudaDeviceSynchronize();
    printf("%d %d\n", (int)x[1], (int)x[N - 1]);
    cudaFree(x);
}
END
for mode in run check; do
    says 0 '^66 190$' "macros of one letter, $mode" \
        cuda --mode $mode -DN=64 -DT=float '-DF(x)=(2*(x))' -DE -DGONE -UGONE -D_GNU_SOURCE macros.cu
done
echo 'struct __device_builtin__ __builtin_align__(8) own { int tex2D, thrust; }; int main() { own o = {0, 0}; return o.tex2D + o.thrust; }' >own.cu
check 'names of the program'"'"'s own are its own' cuda --mode run own.cu

cat >needs.cu <<'END'
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(float *y) { y[0] = __fdividef(cg::labeled_partition(cg::coalesced_threads(), 1).size(), 2); }
int main() { float *y; cudaMalloc(&y, 4); k<<<1, 1>>>(y); cudaFree(y); cudaGraphLaunch(0, 0); cudaFree(0); }
END
says 1 '^not supported  needs.cu:4: graphs of launches \(cudaGraphLaunch\)$' '--explain' cuda --explain needs.cu
shows '^there          needs.cu:3: __fdividef$' '  lists what is there'
shows '^there          needs.cu:3: labeled_partition$' '  of groups, too'
shows '^there          needs.cu:4: cudaMalloc$' '  with its first place'
check 'each once' test "$(cuda --explain needs.cu 2>&1 | grep -c 'cudaFree$')" = 1
check '--explain of a program that can run' cuda --explain kernels.cu
done_testing
