# The CPU device: build/device/rewrite, one archive a mode, and the flags of each mode. A .cu file is
# built from the flags alone (docs/device.md, "The CPU device"); this is their only list.

DEVICE_RUNTIME := $(sort $(wildcard device/runtime/*.c device/api/*.c))
DEVICE_CHECK := $(sort $(wildcard $(foreach r,batch check traffic report shadow,device/$(r)/*.c)))
DEVICE_MODES := run check traffic asan
REWRITE_OBJECTS := $(patsubst %.c,build/obj/%.o,$(sort $(wildcard device/rewrite/*.c)))
DEVICE_FILES := build/device/rewrite $(foreach m,$(DEVICE_MODES),build/device/$(m).a build/device/flags-$(m))

.PHONY: device
device: $(DEVICE_FILES) build/device/libraries.a build/device/libraries-check.a

build/device/rewrite: $(REWRITE_OBJECTS)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) $(LDFLAGS) -o $@ $^

# What the checker keeps lies in sections of its own: no code of a variant may come there (check/access.c).
CHECKERS := $(foreach s,data bss,--rename-section .$(s)=hpc_checker_$(s))
# check.a brings gcc's libbacktrace along, so that clang's links have it too, under names that no program
# has, and calls the C library's copies by other names than instrumented code does (device/check/copy.c).
BACKTRACE := $(filter /%,$(shell $(CC) -print-file-name=libbacktrace.a))
COPIES := memcpy memmove memset memcmp
# Of a program in check mode the C library's own forward to: device/api/host_heap.c.
ALLOCATORS := malloc free calloc realloc aligned_alloc memalign posix_memalign
# Their own debug information would be a third of what linking a small program takes; an address sanitizer's
# report of the runtime itself needs it.
ARCHIVE_run = objcopy --strip-debug $@.new
ARCHIVE_asan := true
ARCHIVE_traffic = $(ARCHIVE_check)
ARCHIVE_check = $(if $(BACKTRACE),printf 'open %s\naddlib %s\nsave\nend\n' $@.new $(BACKTRACE) | $(AR) -M && )\
    nm -g --defined-only $@.new 2>/dev/null | awk '$$3 ~ /^backtrace_/ { print $$3, "check_" $$3 }' >$@.names && \
    objcopy --strip-debug $(CHECKERS) $(foreach f,$(COPIES) malloc free malloc_usable_size,--redefine-sym $(f)=__real_$(f)) $(foreach f,$(ALLOCATORS),--redefine-sym dev_host_$(f)=$(f)) --redefine-syms=$@.names $@.new && rm $@.names

# The runtime is compiled once a mode. It is fast in every mode but for what the mode looks for.
DEVICE_CFLAGS := $(HPC_CFLAGS) -O2 -fopenmp
build/obj/device-run/%.o: MODE_CFLAGS :=
build/obj/device-check/%.o: MODE_CFLAGS := -DDEV_CHECK
build/obj/device-traffic/%.o: MODE_CFLAGS := -DDEV_CHECK -DDEV_TRAFFIC
build/obj/device-asan/%.o: MODE_CFLAGS := -DDEV_ASAN -fsanitize=address,undefined -fno-omit-frame-pointer
# What a mode is made of. `traffic` is the checker, of which these two sources note accesses in the model, too.
DEVICE_COUNTING := $(patsubst %,device/check/%.c,access events)
objects = $(patsubst %.c,build/obj/device-$(1)/%.o,$(2))
DEVICE_OBJECTS_run := $(call objects,run,$(DEVICE_RUNTIME))
DEVICE_OBJECTS_asan := $(call objects,asan,$(DEVICE_RUNTIME))
DEVICE_OBJECTS_check := $(call objects,check,$(DEVICE_RUNTIME) $(filter-out device/traffic/%,$(DEVICE_CHECK)))
DEVICE_OBJECTS_traffic := $(call objects,check,$(filter-out $(DEVICE_COUNTING),$(DEVICE_RUNTIME) $(DEVICE_CHECK))) \
    $(call objects,traffic,$(DEVICE_COUNTING))
define DEVICE_MODE
build/obj/device-$(1)/%.o: %.c build/flags mk/device.mk
	$$(call say,CC,$$< ($(1)))
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(DEVICE_CFLAGS) $$(MODE_CFLAGS) -MMD -MP -c -o $$@ $$<
build/device/$(1).a: $(DEVICE_OBJECTS_$(1))
	$$(call say,AR,$$@)
	@mkdir -p $$(@D)
	$$(Q)rm -f $$@.new && $$(AR) rcs $$@.new $$^ && $$(ARCHIVE_$(1)) && mv $$@.new $$@
build/device/flags-$(1): mk/device.mk
	@mkdir -p $$(@D)
	@printf '%s\n' $$(foreach f,$$(call device_cpp,$(1)),'cpp $$(f)') $$(foreach f,$$(DEVICE_CC) $$(DEVICE_CC_$(1)),'cc $$(f)') \
	    $$(foreach f,$$(DEVICE_CC) $$(DEVICE_CLANG_$(1)),'clang $$(f)') \
	    'ld ROOT/build/device/$(if $(filter check traffic,$(1)),libraries-check,libraries).a' 'ld ROOT/build/device/$(1).a' $$(foreach f,$$(DEVICE_LD) $$(DEVICE_LD_$(1)),'ld $$(f)') \
	    $$(foreach f,$$(DEVICE_ALONE_$(1)),'alone $$(f)') >$$@
endef
$(foreach m,$(DEVICE_MODES),$(eval $(call DEVICE_MODE,$(m))))
-include $(patsubst %.o,%.d,$(foreach m,$(DEVICE_MODES),$(DEVICE_OBJECTS_$(m))) $(REWRITE_OBJECTS))

# The preprocessor, whose words come last, is told of the plainest processor: no source is to tell by
# macros in which mode it is built. Run mode's is told of this one, as a compiled header is taken for the
# same processor alone, and then takes its macros back (build/device/plain).
# _FORTIFY_SOURCE, which some compilers set, would hide copies from the checker.
# `cpp`: of the preprocessor; `cc`: of the preprocessor and the compiler; `clang`: the same where
# that is the compiler; `ld`: of the linker, behind the objects; `alone`: the same, where a program
# has no library of its user's, as no lab's has. ROOT stands for the project's folder.
DEVICE_PLAINEST := $(if $(filter x86_64,$(shell uname -m)),-march=x86-64)
DEVICE_PLAIN_H := $(if $(DEVICE_PLAINEST),build/device/plain/hpc_device/plain.h)
DEVICE_CPP := -D__CUDACC__ -D__NVCC__ -D__CUDA_ARCH__=700 -D__CUDACC_VER_MAJOR__=12 -D__CUDACC_VER_MINOR__=0 \
    -U_FORTIFY_SOURCE $(DEVICE_PLAINEST) -isystemROOT/device/include -isystemROOT/device/include/samples -includehpc_device/start.h
DEVICE_AVX512 := $(if $(shell echo | $(CC) -march=native -dM -E -x c - 2>/dev/null | grep -w __AVX512F__),-DDEV_AVX512)
# Where fibers know nothing of AVX-512's registers, no kernel may use them, on another processor either.
DEVICE_NATIVE := -march=native $(if $(DEVICE_AVX512),,$(if $(filter x86_64,$(shell uname -m)),-mno-avx512f))
DEVICE_CPP_run := $(if $(DEVICE_PLAINEST),-isystemROOT/build/device/plain -includehpc_device/plain.h) $(DEVICE_AVX512) -includehpc_device/phases.h
# What the preprocessor of a mode is given.
device_cpp = $(filter-out $(if $(filter run,$(1)),$(DEVICE_PLAINEST)),$(DEVICE_CPP)) $(DEVICE_CPP_$(1))
DEVICE_CC := -std=c++17 -g -Wno-unknown-pragmas
# Calls from both sides of a branch stay two: __activemask() tells lanes apart by the calls that led to it.
DEVICE_APART := -fno-crossjumping -fno-tree-tail-merge
# Of optimised code -g says where its lines are, not where each variable is at each instruction, which only a
# debugger asks: a quarter of a compilation.
DEVICE_LINES := -fno-var-tracking -fno-var-tracking-assignments
DEVICE_CC_run := -isystemROOT/build/device/start-run -fpch-preprocess -O3 $(DEVICE_NATIVE) $(DEVICE_APART) $(DEVICE_LINES)
DEVICE_CPP_traffic := -DDEV_CHECK -U__SANITIZE_THREAD__ -includehpc_device/started.h -includehpc_device/every_loop.h
DEVICE_CPP_check := -DDEV_CHECK -U__SANITIZE_THREAD__ -includehpc_device/started.h -includehpc_device/watched.h
DEVICE_CPP_asan := -DDEV_ASAN $(DEVICE_AVX512)
# check: no optimisation may hide an access or part one. gcc does not instrument structs that calls take
# and return by value: -fno-elide-constructors has it copy them into variables of its own before and
# behind the call, which it does instrument; and calls are inlined, as nvcc does. Without -fno-tree-sra a
# float4 is four loads. What nobody sets of a thread's own variables is not what the thread before left there.
DEVICE_UNSET := -ftrivial-auto-var-init=pattern
DEVICE_UNSET_GXX := $(if $(shell echo | g++ $(DEVICE_UNSET) -fsyntax-only -xc++ - 2>&1),,$(DEVICE_UNSET))
DEVICE_UNSET_CLANG := $(if $(shell echo | clang++ $(DEVICE_UNSET) -fsyntax-only -xc++ - 2>&1),,$(DEVICE_UNSET))
# No access tells of a variable that is in a register: the compiler does, as nvcc does.
DEVICE_UNSET_TOLD := -Wuninitialized -Wmaybe-uninitialized
DEVICE_INLINE := -finline-functions -finline-small-functions $(foreach p,max-inline-insns-auto=10000 \
    max-inline-insns-single=10000 inline-unit-growth=1000 large-function-growth=10000 large-stack-frame-growth=100000,--param=$(p))
# A processor that goes on behind an integer division by zero tells nobody.
DEVICE_DIVIDES := $(if $(filter x86_64,$(shell uname -m)),,-fsanitize=integer-divide-by-zero)
DEVICE_CC_check := -isystemROOT/build/device/start-check -fpch-preprocess -O1 $(DEVICE_APART) $(DEVICE_LINES) -fsanitize=thread -fsanitize=bounds,object-size $(DEVICE_DIVIDES) -fno-tree-vectorize -fno-unroll-loops \
    $(DEVICE_INLINE) -fno-elide-constructors -fno-tree-sra --param=tsan-instrument-func-entry-exit=0 --param=tsan-distinguish-volatile=1 $(COPIES:%=-fno-builtin-%) $(DEVICE_UNSET_GXX) $(DEVICE_UNSET_TOLD)
DEVICE_CC_traffic = $(filter-out $(DEVICE_UNSET_TOLD),$(DEVICE_CC_check))
# The header that all programs begin with, compiled: g++ takes it where compiler and flags are the same,
# else the text. An empty file is never taken: of another compiler than g++.
define DEVICE_START
device: $(if $(HAVE_CXX),build/device/start-$(1)/hpc_device/start.h.gch)
build/device/start-$(1)/hpc_device/start.h.gch: device/include/hpc_device/start.h build/flags mk/device.mk
	$$(call say,C++,$$< ($(1)))
	@mkdir -p $$(@D)
	$$(Q)g++ $$(subst ROOT,$$(CURDIR),$$(DEVICE_CC) $$(DEVICE_CC_$(1)) $$(filter-out -include%,$$(call device_cpp,$(1)))) \
	    -MD -MP -xc++-header -o $$@.new -MF $$@.d -MT $$@ $$< 2>/dev/null || : >$$@.new
	$$(Q)mv $$@.new $$@
-include build/device/start-$(1)/hpc_device/start.h.gch.d
endef
$(eval $(call DEVICE_START,check))
$(eval $(call DEVICE_START,run))
# Takes back the macros that tell this processor from the plainest; behind the compiled header, which would
# bring them again.
device: $(if $(HAVE_CXX),$(DEVICE_PLAIN_H))
build/device/plain/hpc_device/plain.h: build/flags mk/device.mk
	@mkdir -p $(@D)
	$(Q)for c in g++ clang++; do \
	    echo "#if$$([ $$c = g++ ] && echo n)def __clang__"; \
	    for m in '$(DEVICE_NATIVE)' '$(DEVICE_PLAINEST)'; do \
	        $$c -std=c++17 $$m -dM -E -xc++ /dev/null 2>/dev/null | sed "s/^#define/$${m%% *}/"; \
	    done | awk '{ sub(/ /, "\t"); split($$0, part, "\t"); seen[part[2]] = seen[part[2]] part[1] } \
	        END { for (m in seen) if (seen[m] == "-march=native") { sub(/[ (].*/, "", m); print "#undef " m } \
	              for (m in seen) if (seen[m] == "$(DEVICE_PLAINEST)") print "#define " m }'; \
	    echo '#endif'; done >$@.new && mv $@.new $@
