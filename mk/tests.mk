# The project's own tests; a release leaves this file out.

.PHONY: tests
tests: all $(UNIT_PROGRAMS)
.PHONY: test test-all
test: export HPC_TEST_DEVICE := $(DEVICE)
test: tests ## run the project's own tests [TEST=part of a name] [DEVICE=cuda: on a GPU too]
	$(Q)tests/run -j $(JOBS) $(TEST)
test-all: export TEST_ALL := 1
test-all: export TEST_TIMEOUT := 3600
test-all: check test ## check, then test, the long ones too
