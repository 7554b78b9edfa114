#!/usr/bin/env bash
# hpclab cuda: programs are built, run and told of; wrong words, programs that do not compile, hang or
# end badly get the exit status and the line that docs/device.md promises.
. tests/tap.sh
root=$PWD
programs=$root/tests/device/programs
cuda() { "$root/hpclab" cuda "$@"; }
cd "$scratch" || exit 1

if ! command -v g++ >/dev/null; then
    skip 'hpclab cuda' 'no g++ here'
    done_testing
    exit
fi

# A program with a body of main; the file's name is $1.
program() { printf '#include <cstdio>\n%s\nint main(int argc, char **argv)\n{\n%s\n}\n' "$2" "$3" >"$1"; }

for mode in run asan; do
    says 0 '^sum 1999, blocks 4, no error$' "a program in $mode mode" cuda --mode $mode "$programs/sum.cu"
done
says 0 '^sum 5995.5, ' 'arguments and macros reach it' \
    cuda --mode run -DSCALE=3 "$programs/sum.cu" -- 1999
says 0 '^sum 1999, ' 'one worker' env OMP_NUM_THREADS=1 "$root/hpclab" cuda --mode run "$programs/sum.cu"
# takes_compiled MODE: whether g++ takes the header that make has compiled for it.
takes_compiled() {
    local words
    mapfile -t words < <(for step in cc cpp; do sed -n "s|ROOT|$root|; s/^$step //p" "$root/build/device/flags-$1"; done)
    g++ "${words[@]}" -E -xc++ "$programs/sum.cu" | grep "^#pragma GCC pch_preprocess .*/start-$1/hpc_device/start.h.gch"
}
# made_anew MODE: the compiled header leaves few functions to be made for each program.
made_anew() {
    local words
    mapfile -t words < <(for step in cc cpp; do sed -n "s|ROOT|$root|; s/^$step //p" "$root/build/device/flags-$1"; done)
    g++ "${words[@]}" -fdump-tree-original="$scratch/functions" -c -o "$scratch/empty.o" -xc++ - <<<'int main() { return 0; }'
    grep '^;; Function' "$scratch/functions"
    [ "$(grep -c '^;; Function' "$scratch/functions")" -le 20 ]
}
program processor.cu '#if defined __SSE3__ || defined __AVX__ || defined __FMA__
#define TOLD "told"
#else
#define TOLD "not told"
#endif' 'return puts(TOLD) < 0;'
for mode in run check; do
    check "$mode mode takes its first header compiled" takes_compiled $mode
    check "an empty program in $mode mode has at most 20 functions to compile" made_anew $mode
    for compiler in g++ clang++; do
        command -v $compiler >found || continue
        says 0 '^not told$' "$mode mode, $compiler: macros tell no source of the processor" \
            env CXX="$compiler" "$root/hpclab" cuda --mode $mode processor.cu
    done
done
mkdir include
echo '#define ANSWER 42' >include/answer.h
program include.cu '#include <answer.h>' 'printf("%d %d\n", ANSWER, argc); return 0;'
says 0 '^42 1$' 'headers by -I' cuda --mode run -I include include.cu
says 0 '^42 3$' 'options may be glued' cuda --mode run -Iinclude -O0 include.cu -- --mode x
# C23's names, which newer C libraries declare as here.
program c23.cu 'extern "C" { double sinpi(double) noexcept; float cospif(float) noexcept; float rsqrtf(float) noexcept; }' \
    'printf("%g %g %g\n", sinpi(0.5), cospif(1.0f), rsqrtf(0.25f)); return 0;'
says 0 '^1 -1 2$' "names that the C library may have too" cuda --mode run c23.cu
program copies.cu 'extern "C" { void *__tsan_memset(void *, int, size_t); void *__tsan_memmove(void *, void *, size_t); void *__tsan_memcpy(void *, void *, size_t); }
__global__ void fill(char *p) { __tsan_memset(p, 7, 8); __tsan_memmove(p + 8, p, 8); __tsan_memcpy(p + 16, p, 16); }' \
    'char *p, q[32]; cudaMalloc((void **)&p, 24); fill<<<1, 1>>>(p); cudaMemcpy(q, p, 24, cudaMemcpyDeviceToHost); return 0;'
says 1 'copies.cu:3:' 'what newer versions of clang call for copies' cuda --mode check copies.cu

