# Parsers of untrusted bytes (tests/fuzz/), under address and undefined-behaviour sanitizers: `make
# fuzz` gives each SECONDS of libFuzzer, which needs clang; `make test` runs the corpus, with $(CC).

FUZZ_NAMES := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZ_CFLAGS = -std=gnu11 -O1 -g $(LIB_CFLAGS) -I. -pthread $(FUZZ_SANITIZE)
FUZZ_LIB := $(LIB_SOURCES) tests/fuzz/file.c
FUZZ_CORPUS := $(FUZZ_NAMES:%=build/fuzz/corpus/fuzz_%)
FUZZ_CLANG := $(FUZZ_NAMES:%=build/fuzz/clang/fuzz_%)
SECONDS ?= 60

build/fuzz/corpus/%.o: %.c build/flags
	$(call say,CC,$< (sanitized))
	@mkdir -p $(@D)
	$(Q)$(CC) $(FUZZ_CFLAGS) -MMD -MP -c -o $@ $<
build/fuzz/clang/%.o: %.c build/flags
	$(call say,CC,$< (fuzzed))
	@mkdir -p $(@D)
	$(Q)clang $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

build/fuzz/corpus/fuzz_%: build/fuzz/corpus/tests/fuzz/fuzz_%.o build/fuzz/corpus/tests/fuzz/main.o \
    $(FUZZ_LIB:%.c=build/fuzz/corpus/%.o)
	$(call say,LD,$@)
	$(Q)$(CC) $(FUZZ_CFLAGS) $(LDFLAGS) -o $@ $^ $(HPC_LIBS)
build/fuzz/clang/fuzz_%: build/fuzz/clang/tests/fuzz/fuzz_%.o $(FUZZ_LIB:%.c=build/fuzz/clang/%.o)
	$(call say,LD,$@)
	$(Q)clang $(FUZZ_CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(HPC_LIBS)

tests: $(call tested,tests/cli/fuzz.sh,$(FUZZ_CORPUS))
.PHONY: fuzz
fuzz: $(FUZZ_CLANG) ## fuzz the parsers of untrusted files [SECONDS=60 each] [TEST=part of a name]
	$(Q)tests/fuzz/run $(SECONDS) $(TEST)

-include $(wildcard $(patsubst %.c,build/fuzz/*/%.d,$(FUZZ_LIB) tests/fuzz/main.c \
    $(FUZZ_NAMES:%=tests/fuzz/fuzz_%.c)))
