# The project's own tests, which tests/run runs and counts; a release leaves this file out.

.PHONY: tests
tests: all $(foreach program,$(UNIT_PROGRAMS),$(call tested,$(program),$(program))) \
    $(call tested,tests/cli/explain.sh,build/tests/test_record)

# A quick run builds what it runs, and nothing else.
QUICK_PROGRAMS := $(if $(filter 1,$(QUICK)),$(filter $(UNIT_PROGRAMS),$(addprefix build/tests/,$(file <tests/quick.txt))))
.PHONY: test test-long test-all
test: export HPC_TEST_DEVICE := $(DEVICE)
test: export QUICK := $(QUICK)
test: $(if $(filter 1,$(QUICK)),all $(QUICK_PROGRAMS),tests) ## run the project's own tests [QUICK=1] [TEST=part of a name] [DEVICE=cuda: on a GPU too]
	$(Q)tests/run -j $(JOBS) $(TEST)
# What tests/long.txt lists, which `test` leaves out; both together are all that is tested.
test-long: export TEST_LONG := 1
test-long: export TEST_TIMEOUT := 2400
test-long: export HPC_TEST_DEVICE := $(DEVICE)
test-long: tests ## run what tests/long.txt keeps out of `make test`, and why [TEST=part of a name]
	$(Q)tests/run -j $(JOBS) $(TEST)
test-all: export TEST_ALL := 1
test-all: export TEST_FRESH := 1
test-all: export TEST_TIMEOUT := 3600
test-all: check test test-debootstrap ## check, then all tests, the long ones too

.PHONY: test-debootstrap
test-debootstrap: ## bootstrap, the quick tests and Gradescope's autograder in an empty Debian, where root can make one; aarch64
	$(Q)tests/debootstrap/run
	$(Q)tests/debootstrap/gradescope
	$(Q)tests/debootstrap/aarch64
