# Benchmarks: programs of ours that link all variants at hand. benchmarks/mlp/run runs them.

# What a script that links by itself needs: benchmarks/mlp/unrolling.sh.
.PHONY: print-libraries
print-libraries:
	@echo $(LIB_CFLAGS) $(HPC_LIBS)

# OpenBLAS and oneDNN are looked for when it runs, not here.
MINIBATCH_SOURCES := benchmarks/mlp/minibatch.c benchmarks/mlp/minibatch_peers.c \
    benchmarks/mlp/minibatch_options.c benchmarks/mlp/fma_peak.c
build/bench/minibatch: $(MINIBATCH_SOURCES) benchmarks/mlp/minibatch_peers.h benchmarks/mlp/minibatch_options.h \
    mlp/minibatch_step.h build/libhpc.a build/cpu/variants/mlp/objects
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) -O3 -march=native -fopenmp -o $@ $(MINIBATCH_SOURCES) \
	    $(call objects,$(MLP_OBJECTS)) $(MLP_OBJECTS:objects=table.c) build/libhpc.a $(HPC_LIBS) -ldl

SGD_SOURCES := benchmarks/mlp/sgd.c benchmarks/mlp/sgd_bench.c benchmarks/mlp/sgd_child.c \
    benchmarks/mlp/sgd_data.c benchmarks/mlp/sgd_tables.c
build/bench/sgd: $(SGD_SOURCES) benchmarks/mlp/sgd_bench.h benchmarks/mlp/sgd_child.h \
    build/libhpc.a build/cpu/variants/mlp/objects build/cpu/variants/mlp/objects-serial_O0
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) -O2 -fopenmp -o $@ $(SGD_SOURCES) $(call objects,$(MLP_O0)) \
	    $(call objects,$(MLP_OBJECTS)) $(MLP_OBJECTS:objects=table.c) build/libhpc.a $(HPC_LIBS)

.PHONY: bench-mlp
bench-mlp: all ## time the variants of mlp/, results in benchmarks/results/ [ARGS=--quick]
	$(Q)benchmarks/mlp/run $(ARGS)