# clang instruments calls' structs, but leaves out reads that a write follows, as in x += 1; a float4 is
# four loads to it.
DEVICE_CLANG := -Wno-unused-command-line-argument -mllvm -sink-common-insts=false -mllvm -hoist-common-insts=false \
    -mllvm -enable-tail-merge=false # the first: -I, for preprocessed text
DEVICE_CLANG_run := $(DEVICE_CLANG) -O3 $(DEVICE_NATIVE)
# clang has no attribute for the options of one function (device/rewrite/hosts.h).
DEVICE_CLANG_check := $(DEVICE_CLANG) -Wno-unknown-attributes -O1 -fsanitize=thread -fsanitize=array-bounds $(DEVICE_DIVIDES) -fno-vectorize -fno-unroll-loops \
    $(foreach o,instrument-read-before-write=1 instrument-func-entry-exit=0 distinguish-volatile=1,-mllvm -tsan-$(o)) $(COPIES:%=-fno-builtin-%) $(DEVICE_UNSET_CLANG)
DEVICE_CLANG_traffic := $(DEVICE_CLANG_check)
DEVICE_CC_asan := -O1 $(DEVICE_NATIVE) $(DEVICE_APART) $(DEVICE_LINES) -fsanitize=address,undefined -fno-omit-frame-pointer
DEVICE_CLANG_asan := $(DEVICE_CLANG) $(filter-out $(DEVICE_APART) $(DEVICE_LINES),$(DEVICE_CC_asan))
# -u: of what a program does not call, the end of programs is needed all the same.
DEVICE_LD := -Wl,-u,dev_finish -lgomp -pthread -lm -ldl
DEVICE_LD_run :=
# Of C++'s library as an archive the linker reads what a program calls, and as a shared one all of it: more
# than half of a link's time in check mode. AddressSanitizer wants to see the shared one.
DEVICE_STATIC := $(if $(filter /%,$(shell g++ -print-file-name=libstdc++.a 2>/dev/null)),-static-libstdc++)
DEVICE_ALONE_run := $(DEVICE_STATIC)
DEVICE_ALONE_check := $(DEVICE_STATIC)
DEVICE_ALONE_traffic := $(DEVICE_STATIC)
# Of kernels' heap, malloc, free, new and delete: device/api/heap.c.
DEVICE_HEAP := malloc free malloc_usable_size $(foreach n,_Znwm _Znam,$(n) $(n)St11align_val_t $(n)RKSt9nothrow_t $(n)St11align_val_tRKSt9nothrow_t) \
    $(foreach d,_ZdlPv _ZdaPv _ZdlPvm _ZdaPvm,$(d) $(d)St11align_val_t)
