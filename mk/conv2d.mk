# conv2d/: its tests, and its benchmarks on a GPU.

# The inner loops of the oracle and of the networks.
build/obj/conv2d/op_oracle.o build/obj/conv2d/network_run.o: private HPC_CFLAGS += -O3

# Variants for the processor, each with its hpc_variant under a name of its own, and their table.
CONV2D_NAMES := $(patsubst conv2d/variants/%.c,%,$(wildcard conv2d/variants/*.c))
CONV2D_OBJECTS := $(CONV2D_NAMES:%=build/conv2d/%.o)
$(CONV2D_OBJECTS): build/conv2d/%.o: conv2d/variants/%.c $(wildcard conv2d/*.h conv2d/variants/*.h harness/runner/*.h)
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O2 -march=native -fopenmp -I. -c -o $@.all $<
	$(Q)objcopy --redefine-sym hpc_variant=hpc_variant_$* --keep-global-symbol=hpc_variant_$* $@.all $@

build/conv2d/table.c: $(CONV2D_OBJECTS)
	@{ echo '#include "harness/runner/abi.h"'; \
	    for n in $(CONV2D_NAMES); do echo "extern const struct hpc_variant hpc_variant_$$n;"; done; \
	    echo 'const struct hpc_variant *const hpc_variants[] = {'; \
	    for n in $(CONV2D_NAMES); do echo "    &hpc_variant_$$n,"; done; echo '    0};'; } >$@

build/tests/test_conv2d_variants: build/obj/tests/unit/test_conv2d_variants.o build/conv2d/table.c \
    $(CONV2D_OBJECTS) build/libhpc.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) -fopenmp $(LDFLAGS) -o $@ $^ $(CMOCKA_LIBS) $(HPC_LIBS) -ldl

# Methods on a number that counts: C++.
tests: build/tests/test_convpool_count
build/tests/test_convpool_count: tests/unit/test_convpool_count.cc $(wildcard conv2d/*.h) build/libhpc.a
	$(call say,C++,$<)
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 $(CFLAGS) -Wall -Wextra $(LIB_CFLAGS) -I. $(LDFLAGS) -o $@ $< build/libhpc.a \
	    $(CMOCKA_LIBS) $(HPC_LIBS)
