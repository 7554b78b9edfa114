# Benchmarks: programs of ours that link all variants at hand. benchmarks/mlp/run runs them.

# hpclab knows which objects are stale, and writes their table only when it changes.
.PHONY: bench-objects
bench-objects: all
	$(Q)build/hpclab build --objects mlp

# OpenBLAS and oneDNN are looked for when it runs, not here.
MINIBATCH_SOURCES := benchmarks/mlp/minibatch.c benchmarks/mlp/minibatch_peers.c \
    benchmarks/mlp/fma_peak.c
build/bench/minibatch: $(MINIBATCH_SOURCES) benchmarks/mlp/minibatch_peers.h \
    mlp/minibatch_step.h build/libhpc.a bench-objects
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) -O3 -march=native -fopenmp -o $@ $(MINIBATCH_SOURCES) \
	    build/cpu/variants/mlp/*.o build/cpu/variants/mlp/table.c build/libhpc.a $(HPC_LIBS) -ldl
