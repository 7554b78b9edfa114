# conv2d/: its tests, and its benchmarks on a GPU.

# Variants for tests, as variants.ini has them, each with its hpc_variant under a name of its own:
# those for the processor, and those in CUDA built for the CPU device. Of cuDNN's algorithms, which
# are one on the CPU device, there is one.
CONV2D_LIST := conv2d/variants/variants.ini
CONV2D_BUILD := build/tests/conv2d.d
CONV2D_HEADERS := $(wildcard conv2d/*.h conv2d/variants/*.h common/abi.h common/table.h)
CONV2D_CPU := $(shell sed -n 's/^\[\(.*_cpu\)\]/\1/p' $(CONV2D_LIST) 2>/dev/null)
CONV2D_CUDA := $(shell awk '/^\[/ { name = substr($$0, 2, length($$0) - 2); file = needs = "" } \
    /^file/ { file = $$3 } /^needs/ { needs = $$3 } !NF { show() } END { show() } \
    function show() { if (file ~ /\.cu$$/ && needs == "" && name !~ /^cudnn_/) print name; name = file = "" }' \
    $(CONV2D_LIST) 2>/dev/null)
# $(call conv2d_key,NAME,KEY)
conv2d_key = $(shell awk -v name='[$(1)]' '/^\[/ { on = $$0 == name } on && /^$(2) *=/ { \
    sub(/[^=]*= */, ""); print }' $(CONV2D_LIST))
# $(call device_flags,WORD): of build/device/flags-run.
device_flags = $(subst ROOT,$(CURDIR),$(shell sed -n 's/^$(1) //p' build/device/flags-run))

$(CONV2D_CPU:%=$(CONV2D_BUILD)/%.o): $(CONV2D_BUILD)/%.o: conv2d/variants/%.c $(CONV2D_LIST) $(CONV2D_HEADERS)
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -Wall $(call conv2d_key,$*,flags) -I. -Dhpc_variant=hpc_variant_$* -c -o $@ $<

$(CONV2D_CUDA:%=$(CONV2D_BUILD)/%.o) $(CONV2D_BUILD)/conv_memory.o: $(CONV2D_LIST) $(CONV2D_HEADERS) \
    $(wildcard conv2d/variants/*.cu tests/unit/*.cu) build/device/rewrite build/device/flags-run
$(CONV2D_CUDA:%=$(CONV2D_BUILD)/%.o): CUDA_SOURCE = conv2d/variants/$(call conv2d_key,$(basename $(@F)),file)
$(CONV2D_BUILD)/conv_memory.o: CUDA_SOURCE = tests/unit/conv_memory.cu
$(CONV2D_CUDA:%=$(CONV2D_BUILD)/%.o) $(CONV2D_BUILD)/conv_memory.o:
	$(call say,CUDA,$(CUDA_SOURCE))
	@mkdir -p $(@D)
	$(Q)$(CXX) -x c++ -E $(call device_flags,cc) $(call device_flags,cpp) -I. -Dhpc_variant=hpc_variant_$(basename $(@F)) \
	    $(call conv2d_key,$(basename $(@F)),flags) $(CUDA_SOURCE) >$@.cpp && build/device/rewrite <$@.cpp >$@.ii && \
	    $(CXX) -x c++-cpp-output $(call device_flags,cc) -c -o $@ $@.ii && rm $@.cpp $@.ii

$(CONV2D_BUILD)/table.c: $(CONV2D_LIST) mk/conv2d.mk
	@mkdir -p $(@D)
	$(Q){ echo '#include "common/table.h"'; \
	    for v in $(CONV2D_CPU) $(CONV2D_CUDA); do echo "extern const struct hpc_variant hpc_variant_$$v;"; done; \
	    echo 'const struct hpc_variant *const hpc_variants[] = {'; \
	    for v in $(CONV2D_CPU) $(CONV2D_CUDA); do echo "    &hpc_variant_$$v,"; done; echo '    NULL,'; echo '};'; } >$@

build/tests/test_conv2d_variants: build/obj/tests/unit/test_conv2d_variants.o $(CONV2D_BUILD)/table.c \
    $(CONV2D_CPU:%=$(CONV2D_BUILD)/%.o) $(CONV2D_CUDA:%=$(CONV2D_BUILD)/%.o) $(CONV2D_BUILD)/conv_memory.o \
    build/device/run.a build/device/libraries.a build/libhpc.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CXX) -o $@ $(filter %.o,$^) -x c $(CONV2D_BUILD)/table.c -I. -x none \
	    $(call device_flags,ld) build/libhpc.a $(CMOCKA_LIBS) $(HPC_LIBS) -ldl

# Methods on a number that counts: C++.
tests: build/tests/test_convpool_count
build/tests/test_convpool_count: tests/unit/test_convpool_count.cc $(wildcard conv2d/*.h conv2d/op/*.h) build/libhpc.a
	$(call say,C++,$<)
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 $(CFLAGS) -Wall -Wextra $(LIB_CFLAGS) -I. $(LDFLAGS) -o $@ $< build/libhpc.a \
	    $(CMOCKA_LIBS) $(HPC_LIBS)

# A benchmark that is done has a mark; those of conv2d/ go on in the middle, too.
GPU_BENCHMARKS := conv1d traffic convpool sparse
.PHONY: bench-h200
bench-h200: $(GPU_BENCHMARKS:%=build/bench/done/%) ## every table and figure that needs a GPU; goes on where it ended
build/bench/done/%: | all
	$(Q)benchmarks/$*/run
	$(Q)mkdir -p $(@D) && touch $@
