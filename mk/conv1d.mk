# conv1d/: its tests, and its benchmark on a GPU. Variants are compiled by mk/objects.mk's rules.

build/tests/test_conv1d_variants: build/obj/tests/unit/test_conv1d_variants.o build/cpu/variants/conv1d/objects-cpu \
    build/libhpc.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) -fopenmp $(LDFLAGS) -o $@ $< $(call objects,$(CONV1D_CPU)) build/libhpc.a $(CMOCKA_LIBS) \
	    $(HPC_LIBS)

# The benchmark: every variant in CUDA, the copy, those of the paper as it compiled them, cuDNN's
# search of conv2d/ where cudnn.h is found.
CONV1D_CUDNN_LIST := $(if $(wildcard $(NVCC:%/bin/nvcc=%/include/cudnn.h) /usr/include/cudnn.h),$(wildcard \
    conv2d/variants/cudnn_best.cu))
CONV1D_CUDNN_LIST := $(if $(CONV1D_CUDNN_LIST),build/cuda/variants/conv2d/objects-cudnn_best)
CONV1D_HEADERS := $(wildcard conv1d/*.h common/abi.h common/table.h) benchmarks/conv1d/bench.h

define CONV1D_COMPILE
$(call say,NVCC,$<)
@mkdir -p $(@D)
$(Q)$(GPU_NVCC) -O3 -Xcompiler -Wall $(if $(CONV1D_CUDNN_LIST),-DHAVE_CUDNN) -c -o $@ $<
endef
CONV1D_PARTS := $(patsubst benchmarks/conv1d/%.cu,build/bench/conv1d.d/%.o,$(wildcard benchmarks/conv1d/*.cu))
$(CONV1D_PARTS): build/bench/conv1d.d/%.o: benchmarks/conv1d/%.cu $(CONV1D_HEADERS)
	$(CONV1D_COMPILE)
build/bench/conv1d.d/copy.o: conv1d/op/copy.cu $(CONV1D_HEADERS)
	$(CONV1D_COMPILE) -Dhpc_variant=hpc_variant_copy

build/bench/conv1d: $(CONV1D_PARTS) build/bench/conv1d.d/copy.o build/cpu/variants/conv1d/objects-cpu \
    build/cuda/variants/conv1d/objects build/cuda/variants/conv1d/objects-multi_block_G $(CONV1D_CUDNN_LIST) build/libhpc.a
	$(call say,LD,$@)
	$(Q)$(GPU_NVCC) -Xcompiler -fopenmp -o $@ $(CONV1D_PARTS) build/bench/conv1d.d/copy.o $(CONV1D_CUDA:objects=table.c) \
	    $(foreach l,$(CONV1D_CUDA) $(CONV1D_DEBUG) $(CONV1D_CPU) $(CONV1D_CUDNN_LIST),$(call objects,$(l))) build/libhpc.a \
	    $(if $(CONV1D_CUDNN_LIST),-lcudnn) $(call nvcc_words,$(HPC_LIBS))

# What benchmarks/traffic/run shows to Nsight Compute: every variant in CUDA, launched once.
build/bench/traffic: benchmarks/traffic/launch.cu build/cuda/variants/conv1d/objects build/bench/conv1d.d/copy.o \
    $(CONV1D_HEADERS)
	$(call say,NVCC,$<)
	$(Q)$(GPU_NVCC) -O2 -o $@ $< build/bench/conv1d.d/copy.o $(CONV1D_CUDA:objects=table.c) $(call objects,$(CONV1D_CUDA))