if [ "$(uname -m)" = x86_64 ]; then
    program intrinsics.cu '#include <immintrin.h>' 'puts("read"); return 0;'
    for mode in run check asan; do
        says 0 '^read$' "the processor's own headers, $mode" cuda --mode $mode intrinsics.cu
    done
fi
says 0 '^PASS$' 'kernels that wait in ways their text does not show' cuda --mode run "$programs/waits.cu"
says 0 '^PASS$' 'kernels that are a loop' cuda --mode run "$programs/loops.cu"

# asks KERNEL REQUESTS SECTORS: the traffic of a kernel's global loads.
asks() {
    check "$1: $2 requests, $3 sectors" grep -q "\"kernel\":\"$1\",.*\"global_load_requests\":$2,\"global_load_sectors\":$3," traffic
}
says 0 '^PASS$' 'kernels whose lanes part in loops' env HPC_DEVICE_KEY=KEY "$root/hpclab" cuda --mode traffic "$programs/rounds.cu"
HPC_DEVICE_KEY=KEY cuda --mode traffic "$programs/rounds.cu" >traffic 2>&1
asks edge 31 76
asks inner 12 12
asks returns 15 24
asks waits 12 48
says 0 '^check: traffic of edge ' 'traffic is told of to people' cuda --mode traffic "$programs/rounds.cu"
says 0 '^PASS$' 'the same kernels in check mode' cuda --mode check "$programs/rounds.cu"
hides 'traffic of' '  which counts none'
program moves.cu '__device__ float kept[64]; __global__ void k(float *y) { y[threadIdx.x] = 1; }' 'float *x, *y, h[4];
    cudaMalloc(&x, 4096); cudaMalloc(&y, 4096); cudaMemset(x, 0, 4096); k<<<1, 32>>>(y);
    cudaMemcpy(y, x, 4096, cudaMemcpyDeviceToDevice); cudaMemcpyAsync(y + 1, x, 1024, cudaMemcpyDefault);
    cudaMemcpy2D(y, 128, x, 128, 32, 32, cudaMemcpyDeviceToDevice);
    cudaMemcpyToSymbol(kept, x, 256, 0, cudaMemcpyDeviceToDevice); cudaMemcpyFromSymbol(h, kept, 16);
    cudaMemcpy(y, h, 16, cudaMemcpyHostToDevice); cudaFree(x); return cudaFree(y);'
HPC_DEVICE_KEY=KEY cuda --mode traffic moves.cu >traffic 2>&1
asks cudaMemset 0 0
asks cudaMemcpy 32 128
asks cudaMemcpyAsync 8 32
asks cudaMemcpy2D 32 32
asks cudaMemcpyToSymbol 2 8
check 'copies from and to the host are not counted' sh -c 'test "$(grep -c "\"kind\":\"traffic\"" traffic)" = 6 &&
    grep -q "cudaMemset\",\"launches\":1,\"threads\":0,.*\"global_store_sectors\":128," traffic'
says 0 '^check: traffic of cudaMemcpy2D .1 call.: 32 global loads' '  and are said to be calls' cuda --mode traffic moves.cu
program both.cu '__global__ void k(int *y) { y[threadIdx.x / 2] = threadIdx.x; }' 'int *y; cudaMalloc((void **)&y, 128);
    k<<<1, 32>>>(y); return cudaDeviceSynchronize() | cudaFree(y);'
says 1 'race .* both.cu:2' 'what is wrong in traffic mode' cuda --mode traffic both.cu
shows '^check: traffic of k ' '  beside its traffic'

program old.cu '__global__ void k(int *y) { int v = threadIdx.x; if (v < 20) { v += __shfl_down(v, 1);
    y[threadIdx.x] = v + 100 * __popc(__ballot(1)); } }' 'int *y; cudaMallocManaged(&y, 128);
    k<<<1, 32>>>(y); cudaDeviceSynchronize(); printf("%d %d\n", y[0], y[18]); cudaFree(y); return 0;'
for mode in run check; do
    says 0 '^2001 2037$' "shuffles and votes without a mask, of the lanes that come, $mode" cuda --mode $mode old.cu
    shows '^old.cu:2:.*write __shfl_down_sync' '  with a note'
done
program clock.cu '__global__ void k(clock_t *t) { t[0] = clock(); }' 'clock_t *t; cudaMallocManaged(&t, 8);
    k<<<1, 1>>>(t); cudaDeviceSynchronize(); printf("%s\n", t[0] > 10 * clock() ? "device" : "host");
    cudaFree(t); return 0;'
