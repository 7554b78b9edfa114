#!/usr/bin/env bash
# kill -9 of `hpclab class` at random moments: tests/faults/class. TEST_ALL=1: a hundred, of a class of 60.
[ "${TEST_ALL:-0}" != 1 ] || exec tests/faults/class 100 60
exec tests/faults/class 10
