# conv1d/: its tests, and its benchmark on a GPU.

CONV1D_TABLE := build/cpu/variants/conv1d/table.c

$(CONV1D_TABLE): build/hpclab build/device/run.a $(wildcard conv1d/*.h conv1d/variants/* harness/runner/*.h)
	$(Q)build/hpclab build --objects conv1d >build/objects-conv1d.log 2>&1 || \
	    { cat build/objects-conv1d.log >&2; exit 1; }
	$(Q)touch $@

build/tests/test_conv1d_variants: build/obj/tests/unit/test_conv1d_variants.o $(CONV1D_TABLE) \
    build/libhpc.a build/device/libraries.a build/device/run.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) -fopenmp $(LDFLAGS) -o $@ $< $(CONV1D_TABLE) \
	    build/cpu/variants/conv1d/*.o build/device/libraries.a build/device/run.a build/libhpc.a \
	    -lstdc++ $(CMOCKA_LIBS) $(HPC_LIBS) -ldl