says 0 '^device$' 'clock() in a kernel is the device'"'"'s' cuda --mode run clock.cu

# What the user's words may be.
check 'help' cuda --help
shows '^Example: ./hpclab cuda ' '  has an example'
says 2 "^hpclab: cuda: expected at least one FILE.cu" 'no file' cuda --mode run
says 2 "^hpclab: cuda: nowhere.cu: cannot be read" 'no such file' cuda nowhere.cu
says 2 "'notes.txt' found, expected FILE.cu" 'not a source' cuda notes.txt
says 2 "^hpclab: --mode fast: expected check, traffic, run or asan" 'mode' cuda --mode fast include.cu
says 2 "^hpclab: --timeout 0: expected a number from 1" 'timeout' cuda --timeout 0 include.cu
says 2 "^hpclab: --schedules x: expected a number from 1 to 1000" 'schedules' cuda --schedules x include.cu
says 2 '^hpclab: cuda: a value is missing after --schedules' 'no value' cuda include.cu --schedules
says 2 '^hpclab: cuda: unknown option --fast' 'option' cuda --fast include.cu

# Programs that do not compile name the user's file and line.
program wrong.cu '__global__ void k(int *x) { x[0] = undeclared; }' 'k<<<1, 1>>>(nullptr); return 0;'
says 2 "^wrong.cu:2:.*undeclared" 'a name that is not declared' cuda --mode run wrong.cu
program wrong.cu '__global__ void k(int *x) { }' '

    k<<<1, 32>>>(3.0f, 1); return 0;'
says 2 '^wrong.cu:7:' 'arguments of a launch that do not fit' cuda --mode run wrong.cu
program wrong.cu '__global__ void k(int *x) { }' 'k<<<1, 32>>(0); return 0;'
says 2 '^wrong.cu:5: error: <<< without its >>>' 'a launch that is not closed' cuda --mode run wrong.cu
program wrong.cu '__global__ void k(int *x) { asm("addc.u32 %0, %1, 3;" : "=r"(x[0]) : "r"(x[1])); }' 'return 0;'
says 2 '^wrong.cu:2: error: not supported: inline PTX \(addc.u32\), expected plain CUDA' 'the carry of another asm' cuda --mode run wrong.cu
program wrong.cu '__global__ void k(int *x) { asm("add.u32 %0, %1, 3; exit;" : "=r"(x[0]) : "r"(x[1])); }' 'return 0;'
says 2 '^wrong.cu:2: error: not supported: inline PTX \(exit\), expected plain CUDA' 'one of two instructions' cuda --mode run wrong.cu
program wrong.cu '__global__ void k(int *x) { asm volatile("mov.u32 %0," "%%pm3;\n\t" : "=r"(*x)); }' 'return 0;'
says 2 '^wrong.cu:2: error: not supported: inline PTX \(%pm3\), expected' 'a register of PTX' cuda --mode run wrong.cu
program wrong.cu '__global__ void k() { __shared__ int s = 3; }' 'return 0;'
says 2 '^wrong.cu:2: error: a __shared__ variable with an initial value' 'a shared initialiser' \
    cuda --mode run wrong.cu
program wrong.cu '' 'cudaGraphicsMapResources(1, 0, 0); return 0;'
says 2 '^wrong.cu:5:.*cudaGraphicsMapResources' 'an unsupported call' cuda --mode run wrong.cu

# How programs end.
program end.cu '' 'return argc;'
says 1 '^hpclab: end.cu: the program ended with status 1, expected 0' 'a status' cuda --mode run end.cu
program end.cu '' 'volatile int *p = 0; return *p;'
says 1 '^hpclab: end.cu: ended by signal 11' 'a crash' cuda --mode run end.cu
program end.cu '__global__ void spin(volatile int *x) { while (*x == 0) { } }' \
    'int *x; cudaMalloc(&x, 4); cudaMemset(x, 0, 4); spin<<<1, 1>>>(x); return 0;'
says 1 '^hpclab: end.cu: did not end within 1 s' 'a hang' cuda --mode run --timeout 1 end.cu
program end.cu '__device__ int found_by(volatile int *x) { for (;;) {
        if (*x != 0) break; } return *x; }
__global__ void waits(volatile int *x) { found_by(x); }' \
    'int *x; cudaMallocManaged(&x, 4); *x = 0; waits<<<BLOCKS, 1>>>(x); *x = 1; return cudaFree(x);'
