# Tests that link all variants at hand.

VARIANT_TABLE := build/cpu/variants/mlp/table.c
# For recipes: the objects that the table lists, and no older ones.
VARIANT_OBJECTS = $$(sed -n 's|.*&hpc_variant_\(.*\),|build/cpu/variants/mlp/\1.o|p' $(VARIANT_TABLE))

# hpclab compiles, in its jail, what is stale; the time of the table is that of the last visit.
$(VARIANT_TABLE): build/hpclab $(wildcard mlp/*.h mlp/variants/* common/abi.h common/table.h)
	$(Q)build/hpclab build --objects mlp >build/objects.log 2>&1 || { cat build/objects.log >&2; exit 1; }
	$(Q)touch $@

build/tests/test_mlp_variants: build/obj/tests/unit/test_mlp_variants.o $(VARIANT_TABLE) build/libhpc.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) -fopenmp $(LDFLAGS) -o $@ $< $(VARIANT_TABLE) \
	    $(VARIANT_OBJECTS) build/libhpc.a $(CMOCKA_LIBS) $(HPC_LIBS)

# Tests that include a variant compile it as variants.ini does: the optimiser is part of what is tested.
build/obj/tests/unit/test_minibatch.o build/obj/tests/unit/test_minibatch_amx.o: private HPC_CFLAGS += -O3
