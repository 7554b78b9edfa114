#!/usr/bin/env bash
# benchmarks/traffic/counters.sh LAUNCH DIR: Nsight Compute's counters of every kernel that LAUNCH (launch.cu, built
# by nvcc) starts, at each of the sizes, into DIR/about, DIR/metrics, DIR/N.kernels, DIR/N.csv. Needs a GPU whose
# counters this user may read; says so where not.
set -uo pipefail
launch=${1:?usage: counters.sh LAUNCH DIR} out=${2:?usage: counters.sh LAUNCH DIR}
sizes=${SIZES:-100003 1048583} threads=${THREADS:-256} masks=${MASKS:-3 9 31 127}
PATH=$PATH:/usr/local/cuda/bin:/opt/nvidia/nsight-compute/$(ls /opt/nvidia/nsight-compute 2>/dev/null | tail -n 1)
mkdir -p "$out"

# The tables' own; those that this chip has not are left out.
wanted='l1tex__t_requests_pipe_lsu_mem_global_op_ld l1tex__t_sectors_pipe_lsu_mem_global_op_ld
l1tex__t_requests_pipe_lsu_mem_global_op_st l1tex__t_sectors_pipe_lsu_mem_global_op_st
l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st
l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st
smsp__inst_executed_op_shared_ld smsp__inst_executed_op_shared_st
smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st'

{
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | sed 's/, /, driver /'
    ncu --version | tail -n 1 | sed 's/^Version \([0-9.]*\).*/Nsight Compute \1/'
    date -I
} >"$out/about" 2>&1
ncu --query-metrics >"$out/known" 2>&1
metrics=
for m in $wanted; do
    ! grep -q "^$m " "$out/known" || metrics+=,$m.sum
done
rm -f "$out/known"
if [ -z "$metrics" ]; then # no list: those that all chips since Volta have
    for m in $(head -n 3 <<<"$wanted"); do metrics+=,$m.sum; done
fi
echo "${metrics#,}" >"$out/metrics"

status=0
for n in $sizes; do
    # shellcheck disable=SC2086 # a word a mask
    ncu --clock-control none --cache-control none --csv --print-units base --log-file "$out/$n.csv" \
        --metrics "${metrics#,}" "$launch" "$n" "$threads" $masks >"$out/$n.kernels" || {
        grep -h '^==' "$out/$n.csv" "$out/$n.kernels" | tail -n 5 >&2
        status=3
    }
    grep -q ERR_NVGPUCTRPERM "$out/$n.csv" "$out/$n.kernels" && {
        echo 'counters.sh: this user may not read the counters of the GPU (ERR_NVGPUCTRPERM)' >&2
        status=3
    }
done
exit $status
