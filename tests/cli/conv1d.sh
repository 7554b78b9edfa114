#!/usr/bin/env bash
# Every variant of conv1d/ through hpclab run: right, and without a finding of the device checker, on
# no output, one, primes, a tile and one more or less, masks wider than the signal, a turn of the record (tests/long.txt); and what is said
# of wrong words.
. tests/tap.sh
export HPC_ROOT=$scratch/project # a build/ that no other script makes variants in
copy_project "$HPC_ROOT" lib device mlp libhpc.a
share_builds

cases=(
    'n=0 mask=3'
    'n=1 mask=1'
    'n=2 mask=16383'
    'n=1009 mask=7 block=64'
    'n=255 mask=9 block=256'
    'n=256 mask=31 block=256'
    'n=257 mask=63 block=256'
    'n=61 mask=127 block=32'
    'n=1025 mask=1301 block=128'
    'n=4099 mask=9'
)
# right NAME: on all cases, under the checker of its kind.
right() {
    local words wrong='' safety=address
    [ ! -e "conv1d/variants/$1.cu" ] || safety=device
    for words in "${cases[@]}"; do
        # shellcheck disable=SC2086 # one word a key
        ./hpclab run "conv1d/$1" $words --safety $safety --calls 2 >"$scratch/.output" 2>&1 &&
            prints '✓ right' && continue
        wrong=$words
        break
    done
    test -z "$wrong"
    tap_result $? "$1 is right and safe on all cases${wrong:+: $wrong}"
}

# The record, a turn of its own, and its other kernels: 4, 8 and 16 threads for 4 outputs, with each rest of n;
# signals of more than 2^20 outputs, several launches.
if [ -e conv1d/variants/register_record.cu ] && turn record; then
    right register_record
    for words in 'n=1000 mask=31' 'n=1002 mask=33' 'n=16383 mask=127' 'n=61 mask=101'; do
        # shellcheck disable=SC2086
        check "register_record, $words" ./hpclab run conv1d/register_record $words --safety device --calls 2
    done
    for words in 'n=1048579 mask=5' 'n=1050000 mask=19' 'n=1048576 mask=127' 'n=1048577 mask=1301'; do
        # shellcheck disable=SC2086
        check "register_record, $words" ./hpclab run conv1d/register_record $words --device cpu --calls 2
    done
fi
turn others || { done_testing; exit; }

check 'variants are listed' ./hpclab list --variants
names=$(sed -n 's,^conv1d/\([a-z_]*\) .*,\1,p' "$scratch/.output")
for name in cpu cpu_simd single_block multi_block constant tiled_halo tiled_cached register; do
    check "$name is one of them" grep -qx "$name" <<<"$names"
done
for name in $names; do
    [ "$name" = register_record ] || right "$name"
done

# Traffic that the labs ask about.
if [ -e conv1d/variants/tiled_halo.cu ]; then
    check 'the traffic of a tile' ./hpclab run conv1d/tiled_halo n=32768 mask=31 block=256 \
        --safety device --calls 1
    shows 'global loads .* 460[0-9] sectors, 4\.00 a request' 'an input is read once, and its halo'
    shows 'shared loads .* 0 conflicts' 'without conflicts'
fi

fails 2 'an even mask' ./hpclab run conv1d/cpu n=10 mask=8
shows 'command line: mask = 8, expected an odd number from 1 to 16383' 'is named'
fails 2 'more than the memory holds' ./hpclab run conv1d/cpu n=1e12 mask=9
shows 'n = 1000000000000, expected at most [0-9]+: more does not fit into memory' 'is named'
fails 2 'the key block by its old name' ./hpclab run conv1d/cpu n=10 mask=9 threads=64
shows 'threads is not a case.s key; expected one of n, mask, block' 'is told the new one'
fails 2 'threads beyond any GPU' ./hpclab run conv1d/cpu n=10 mask=9 block=2048
shows 'block = 2048, expected a whole number from 0 to 1024' 'are named'
fails 2 'an unknown variant' ./hpclab run conv1d/tiled n=10 mask=9
shows 'no variant "conv1d/tiled"' 'is named'
fails 2 'a negative length' ./hpclab run conv1d/cpu n=-5 mask=9
for key in stride=2 mask=9.5 n=x; do
    fails 2 "$key" ./hpclab run conv1d/cpu n=10 mask=9 "$key"
    [ "$(wc -l <"$scratch/.output")" = 1 ]
    tap_result $? "$key: one line"
done
check 'the benchmark explains itself' benchmarks/conv1d/run --help
done_testing
