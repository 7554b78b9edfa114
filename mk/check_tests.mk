# Tests of the CPU device's checker call its hooks with a worker of their own. copy.c stands for the
# program's memcpy, which is the test's here.
CHECK_TESTS := $(patsubst tests/unit/%.c,build/tests/%,$(wildcard tests/unit/test_check_*.c))
CHECK_TESTED := $(filter-out %/copy.o,$(patsubst %.c,build/obj/device-check/%.o,$(wildcard device/check/*.c)))
$(CHECK_TESTS): build/tests/%: build/obj/tests/unit/%.o $(CHECK_TESTED) build/libhpc.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) $(LDFLAGS) -o $@ $^ $(CMOCKA_LIBS) $(HPC_LIBS) -lbacktrace -ldl
