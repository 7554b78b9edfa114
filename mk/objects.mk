# Objects of variants, for tests and benchmarks that link them: `hpclab build --objects` makes them, and
# nothing else. It knows which are stale; a list's time is that of the last visit.

# $(call objects,LIST): for recipes, the objects in a list (and no older ones).
objects = $$(cat $(1))

# $(call OBJECTS,LIST,WORDS): the rule of a list, by the words behind --objects, the folder first.
define OBJECTS
$(1): build/hpclab $(wildcard common/abi.h common/table.h $(firstword $(2))/*.h $(firstword $(2))/variants/*) \
    | $(INSIDE) $(DEVICE_FILES)
	$$(call say,OBJ,$(1))
	@mkdir -p $$(@D)
	$$(Q)build/hpclab build --objects $(2) >$(1).log 2>&1 || { cat $(1).log >&2; exit 1; }
	$$(Q)touch $(1)
endef

# For another processor than this one (MARCH=x86-64-v3), another GPU than the one here, else an H200
# (ARCH=arch=compute_80,code=sm_80).
MARCH ?=
ARCH ?=
ARCH_FLAG := $(if $(ARCH),-gencode=$(ARCH))
MARCH_WORDS := $(if $(MARCH),--flags -march=$(MARCH))
ARCH_WORDS := --device cuda $(if $(ARCH),--flags $(ARCH_FLAG))

MLP_OBJECTS := build/cpu/variants/mlp/objects
MLP_O0 := build/cpu/variants/mlp/objects-serial_O0
CONV1D_CPU := build/cpu/variants/conv1d/objects-cpu
CONV1D_CUDA := build/cuda/variants/conv1d/objects
CONV1D_DEBUG := build/cuda/variants/conv1d/objects-multi_block_G
CONV1D_CUDNN := build/cuda/variants/conv2d/objects-cudnn_best
CONV2D_CPU := build/cpu/variants/conv2d/objects
CONV2D_CUDA := build/cuda/variants/conv2d/objects
CONV2D_TWICE := build/cuda/variants/conv2d/objects-sparse_window_twice

# Programs link no ranks of MPI's.
$(eval $(call OBJECTS,$(MLP_OBJECTS),mlp --except 'mpi*'))
# serial.c as the paper compiled its program.
$(eval $(call OBJECTS,$(MLP_O0),mlp serial --suffix _O0 --no-flags --flags -O0))
$(eval $(call OBJECTS,$(CONV1D_CPU),conv1d cpu cpu_simd $(MARCH_WORDS)))
$(eval $(call OBJECTS,$(CONV1D_CUDA),conv1d --except 'cpu*' $(ARCH_WORDS)))
# Those of [Dong] as the paper compiled them.
$(eval $(call OBJECTS,$(CONV1D_DEBUG),conv1d multi_block constant tiled_halo tiled_cached --suffix _G --device cuda \
    --flags '-G $(ARCH_FLAG)'))
$(eval $(call OBJECTS,$(CONV1D_CUDNN),conv2d cudnn_best $(ARCH_WORDS)))
# cuDNN's algorithms are one on the CPU device.
$(eval $(call OBJECTS,$(CONV2D_CPU),conv2d --except 'cudnn_*'))
$(eval $(call OBJECTS,$(CONV2D_CUDA),conv2d --except '*_cpu' $(ARCH_WORDS)))
# Compress twice: what it costs is the difference.
$(eval $(call OBJECTS,$(CONV2D_TWICE),conv2d sparse_window sparse_blocked --suffix _twice --device cuda \
    --flags '-DCOMPRESSIONS=2 $(ARCH_FLAG)'))

# nvcc for programs of ours, in whose words gcc's are; an error where there is none.
GPU_NVCC = $(or $(NVCC),$(error no nvcc here, expected CUDA 12 or later)) -std=c++17 -default-stream per-thread \
    $(or $(ARCH_FLAG),-gencode=arch=compute_90a$(comma)code=sm_90a) -I. $(LIB_CFLAGS)
nvcc_words = $(subst -pthread,-Xcompiler -pthread,$(1:-Wl$(comma)%=-Xlinker %))

build/tests/test_mlp_variants: build/obj/tests/unit/test_mlp_variants.o $(MLP_OBJECTS) build/libhpc.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) -fopenmp $(LDFLAGS) -o $@ $< $(MLP_OBJECTS:objects=table.c) \
	    $(call objects,$(MLP_OBJECTS)) build/libhpc.a $(CMOCKA_LIBS) $(HPC_LIBS)

# Tests that include a variant compile it as variants.ini does: the optimiser is part of what is tested.
build/obj/tests/unit/test_minibatch.o build/obj/tests/unit/test_minibatch_amx.o: private HPC_CFLAGS += -O3