# Of the time: device/api/clock.c.
DEVICE_CLOCKS := clock_gettime gettimeofday time clock omp_get_wtime $(foreach c,steady system,_ZNSt6chrono3_V212$(c)_clock3nowEv)
DEVICE_LD_check := $(foreach f,$(COPIES),-Wl,--wrap=$(f) -Wl,-u,__wrap_$(f)) $(DEVICE_HEAP:%=-Wl,--wrap=%) -Wl,-u,dev_heap_malloc $(DEVICE_CLOCKS:%=-Wl,--wrap=%)
DEVICE_LD_traffic := $(DEVICE_LD_check)
DEVICE_LD_asan := -fsanitize=address,undefined

# What an archive exports is in the way of programs that have the same name: these prefixes are the
# device's. Weak: the C library's allocators. __tsan_, __ubsan_: of instrumented code; __wrap_: of the linker's --wrap; __odr_asan: of gcc. The device answers the C library's
# __assert_fail for asserts in kernels (device/runtime/finish.c).
DEVICE_EXPORTS := ^(dev_|check_|cuda|cublas|cudnn|__tsan_|__ubsan_handle_(out_of_bounds|type_mismatch_v1|divrem_overflow)$$|__wrap_|__odr_asan|__assert_fail$$|($(shell echo $(ALLOCATORS) | tr ' ' '|'))$$)
# The device by itself, for programs that are no lab's: device/install.
PREFIX ?= /usr/local
DESTDIR ?=
.PHONY: install-device
install-device: device # the CPU device alone, as PREFIX/bin/hpc-cuda [PREFIX=/usr/local]
	$(Q)device/install "$(DESTDIR)$(PREFIX)"

# The page of what is supported: device/page.
.PHONY: device-page check-device-page
DEVICE_PAGE = device/page $(subst ROOT,$(CURDIR),$(filter-out -DDEV_AVX512 -march=%,$(DEVICE_CPP)))
device-page: # write docs/device-cuda.md, what the CPU device has of CUDA, from its headers
	$(Q)$(DEVICE_PAGE) >docs/device-cuda.md.new && mv docs/device-cuda.md.new docs/device-cuda.md
check-device-page:
	@[ ! -x device/page ] || $(DEVICE_PAGE) | diff docs/device-cuda.md - || { echo "docs/device-cuda.md: not what the headers have, expected \`make device-page\`"; exit 1; }
	@$(call done_,the page of what the CPU device has of CUDA)

.PHONY: check-device-symbols
check-device-symbols: device
	@for a in build/device/*.a; do \
	    nm -g --defined-only $$a 2>/dev/null | awk -v a=$$a 'NF == 3 && $$3 !~ /$(DEVICE_EXPORTS)/ { \
	        print a ": exports " $$3 ", expected $(DEVICE_EXPORTS)"; bad = 1 } END { exit bad }' || exit 1; \
	done
	@$(call done_,what the archives of the CPU device export)
