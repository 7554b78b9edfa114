#!/usr/bin/env bash
# alone: it uses all processors and meets deadlines.
# The hostile suite's short form (tests/hostile/README.md): what is handed in, the first that a defence is against and
# those behind it, and the lines `without`, each a turn.
. tests/tap.sh
lines=
for part in grade again without; do ! turn $part || lines+=,$part; done
# mk/hostile.mk takes the grader's own object of a source that does not.
check 'no header brings the switch of defences along' \
    eval '! grep -rlE "common/defence[.]h|HPC_TEST_DEFENCES" --include="*.h" --exclude=defence.h common harness runner mlp conv1d conv2d'
tier=$(build/hpclab doctor --jail | sed -n 's/^jail: \([a-z]*\).*/\1/p')
if [ "$tier" = limits ]; then
    skip 'hostile submissions' 'neither namespaces nor Landlock here'
else
    # A submission a line, `ok    FAMILY NAME OUTCOMES` or `FAIL  ..`, and what differs below it.
    ended=
    while IFS= read -r line; do
        case $line in
        'ok '*) echo >"$scratch/.output"; tap_result 0 "${line#ok * }" ;;
        'FAIL '*) echo "$line" >"$scratch/.output"; tap_result 1 "${line#FAIL * }" ;;
        'skip '*) skip "$(echo "${line#skip * }" | tr -s ' ')" "${line#* needs }" ;;
        '    '*) echo "# $line" ;;
        *' passed, '*) ended=$line ;;
        esac
    done < <(tests/hostile/run --short --lines "${lines#,}" 2>&1)
    check 'the suite ran to its end' test -n "$ended"
fi
done_testing
