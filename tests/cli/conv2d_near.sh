#!/usr/bin/env bash
# The kernel of conv_dense_split for little work runs on no GPU of ours without clusters and on no CPU
# device by itself: here it does, a few plans, one chunk of channels and several, strides 1 to 3.
. tests/tap.sh

if ! command -v g++ >/dev/null; then
    skip 'the kernel for little work' 'no g++ here'
    done_testing
    exit
fi
rc=0
./hpclab cuda --mode run --no-jail -O2 -I. tests/unit/near_device.cu >"$scratch/out" 2>&1 || rc=$?
check 'it ends well' [ "$rc" = 0 ]
check 'six problems are right' [ "$(grep -c '^right [1-9] plans' "$scratch/out")" = 6 ]
check 'none is wrong' sh -c "cat '$scratch/out'; ! grep -q WRONG '$scratch/out'"
done_testing
