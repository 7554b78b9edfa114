# conv1d/: its tests, and its benchmark on a GPU.

CONV1D_TABLE := build/cpu/variants/conv1d/table.c

$(CONV1D_TABLE): build/hpclab $(wildcard conv1d/*.h conv1d/variants/* harness/runner/*.h)
	$(Q)build/hpclab build --objects conv1d >build/objects-conv1d.log 2>&1 || \
	    { cat build/objects-conv1d.log >&2; exit 1; }
	$(Q)touch $@

build/tests/test_conv1d_variants: build/obj/tests/unit/test_conv1d_variants.o $(CONV1D_TABLE) \
    build/libhpc.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) -fopenmp $(LDFLAGS) -o $@ $< $(CONV1D_TABLE) \
	    build/cpu/variants/conv1d/*.o build/libhpc.a $(CMOCKA_LIBS) $(HPC_LIBS)

# The benchmark: every variant in CUDA, the copy, those of the paper as it compiled them, cuDNN's
# search of conv2d/ where cudnn.h is found. ARCH and MARCH: to build for another machine.
ARCH ?= arch=compute_90a,code=sm_90a
MARCH ?= native
CUDA_PATH := $(firstword $(patsubst %/bin/nvcc,%,$(call has_program,nvcc) $(wildcard /usr/local/cuda/bin/nvcc)))
CONV1D_NVCC := $(CUDA_PATH)/bin/nvcc -std=c++17 -default-stream per-thread -gencode $(ARCH) -I.
CONV1D_NAMES := $(shell sed -n 's/^file = \(.*\)\.cu$$/\1/p' conv1d/variants/variants.ini)
CONV1D_BENCH := build/bench/conv1d.d
CONV1D_DEBUG := multi_block constant tiled_halo tiled_cached
CUDNN_SOURCE := $(if $(wildcard $(CUDA_PATH)/include/cudnn.h /usr/include/cudnn.h),$(wildcard \
    conv2d/variants/cudnn_best.cu))
CONV1D_HEADERS := $(wildcard conv1d/*.h conv1d/variants/*.h harness/runner/*.h)

# $(call conv1d_object,SYMBOL'S ENDING): the object alone shows its hpc_variant, under a name of its own.
conv1d_object = objcopy --redefine-sym hpc_variant=hpc_variant_$(1) \
    --keep-global-symbol=hpc_variant_$(1) $@.all $@

$(CONV1D_BENCH)/copy.o: conv1d/copy.cu
$(CONV1D_NAMES:%=$(CONV1D_BENCH)/%.o): $(CONV1D_BENCH)/%.o: conv1d/variants/%.cu
$(CONV1D_NAMES:%=$(CONV1D_BENCH)/%.o) $(CONV1D_BENCH)/copy.o: $(CONV1D_HEADERS)
	$(call say,NVCC,$(filter %.cu,$^))
	@mkdir -p $(@D)
	$(Q)$(CONV1D_NVCC) -O3 -c -o $@.all $(filter %.cu,$^)
	$(Q)$(call conv1d_object,$(basename $(@F)))

$(CONV1D_DEBUG:%=$(CONV1D_BENCH)/%_G.o): $(CONV1D_BENCH)/%_G.o: conv1d/variants/%.cu $(CONV1D_HEADERS)
	$(call say,NVCC,$< -G)
	@mkdir -p $(@D)
	$(Q)$(CONV1D_NVCC) -g -G -O1 -c -o $@.all $<
	$(Q)$(call conv1d_object,$*_G)

$(CONV1D_BENCH)/cudnn_best.o: $(CUDNN_SOURCE) $(wildcard conv2d/*.h conv2d/variants/*.h)
	$(call say,NVCC,$<)
	@mkdir -p $(@D)
	$(Q)$(CONV1D_NVCC) -O3 -c -o $@.all $<
	$(Q)$(call conv1d_object,cudnn_best)

$(CONV1D_BENCH)/cpu.o $(CONV1D_BENCH)/cpu_simd.o: $(CONV1D_BENCH)/%.o: conv1d/variants/%.c $(CONV1D_HEADERS)
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 $(if $(filter cpu,$*),-O2,-O3 -fopenmp) -march=$(MARCH) -I. -c -o $@.all $<
	$(Q)$(call conv1d_object,$*)

$(CONV1D_BENCH)/table.c: conv1d/variants/variants.ini mk/conv1d.mk
	@mkdir -p $(@D)
	$(Q){ echo '#include "harness/runner/table.h"'; \
	    for v in $(CONV1D_NAMES) copy; do echo "extern const struct hpc_variant hpc_variant_$$v;"; done; \
	    echo 'const struct hpc_variant *const hpc_variants[] = {'; \
	    for v in $(CONV1D_NAMES) copy; do echo "    &hpc_variant_$$v,"; done; echo '    NULL,'; echo '};'; } >$@

CONV1D_PARTS := $(patsubst benchmarks/conv1d/%.cu,$(CONV1D_BENCH)/bench/%.o,$(wildcard benchmarks/conv1d/*.cu))
$(CONV1D_PARTS): $(CONV1D_BENCH)/bench/%.o: benchmarks/conv1d/%.cu benchmarks/conv1d/bench.h $(CONV1D_HEADERS)
	$(call say,NVCC,$<)
	@mkdir -p $(@D)
	$(Q)$(CONV1D_NVCC) -O2 -Xcompiler -Wall $(if $(CUDNN_SOURCE),-DHAVE_CUDNN) -c -o $@ $<

build/bench/conv1d: $(CONV1D_PARTS) $(CONV1D_BENCH)/table.c $(CONV1D_BENCH)/cpu.o $(CONV1D_BENCH)/cpu_simd.o \
    $(CONV1D_NAMES:%=$(CONV1D_BENCH)/%.o) $(CONV1D_BENCH)/copy.o $(CONV1D_DEBUG:%=$(CONV1D_BENCH)/%_G.o) \
    $(if $(CUDNN_SOURCE),$(CONV1D_BENCH)/cudnn_best.o) build/libhpc.a
	$(call say,LD,$@)
	$(Q)$(CC) -I. -c -o $(CONV1D_BENCH)/table.o $(CONV1D_BENCH)/table.c
	$(Q)$(CONV1D_NVCC) -Xcompiler -fopenmp -o $@ $(filter %.o,$^) $(CONV1D_BENCH)/table.o build/libhpc.a \
	    $(if $(CUDNN_SOURCE),-lcudnn)
