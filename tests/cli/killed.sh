#!/usr/bin/env bash
# alone: it kills what it finds at random moments.
# kill -9 at random moments: tests/faults/kill. TEST_ALL=1: a hundred times.
exec tests/faults/kill "$([ "${TEST_ALL:-0}" = 1 ] && echo 100 || echo 12)"
