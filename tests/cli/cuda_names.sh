#!/usr/bin/env bash
# A program's names are its own: one that defines every plain word that the CPU device uses for a
# function or variable of its own links, in every mode, and its kernels do what they did.
. tests/tap.sh
root=$PWD
cuda() { "$root/hpclab" cuda "$@"; }

if ! command -v g++ >/dev/null; then
    skip 'names of programs' 'no g++ here'
    done_testing
    exit
fi

# What the device's archives exported once, words of its sources that stand for what many programs have
# something of their own for, and every symbol that the archives have now, local ones too.
exported='access_any access_range append append_json barrier_passed block_run bounds_bad bounds_host
bounds_kind bounds_misaligned bounds_other bounds_unwritten count_conflicts count_extra_words count_sectors
device_from_half device_refuse device_sgemm device_sgemm_plain device_to_half device_wrote fiber_go fiber_main
fiber_reset fiber_wait finding_access finding_here group_addresses group_units hpc_device_finish kernel_of
key_groups key_groups_forget memory_allocate memory_find memory_free memory_free_all memory_info now nowhere
order_atomic order_before_now order_block_at order_block_begin order_fence order_launch_begin order_warp_met
place_of place_set place_source place_whole quiet race_barrier_at race_report race_settle race_touch
recent_begin region_each region_find region_forget_shared region_name region_name_part region_symbol_space
region_variable report_add report_count report_flush report_index report_json report_on_signals report_print
report_seen report_site report_text report_thread ring_make schedule_block schedule_copied schedule_fill
schedule_threads shared_block_begins shared_launch_ended space_copy_written space_first_without space_release
space_reserve space_set_usable space_set_written stream_valid symbol_of symbols_known tensor_count
tensor_gather tensor_scatter tensor_set traffic_flush traffic_launch_begin traffic_of traffic_on traffic_print
traffic_print_one traffic_slow traffic_thread warp_release warps_begin warps_block warps_only warps_pick
warps_take_over warps_thread_ended worker_fibers worker_here'
words='access add barrier block body cell count device fiber find fill group grid grow here init join kernel lane
last launch least list lock map memory move occupancy order place quit race region report reserve self set shared
site space split stream symbol sync thread traffic update use value warp word work worker zero'
local_names() {
    nm build/device/*.a 2>/dev/null | awk 'NF == 3 { print $3 }' |
        grep -E '^[A-Za-z][A-Za-z0-9_]*$' | grep -vE '^(cuda|cublas|cudnn|dev_|check_)' |
        grep -vxE '[mc]alloc|realloc|free|aligned_alloc|memalign|posix_memalign' # the C library's
}
# shellcheck disable=SC2046,SC2086
names=$(printf '%s\n' $exported $words $(local_names) | sort -u)
check "$(wc -w <<<"$names") names, 250 at least" test "$(wc -w <<<"$names")" -ge 250
cd "$scratch" || exit 1

# A kernel with a barrier, a shuffle, an atomic and shared memory; `print` puts each name into its
# definition.
program() {
    local name
    cat <<'CU'
#include <cstdio>
__device__ int total;
__global__ void sum_kernel(const int *x, int race)
{
    __shared__ int s[64];
    s[threadIdx.x] = x[threadIdx.x];
    if (!race)
        __syncthreads();
    int v = s[63 - threadIdx.x];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&total, v);
}
CU
    # shellcheck disable=SC2059
    for name in $names; do printf "$1" "$name"; done
    cat <<'CU'
int main(int argc, char **)
{
    int h[64], sum, mine = 0, *d;
    for (int i = 0; i < 64; i++)
        h[i] = i;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    sum_kernel<<<1, 64>>>(d, argc > 1);
    cudaMemcpyFromSymbol(&sum, total, sizeof sum);
    cudaFree(d);
CU
    # shellcheck disable=SC2059
    for name in $names; do printf "$2" "$name"; done
    printf '    printf("sum %%d, mine %%d\\n", sum, mine);\n    return 0;\n}\n'
}
# In the program the global `mine` would hide behind main's own.
names=$(grep -vx mine <<<"$names")
program 'int %s = 1;\n' '    mine += %s;\n' >variables.cu
program 'extern "C" int %s(void) { return 1; }\n' '    mine += %s();\n' >functions.cu
all=$(wc -w <<<"$names")

for mode in run check traffic asan; do
    for kind in variables functions; do
        fails 0 "$mode: all of them as $kind" cuda --mode $mode $kind.cu
        shows "^sum 2016, mine $all\$" '  the kernel and the host compute what they should'
    done
done
for kind in variables functions; do
    fails 1 "check: a race is seen beside the $kind" cuda $kind.cu -- race
    shows '^check: race in sum_kernel: .* writes s\[' '  and said'
done

# Names that CUDA no longer has, and programs do.
cat >older.cu <<'CUDA'
#include <cuda_fp16.h>
#include <stdio.h>
__global__ void divide_kernel(float *out)
{
    const float2 over = __half22float2(h2div(__floats2half2_rn(3, 5), __floats2half2_rn(2, 4)));
    *out = over.x + over.y;
}
int main()
{
    float *out, sum;
    size_t heap, now;
    cudaMalloc(&out, sizeof *out);
    divide_kernel<<<1, 1>>>(out);
    cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
    cudaFree(out);
    cudaThreadSetLimit(cudaLimitMallocHeapSize, 1 << 24);
    cudaThreadGetLimit(&heap, cudaLimitMallocHeapSize);
    cudaDeviceGetLimit(&now, cudaLimitMallocHeapSize);
    printf("%g, limits %s\n", sum, heap == now ? "agree" : "differ");
}
CUDA
check 'names of an older CUDA' cuda older.cu
shows '^2.75, limits agree$' '  mean what they meant'

# What the grader lets a checked program call of the device is what the headers declare.
listed=$(sed -n '/devices_own\[\]/,/;/p' "$root/harness/build/names.c" |
    grep -oE '\b(dev|check)_[a-z_0-9]+' | sort -u)
declared=$(cat "$root/device/runtime/generated.h" "$root/device/include/cuda_runtime_api.h" |
    grep -oE '\bdev_[a-z_0-9]+\(' | tr -d '(' | cat - <(printf 'check_path\ncheck_set_path\ncheck_unset\ndev_self\ndev_in_kernel\n') | sort -u)
check 'names.c lists the functions of the device that headers call' test "$listed" = "$declared"
done_testing
