# Benchmarks: programs of ours that link all variants at hand. benchmarks/mlp/run runs them.

# hpclab knows which objects are stale, and writes their table only when it changes.
.PHONY: bench-objects
bench-objects: all
	$(Q)build/hpclab build --objects mlp

# OpenBLAS and oneDNN are looked for when it runs, not here.
MINIBATCH_SOURCES := benchmarks/mlp/minibatch.c benchmarks/mlp/minibatch_peers.c \
    benchmarks/mlp/minibatch_options.c benchmarks/mlp/fma_peak.c
build/bench/minibatch: $(MINIBATCH_SOURCES) benchmarks/mlp/minibatch_peers.h benchmarks/mlp/minibatch_options.h \
    mlp/minibatch_step.h build/libhpc.a bench-objects
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) -O3 -march=native -fopenmp -o $@ $(MINIBATCH_SOURCES) \
	    $(VARIANT_OBJECTS) build/cpu/variants/mlp/table.c build/libhpc.a $(HPC_LIBS) -ldl

# serial.c as the paper compiled its program.
build/bench/serial_O0.o: mlp/variants/serial.c mlp/mlp.h mlp/section_timers.h build/flags
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -g -Wall $(LIB_CFLAGS) -O0 -I. -c -o $@.all $<
	$(Q)objcopy --redefine-sym hpc_variant=hpc_variant_serial_O0 \
	    --keep-global-symbol=hpc_variant_serial_O0 $@.all $@

SGD_SOURCES := benchmarks/mlp/sgd.c benchmarks/mlp/sgd_bench.c benchmarks/mlp/sgd_child.c \
    benchmarks/mlp/sgd_data.c benchmarks/mlp/sgd_tables.c
build/bench/sgd: $(SGD_SOURCES) benchmarks/mlp/sgd_bench.h benchmarks/mlp/sgd_child.h \
    build/bench/serial_O0.o build/libhpc.a bench-objects
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) -O2 -fopenmp -o $@ $(SGD_SOURCES) build/bench/serial_O0.o \
	    $(VARIANT_OBJECTS) build/cpu/variants/mlp/table.c build/libhpc.a $(HPC_LIBS)

.PHONY: bench-mlp
bench-mlp: all ## time the variants of mlp/, results in benchmarks/results/ [ARGS=--quick]
	$(Q)benchmarks/mlp/run $(ARGS)
