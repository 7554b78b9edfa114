# conv1d/: its tests, and its benchmark on a GPU.

# Variants for the processor, as variants.ini compiles them (MARCH: for another processor), each with
# its hpc_variant under a name of its own and nothing else to be seen.
CONV1D_BUILD := build/bench/conv1d.d
MARCH ?= native
conv1d_flags = $(shell awk -v name='[$(1)]' '/^\[/ { on = $$0 == name } on && /^flags *=/ { \
    sub(/[^=]*= */, ""); sub(/-march=native/, "-march=$(MARCH)"); print }' conv1d/variants/variants.ini)
conv1d_object = objcopy --redefine-sym hpc_variant=hpc_variant_$(1) \
    --keep-global-symbol=hpc_variant_$(1) $@.all $@
CONV1D_HEADERS := $(wildcard conv1d/*.h conv1d/variants/*.h common/abi.h common/table.h)

$(CONV1D_BUILD)/cpu.o $(CONV1D_BUILD)/cpu_simd.o: $(CONV1D_BUILD)/%.o: conv1d/variants/%.c \
    conv1d/variants/variants.ini $(CONV1D_HEADERS)
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 $(call conv1d_flags,$*) -I. -c -o $@.all $<
	$(Q)$(call conv1d_object,$*)

build/tests/test_conv1d_variants: build/obj/tests/unit/test_conv1d_variants.o $(CONV1D_BUILD)/cpu.o \
    $(CONV1D_BUILD)/cpu_simd.o build/libhpc.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) -fopenmp $(LDFLAGS) -o $@ $^ $(CMOCKA_LIBS) $(HPC_LIBS)

# The benchmark: every variant in CUDA, the copy, those of the paper as it compiled them, cuDNN's
# search of conv2d/ where cudnn.h is found. ARCH: to build for another GPU.
ARCH ?= arch=compute_90a,code=sm_90a
CUDA_PATH := $(firstword $(patsubst %/bin/nvcc,%,$(call has_program,nvcc) $(wildcard /usr/local/cuda/bin/nvcc)))
CONV1D_NVCC := $(CUDA_PATH)/bin/nvcc -std=c++17 -default-stream per-thread -gencode $(ARCH) -I.
CONV1D_NAMES := $(shell sed -n 's/^file = \(.*\)\.cu$$/\1/p' conv1d/variants/variants.ini 2>/dev/null)
CONV1D_DEBUG := multi_block constant tiled_halo tiled_cached
CUDNN_SOURCE := $(if $(wildcard $(CUDA_PATH)/include/cudnn.h /usr/include/cudnn.h),$(wildcard \
    conv2d/variants/cudnn_best.cu))

$(CONV1D_BUILD)/copy.o: benchmarks/conv1d/copy.cu
$(CONV1D_NAMES:%=$(CONV1D_BUILD)/%.o): $(CONV1D_BUILD)/%.o: conv1d/variants/%.cu
$(CONV1D_NAMES:%=$(CONV1D_BUILD)/%.o) $(CONV1D_BUILD)/copy.o: $(CONV1D_HEADERS)
	$(call say,NVCC,$(filter %.cu,$^))
	@mkdir -p $(@D)
	$(Q)$(CONV1D_NVCC) -O3 -c -o $@.all $(filter %.cu,$^)
	$(Q)$(call conv1d_object,$(basename $(@F)))

$(CONV1D_DEBUG:%=$(CONV1D_BUILD)/%_G.o): $(CONV1D_BUILD)/%_G.o: conv1d/variants/%.cu $(CONV1D_HEADERS)
	$(call say,NVCC,$< -G)
	@mkdir -p $(@D)
	$(Q)$(CONV1D_NVCC) -g -G -O1 -c -o $@.all $<
	$(Q)$(call conv1d_object,$*_G)

$(CONV1D_BUILD)/cudnn_best.o: $(CUDNN_SOURCE) $(wildcard conv2d/*.h conv2d/variants/*.h)
	$(call say,NVCC,$<)
	@mkdir -p $(@D)
	$(Q)$(CONV1D_NVCC) -O3 -c -o $@.all $<
	$(Q)$(call conv1d_object,cudnn_best)

$(CONV1D_BUILD)/table.c: conv1d/variants/variants.ini mk/conv1d.mk
	@mkdir -p $(@D)
	$(Q){ echo '#include "common/table.h"'; \
	    for v in $(CONV1D_NAMES) copy; do echo "extern const struct hpc_variant hpc_variant_$$v;"; done; \
	    echo 'const struct hpc_variant *const hpc_variants[] = {'; \
	    for v in $(CONV1D_NAMES) copy; do echo "    &hpc_variant_$$v,"; done; echo '    NULL,'; echo '};'; } >$@

CONV1D_PARTS := $(patsubst benchmarks/conv1d/%.cu,$(CONV1D_BUILD)/bench/%.o,$(filter-out %/copy.cu,$(wildcard benchmarks/conv1d/*.cu)))
$(CONV1D_PARTS): $(CONV1D_BUILD)/bench/%.o: benchmarks/conv1d/%.cu benchmarks/conv1d/bench.h $(CONV1D_HEADERS)
	$(call say,NVCC,$<)
	@mkdir -p $(@D)
	$(Q)$(CONV1D_NVCC) -O2 -Xcompiler -Wall $(if $(CUDNN_SOURCE),-DHAVE_CUDNN) -c -o $@ $<

build/bench/conv1d: $(CONV1D_PARTS) $(CONV1D_BUILD)/table.c $(CONV1D_BUILD)/cpu.o $(CONV1D_BUILD)/cpu_simd.o \
    $(CONV1D_NAMES:%=$(CONV1D_BUILD)/%.o) $(CONV1D_BUILD)/copy.o $(CONV1D_DEBUG:%=$(CONV1D_BUILD)/%_G.o) \
    $(if $(CUDNN_SOURCE),$(CONV1D_BUILD)/cudnn_best.o) build/libhpc.a
	$(call say,LD,$@)
	$(Q)$(CC) -I. -c -o $(CONV1D_BUILD)/table.o $(CONV1D_BUILD)/table.c
	$(Q)$(CONV1D_NVCC) -Xcompiler -fopenmp -o $@ $(filter %.o,$^) $(CONV1D_BUILD)/table.o build/libhpc.a \
	    $(if $(CUDNN_SOURCE),-lcudnn)

# What benchmarks/traffic/run shows to Nsight Compute: every variant in CUDA, launched once.
build/bench/traffic: benchmarks/traffic/launch.cu $(CONV1D_BUILD)/table.c $(CONV1D_NAMES:%=$(CONV1D_BUILD)/%.o) \
    $(CONV1D_BUILD)/copy.o $(CONV1D_HEADERS)
	$(call say,NVCC,$<)
	$(Q)$(CC) -I. -c -o $(CONV1D_BUILD)/table.o $(CONV1D_BUILD)/table.c
	$(Q)$(CONV1D_NVCC) -O2 -o $@ $< $(filter %.o,$^) $(CONV1D_BUILD)/table.o
