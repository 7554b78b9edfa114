# Parsers of untrusted bytes (tests/fuzz/), under address and undefined-behaviour sanitizers: `make
# fuzz` gives each SECONDS of libFuzzer, which needs clang; `make test` runs the corpus, with $(CC).

FUZZ_NAMES := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZ_CFLAGS = -std=gnu11 -O1 -g $(LIB_CFLAGS) -I. -pthread $(FUZZ_SANITIZE)
FUZZ_OWN := $(FUZZ_NAMES:%=tests/fuzz/fuzz_%.c) tests/fuzz/file.c tests/fuzz/main.c
FUZZ_CORPUS := $(FUZZ_NAMES:%=build/fuzz/corpus/fuzz_%)
FUZZ_CLANG := $(FUZZ_NAMES:%=build/fuzz/clang/fuzz_%)
SECONDS ?= 60

# Of which sources the linker takes something for one of them, a quarter of all: no other is compiled once more.
build/fuzz/needed.mk: build/libhpc.a $(FUZZ_OWN:%.c=build/obj/%.o)
	@mkdir -p $(@D)
	$(Q)rm -f $(@D)/all.a && $(AR) rcT $(@D)/all.a $(LIB_OBJECTS)
	$(Q)for name in $(FUZZ_NAMES); do \
	    $(CC) $(SANITIZED) $(LDFLAGS) -o $(@D)/plain build/obj/tests/fuzz/fuzz_$$name.o $(filter %/file.o %/main.o,$^) \
	        -Wl,-t,-t $(@D)/all.a $(HPC_LIBS) >$(@D)/taken || exit; \
	    sed -n "s|^$(@D)/\.\./obj/\(.*\)\.o$$|FUZZ_NEEDS_$$name += \1.c|p" $(@D)/taken; \
	done >$@
$(foreach name,$(FUZZ_NAMES),$(eval FUZZ_NEEDS_$(name) :=))
FUZZ_GOALS := $(filter fuzz test test-all test-long tests build/fuzz/%,$(MAKECMDGOALS))
# No quick test is among them.
FUZZ_TESTED := $(if $(filter 1,$(QUICK)),,$(call tested,tests/cli/fuzz.sh,yes))
ifneq ($(if $(filter-out fuzz,$(FUZZ_GOALS)),$(FUZZ_TESTED),$(FUZZ_GOALS)),)
include build/fuzz/needed.mk
endif
FUZZ_LIB = tests/fuzz/file.c $(FUZZ_NEEDS_$(1))

build/fuzz/corpus/%.o: %.c build/flags
	$(call say,CC,$< (sanitized))
	@mkdir -p $(@D)
	$(Q)$(CC) $(FUZZ_CFLAGS) -MMD -MP -c -o $@ $<
build/fuzz/clang/%.o: %.c build/flags
	$(call say,CC,$< (fuzzed))
	@mkdir -p $(@D)
	$(Q)clang $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

# A source that the linker takes with sanitizers alone comes as it is.
define FUZZ_PROGRAM
build/fuzz/corpus/fuzz_$(1): $(patsubst %.c,build/fuzz/corpus/%.o,tests/fuzz/fuzz_$(1).c tests/fuzz/main.c $(FUZZ_LIB))
build/fuzz/clang/fuzz_$(1): $(patsubst %.c,build/fuzz/clang/%.o,tests/fuzz/fuzz_$(1).c $(FUZZ_LIB))
endef
$(foreach name,$(FUZZ_NAMES),$(eval $(call FUZZ_PROGRAM,$(name))))
$(FUZZ_CORPUS): build/libhpc.a
	$(call say,LD,$@)
	$(Q)$(CC) $(FUZZ_CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) build/libhpc.a $(HPC_LIBS)
$(FUZZ_CLANG): build/libhpc.a
	$(call say,LD,$@)
	$(Q)clang $(FUZZ_CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $(filter %.o,$^) build/libhpc.a $(HPC_LIBS)

tests: $(call tested,tests/cli/fuzz.sh,$(FUZZ_CORPUS))
.PHONY: fuzz
fuzz: $(FUZZ_CLANG) ## fuzz the parsers of untrusted files [SECONDS=60 each] [TEST=part of a name]
	$(Q)tests/fuzz/run $(SECONDS) $(TEST)

-include $(wildcard $(patsubst %.c,build/fuzz/*/%.d,$(FUZZ_OWN) $(sort $(foreach name,$(FUZZ_NAMES),$(FUZZ_NEEDS_$(name))))))
