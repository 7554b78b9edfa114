#!/usr/bin/env bash
# alone: its shares use all processors and meet deadlines.
# The hostile suite's short form (tests/hostile/README.md), in four shares side by side, as half of it waits: what is handed in, the
# first that a defence is against and those behind it, and the lines `without`, each a turn.
. tests/tap.sh
lines=
for part in grade again without; do ! turn $part || lines+=,$part; done
shares() {
    for k in 1 2 3 4; do
        tests/hostile/run --short --lines "${lines#,}" --share $k/4 >"$scratch/$k" 2>&1 &
    done
    wait
}
# mk/hostile.mk takes the grader's own object of a source that does not.
check 'no header brings the switch of defences along' \
    eval '! grep -rlE "common/defence[.]h|HPC_TEST_DEFENCES" --include="*.h" --exclude=defence.h common harness runner mlp conv1d conv2d'
tier=$(build/hpclab doctor --jail | sed -n 's/^jail: \([a-z]*\).*/\1/p')
if [ "$tier" = limits ]; then
    skip 'hostile submissions' 'neither namespaces nor Landlock here'
else
    shares
    # A submission a line, `ok    FAMILY NAME OUTCOMES` or `FAIL  ..`, and what differs below it.
    while IFS= read -r line; do
        case $line in
        'ok '*) echo >"$scratch/.output"; tap_result 0 "${line#ok * }" ;;
        'FAIL '*) echo "$line" >"$scratch/.output"; tap_result 1 "${line#FAIL * }" ;;
        'skip '*) skip "$(echo "${line#skip * }" | tr -s ' ')" "${line#* needs }" ;;
        '    '*) echo "# $line" ;;
        esac
    done < <(cat "$scratch"/[1-4])
    check 'all shares ran to their end' test "$(grep -cE '^[0-9]+ passed, ' "$scratch"/[1-4] | grep -c ':1$')" = 4
fi
done_testing
