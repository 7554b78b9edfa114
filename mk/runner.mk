# The part of a runner that serves a variant in CUDA (runner/device.cu): for the CPU device in
# its two modes by g++, and by nvcc, where they are here. It holds no kernel, so nothing of it is rewritten.

DEVICE_RUNNERS := $(if $(and $(HAVE_CXX),$(wildcard device/include/cuda_runtime.h)),build/lib/device-run.o build/lib/device-check.o) \
    $(if $(NVCC),build/lib/device-cuda.o)
device: $(DEVICE_RUNNERS)

build/lib/device-check.o: EXACT := -DHPC_EXACT=1
build/lib/device-run.o build/lib/device-check.o: runner/device.cu build/flags mk/device.mk
	$(call say,CXX,$@)
	@mkdir -p $(@D)
	$(Q)g++ $(subst ROOT,.,$(DEVICE_CPP) $(DEVICE_CC)) -O2 -Wall $(EXACT) -I. -MMD -MP -xc++ -c -o $@ $<

DEVICE_CUDA := -std=c++17 -O2 -default-stream=per-thread -DHPC_GPU -I.
build/lib/device-cuda.o: runner/device.cu build/flags
	$(call say,NVCC,$@)
	@mkdir -p $(@D)
	$(Q)$(NVCC) $(DEVICE_CUDA) -MMD -MP -c -o $@ $<

-include $(patsubst %.o,%.d,$(DEVICE_RUNNERS))
