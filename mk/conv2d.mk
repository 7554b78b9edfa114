# conv2d/: its tests, and its benchmarks on a GPU. Variants are compiled by mk/objects.mk's rules.

# Variants for the processor, and those in CUDA built for the CPU device. conv_memory.cu holds no
# kernel, so nothing of it is rewritten.
build/tests/conv_memory.o: tests/unit/conv_memory.cu build/device/flags-run
	$(call say,CXX,$<)
	@mkdir -p $(@D)
	$(Q)$(CXX) $(subst ROOT,.,$(DEVICE_CPP) $(DEVICE_CC)) -O2 -Wall -I. -xc++ -c -o $@ $<
build/tests/test_conv2d_variants: build/obj/tests/unit/test_conv2d_variants.o build/tests/conv_memory.o \
    build/cpu/variants/conv2d/objects build/device/run.a build/device/libraries.a build/libhpc.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CXX) -I. $(LDFLAGS) -o $@ $(filter %.o,$^) -x c $(CONV2D_CPU:objects=table.c) -x none $(call objects,$(CONV2D_CPU)) \
	    build/device/libraries.a build/device/run.a $(DEVICE_LD) $(DEVICE_LD_run) build/libhpc.a $(CMOCKA_LIBS) \
	    $(HPC_LIBS) -ldl

# Methods on a number that counts: C++.
tests: $(call tested,build/tests/test_convpool_count,build/tests/test_convpool_count)
build/tests/test_convpool_count: tests/unit/test_convpool_count.cc tests/unit/convpool_methods.h \
    $(wildcard conv2d/*.h labs/lab8/marker/*.h) build/libhpc.a
	$(call say,C++,$<)
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 $(CFLAGS) -Wall -Wextra $(LIB_CFLAGS) -I. $(LDFLAGS) -o $@ $< build/libhpc.a \
	    $(CMOCKA_LIBS) $(HPC_LIBS)

# Programs for a GPU: benchmarks/convpool and sparse, and the test (conv2d_check). No GPU is needed to
# build them.
CONV2D_BENCH := convpool sparse plans
CONV2D_SHARED := $(patsubst benchmarks/convpool/%.cu,build/bench/conv2d/%.o,$(wildcard benchmarks/convpool/gpu_*.cu))
build/bench/conv2d/%.o: benchmarks/convpool/%.cu build/flags
	$(call say,NVCC,$<)
	@mkdir -p $(@D)
	$(Q)$(GPU_NVCC) -O3 -Xcompiler -Wall -MMD -MP -MF $(@:.o=.d) -c -o $@ $<
build/bench/conv2d/%.o: benchmarks/sparse/%.cu build/flags
	$(call say,NVCC,$<)
	@mkdir -p $(@D)
	$(Q)$(GPU_NVCC) -O3 -Xcompiler -Wall -MMD -MP -MF $(@:.o=.d) -c -o $@ $<
build/bench/conv2d/conv_memory.o: tests/unit/conv_memory.cu build/flags
	$(call say,NVCC,$<)
	@mkdir -p $(@D)
	$(Q)$(GPU_NVCC) -O3 -Xcompiler -Wall -MMD -MP -MF $(@:.o=.d) -c -o $@ $<
-include $(wildcard build/bench/conv2d/*.d)

$(CONV2D_BENCH:%=build/bench/%): build/bench/%: build/bench/conv2d/%.o $(CONV2D_SHARED) build/libhpc.a \
    build/cuda/variants/conv2d/objects build/cuda/variants/conv2d/objects-sparse_window_twice
	$(call say,LD,$@)
	$(Q)$(GPU_NVCC) -o $@ $< $(CONV2D_SHARED) $(CONV2D_CUDA:objects=table.c) $(call objects,$(CONV2D_CUDA)) \
	    $(call objects,$(CONV2D_TWICE)) build/libhpc.a -lcudnn -lcublas -ldl -lgomp \
	    -Xlinker "--wrap=cudaMalloc$(comma)--wrap=cudaFree" $(call nvcc_words,$(HPC_LIBS))
build/bench/conv2d_check: build/obj/tests/unit/test_conv2d_variants.o build/bench/conv2d/conv_memory.o build/libhpc.a \
    build/cuda/variants/conv2d/objects
	$(call say,LD,$@)
	$(Q)$(GPU_NVCC) -o $@ $(filter %.o,$^) $(CONV2D_CUDA:objects=table.c) $(call objects,$(CONV2D_CUDA)) build/libhpc.a \
	    -lcudnn -lcublas $(call nvcc_words,$(CMOCKA_LIBS) $(HPC_LIBS))

# A benchmark that is done has a mark; those of conv2d/ go on in the middle, too.
GPU_BENCHMARKS := conv1d traffic convpool sparse
.PHONY: bench-h200
bench-h200: $(GPU_BENCHMARKS:%=build/bench/done/%) ## every table and figure that needs a GPU; goes on where it ended
build/bench/done/%: | all
	$(Q)benchmarks/$*/run
	$(Q)mkdir -p $(@D) && touch $@