blocks=1
for mode in check run; do
    says 1 'end.cu:2: not supported: kernel waits, which waits here for what the host does' \
        "a kernel that waits for the host, in $mode mode" cuda --mode $mode --timeout 60 -DBLOCKS=$blocks end.cu
    blocks=3
done
hides 'ended with status|jail' '  and of nothing else'
program end.cu '__global__ void waits(volatile int *x) { while (*x == 0) { } }' \
    'int *x; cudaMallocManaged(&x, 4); *x = 1; waits<<<64, 32>>>(x); cudaDeviceSynchronize();
    *x = 0; waits<<<1, 32>>>(x); *x = 1; return cudaFree(x);'
says 1 'end.cu:2: not supported: kernel waits, which waits here for what the host does' \
    '  beside the threads of a launch before it' cuda --mode run --timeout 60 end.cu
if turn lasts; then
    program end.cu '__global__ void hands_on(volatile int *turn) {
    const int me = threadIdx.x / 32;
    for (int i = 0; i < 12; i++) {
        while (*turn != me) { }
        for (long long begun = clock64(); clock64() - begun < 10000000;) { }
        *turn = 1 - me;
    } }
__global__ void counts(volatile int *n) {
    const long long begun = clock64();
    while (true) {
        if (clock64() - begun > 8000000000) return;
        (*n)++;
    } }' 'int *x; cudaMallocManaged(&x, 4); *x = 0; counts<<<1, 1>>>(x); cudaDeviceSynchronize();
    *x = 0; hands_on<<<1, 64>>>(x); printf("%d\n", cudaDeviceSynchronize()); return cudaFree(x);'
    says 0 '^0$' 'a kernel whose threads wait for each other for long' cuda --mode run end.cu
fi
program end.cu '#include <cassert>
__global__ void k(int n) { assert(threadIdx.x < n); }' \
    'k<<<1, 8>>>(8); int a = cudaDeviceSynchronize(); k<<<1, 8>>>(5); int b = cudaDeviceSynchronize();
    k<<<1, 8>>>(8); printf("%d %d %s\n", a, b, cudaGetErrorName(cudaGetLastError())); return 0;'
says 0 '^0 710 cudaErrorAssert$' 'an assert in a kernel stays with the device' cuda --mode run end.cu
shows '^end.cu:3: kernel k: block: \[0,0,0\], thread: \[5,0,0\] Assertion' '  and says where'
program end.cu '' 'int *h = new int[4], *d; cudaMalloc(&d, 16); cudaMemcpy(d, h, 16,
    cudaMemcpyHostToDevice); delete[] h; h[0] = 1; cudaFree(d); return 0;'
says 1 'heap-use-after-free' 'the host is looked at in asan mode' cuda --mode asan end.cu
program end.cu '__global__ void k(int *d) { __shared__ int s[32]; s[threadIdx.x + 1] = 1;
    d[threadIdx.x] = s[threadIdx.x]; }' 'int *d; cudaMalloc(&d, 128); k<<<1, 32>>>(d);
    cudaFree(d); return 0;'
says 1 'AddressSanitizer: use-after-poison' 'shared memory in asan mode' cuda --mode asan end.cu
program end.cu '__global__ void k(int *d) { d[threadIdx.x] = 1; }' 'int *d; cudaMalloc(&d, 128);
    k<<<1, 64>>>(d); cudaFree(d); return 0;'
says 1 'AddressSanitizer: use-after-poison' 'device memory in asan mode' cuda --mode asan end.cu
shows 'end.cu:2' '  with the place'

# Orders of threads: an order that shows is reported where nothing else is, sums in another order are the
# same.
program order.cu '__global__ void last(int *x) { atomicExch(x, threadIdx.x + blockIdx.x); }
__global__ void sum(float *s) { atomicAdd(s, 1.0f / (threadIdx.x + 3)); }' 'int *x, h; float *s, f;
    cudaMalloc(&x, 4); cudaMalloc(&s, 4); cudaMemset(s, 0, 4);
    cudaMemset(x, 0, 4);
    if (argc > 1) last<<<4, 8>>>(x);
    cudaMemcpy(&h, x, 4, cudaMemcpyDeviceToHost);
    sum<<<4, 8>>>(s);
    cudaMemcpy(&f, s, 4, cudaMemcpyDeviceToHost); printf("%.9g\n", f);
    cudaFree(x); cudaFree(s); return 0;'
