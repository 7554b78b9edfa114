# Tests of the checker alone: they stand for the compiler and the runtime (tests/unit/check_worker.h).
# copy.c is left out: it needs the linker's --wrap, which would catch the test's own copies.

CHECK_TESTS := $(patsubst tests/unit/%.c,build/tests/%,$(wildcard tests/unit/test_check_*.c))
$(CHECK_TESTS): build/tests/%: build/obj/tests/unit/%.o \
    $(filter-out %/copy.o build/obj/device-check/device/api/% build/obj/device-check/device/runtime/%,$(DEVICE_OBJECTS_traffic))
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) $(LDFLAGS) -o $@ $^ $(CMOCKA_LIBS) $(BACKTRACE)

# Tests of the rewriter alone.
build/tests/test_device_hosts build/tests/test_device_plain build/tests/test_device_rounds build/tests/test_device_sides build/tests/test_device_watched: build/tests/%: build/obj/tests/unit/%.o \
    $(filter-out %/main.o,$(REWRITE_OBJECTS))
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) $(LDFLAGS) -o $@ $^ $(CMOCKA_LIBS)
