# `make test SANITIZE=1`: the trusted program and its unit tests under the address and undefined-behaviour
# sanitizers. What runs in the jail is as ever: a student's object and its runner, what confines them, the
# CPU device. A report ends its program and is a file of build/reports, where tests/run looks.

ifneq ($(SANITIZED),)
export SANITIZE
export HPC_REPORTS ?= $(CURDIR)/build/reports
S_UNIT := $(filter-out test_check_% test_device_% test_%_variants,$(UNIT_PROGRAMS:build/tests/%=%))
S_OPTIONS := build/obj/tests/sanitized.o
S_PROGRAMS := build/hpclab $(H)/hpclab $(UNIT_PROGRAMS) build/tests/test_convpool_count
$(filter-out $(CONFINES) $(S_OPTIONS),$(LIB_OBJECTS)) $(H_OBJECTS) build/obj/harness/verbs/main.o \
    $(S_UNIT:%=build/obj/tests/unit/%.o): private HPC_CFLAGS += $(SANITIZED)
$(S_OPTIONS): private HPC_CFLAGS += -DHPC_REPORTS='"$(HPC_REPORTS)"'
# Of shared libraries the second writes to standard error, whatever its options say.
$(S_PROGRAMS): private LDFLAGS += $(SANITIZED) -static-libasan -static-libubsan $(S_OPTIONS)
$(S_PROGRAMS): | build/reports
$(H)/hpclab: $(S_OPTIONS)
# A run begins without those of the last.
.PHONY: no-reports
no-reports:
	$(Q)rm -rf build/reports && mkdir -p build/reports
test test-long: no-reports
build/reports:
	@mkdir -p $@
endif