check 'orders agree' cuda --schedules 5 order.cu
says 1 '^check: schedule: the copy to the host of order.cu:10 differs' 'orders differ' \
    cuda --schedules 5 order.cu -- x

# A jail: what is here and what arguments name is read, and nothing of the user's besides.
mkdir home folder
echo mine >home/secret
echo here >data
echo named >folder/named
program jailed.cu '#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
static const char *opens(const char *path, const char *mode) { FILE *f = fopen(path, mode); return f ? "yes" : "no"; }' '
    char line[80] = "", path[999]; if (!fgets(line, 80, stdin)) return 9;
    printf("stdin %s", line);
    printf("here %s, named %s, ", opens("data", "r"), opens(argv[1], "r"));
    printf("home %s, token %s\n", opens(SECRET, "r"), getenv("TOKEN") ? "yes" : "no");
    snprintf(path, sizeof path, "%s/own", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    printf("written %s, own %s, socket %s\n", opens("written", "w"), opens(path, "w"),
           socket(AF_INET, SOCK_STREAM, 0) >= 0 ? "yes" : "no");
    fflush(stdout); if (fork() == 0) _exit(5);
    int child; wait(&child); printf("child %d\n", WEXITSTATUS(child)); return atoi(argv[2]);'
# jailed TIER STATUS WORDS ..: from a folder that the jail's user may enter, with the home folder elsewhere.
chmod 755 "$scratch"
jailed() {
    local tier=$1 status=$2
    shift 2
    mkdir -p place && cp jailed.cu data place && cd place || return 9
    echo typed | HPC_JAIL=$tier HOME=$scratch/home TOKEN=x "$root/hpclab" cuda --mode run \
        "-DSECRET=\"$scratch/home/secret\"" "$@" jailed.cu -- ../folder/named "$status"
    local ended=$?
    cd ..
    return $ended
}
for tier in bubblewrap landlock userid; do
    if ! HPC_JAIL=$tier "$root/hpclab" doctor --jail 2>&1 | grep -q "^jail: $tier"; then
        skip "a program in the jail $tier" 'does not work here'
        continue
    fi
    says 0 '^stdin typed$' "$tier: a program reads what is typed" jailed $tier 0
    shows '^here yes, named yes, home no, token no$' '  and this folder and named files, and nothing of the home'
    shows '^written no, own yes, socket no$' '  writes in a folder of its own, and has no network'
    shows '^child 5$' '  and may start processes'
    says 1 '^hpclab: jailed.cu: the program ended with status 7' "$tier: its exit status stays" jailed $tier 7
    shows '--no-jail gives it all that is yours$' '  and the jail is named'
done
fails 1 'nothing was written' test -e place/written
says 0 '^here yes, named yes, home yes, token yes$' '--no-jail: files and environment are the user'"'"'s' \
    jailed limits 0 --no-jail
shows '^written yes, own yes, socket yes$' '  and it writes and has the network'
check '  where it stands' test -e place/written
cp jailed.cu data home
cd home || exit 1
typed_at_home() { echo typed | HOME=$scratch/home "$root/hpclab" cuda --mode run '-DSECRET="secret"' jailed.cu -- data 0; }
says 0 '^here yes, named yes, home no, ' 'from the home folder it reads what its arguments name alone' typed_at_home
cd ..

# A launch that lasts says where it is, where somebody looks.
program long.cu '__global__ void k() { long long t = clock64(); while (blockIdx.x == 0 && clock64() - t < 2500000000LL) { } }' \
    'k<<<2, 1>>>(); return cudaDeviceSynchronize();'
on_terminal() { script -qec "'$root/hpclab' cuda long.cu" typescript >"$scratch/seen" && cat "$scratch/seen"; }
check 'a launch of seconds on a terminal' on_terminal
shows 'hpclab: kernel k: block 2 of 2, ' '  says which block runs'
check 'the same launch without one' cuda long.cu
hides 'block 2 of 2' '  says nothing'

# Nothing is left behind: neither folders nor processes of the program.
program end.cu '#include <unistd.h>' 'if (fork() == 0) { sleep(1000); } return 0;'
check 'a program that leaves a process behind' timeout 60 \
    bash -c 'echo $$ >of; exec "$0" cuda --mode run end.cu' "$root/hpclab"
fails 1 'no folder of its own is left in build/tmp' compgen -G "$root/build/tmp/$(cat of)-*"
done_testing
