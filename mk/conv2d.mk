# conv2d/: its tests, and its benchmarks on a GPU.

CONV2D_TABLE := build/cpu/variants/conv2d/table.c

# The inner loops of the oracle and of the networks.
build/obj/conv2d/op_oracle.o build/obj/conv2d/network_run.o: private HPC_CFLAGS += -O3

$(CONV2D_TABLE): build/hpclab $(wildcard conv2d/*.h conv2d/variants/* harness/runner/*.h)
	$(Q)build/hpclab build --objects conv2d >build/objects-conv2d.log 2>&1 || \
	    { cat build/objects-conv2d.log >&2; exit 1; }
	$(Q)touch $@

build/tests/test_conv2d_variants: build/obj/tests/unit/test_conv2d_variants.o $(CONV2D_TABLE) \
    build/libhpc.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) -fopenmp $(LDFLAGS) -o $@ $< $(CONV2D_TABLE) \
	    build/cpu/variants/conv2d/*.o build/libhpc.a $(CMOCKA_LIBS) $(HPC_LIBS) -ldl

# Methods on a number that counts: C++.
tests: build/tests/test_convpool_count
build/tests/test_convpool_count: tests/unit/test_convpool_count.cc $(wildcard conv2d/*.h) build/libhpc.a
	$(call say,C++,$<)
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 $(CFLAGS) -Wall -Wextra $(LIB_CFLAGS) -I. $(LDFLAGS) -o $@ $< build/libhpc.a \
	    $(CMOCKA_LIBS) $(HPC_LIBS)
