# `make check`: what can be said of the sources without running them. A tool that is missing is
# skipped, with a line that says so.

CHECK_FOLDERS := $(wildcard common device harness runner $(OP_FOLDERS) tests benchmarks labs/*/starter labs/*/marker labs/*/marker.c)
C_FILES := $(sort $(shell find $(CHECK_FOLDERS) -name '*.[ch]'))
HEADERS := $(filter-out %/gpu.h $(OP_FOLDERS:%=%/variants/%) tests/% labs/% device/include/% benchmarks/conv1d/%, \
    $(filter %.h,$(C_FILES)))
SCRIPTS := $(wildcard bootstrap grade hpclab .ci/run tests/run tests/files.sh tests/bring_* tests/debootstrap/run tests/mutants/apply tests/mutants/edit tests/cli/*.sh tests/cli/lib/*.sh \
    benchmarks/*/run benchmarks/*/*.sh)
# Ranks of MPI's are left out where it is not installed.
MPI_HEADERS := $(firstword $(wildcard /usr/lib/*/openmpi/include /usr/lib64/openmpi/include))
VARIANT_SOURCES := $(wildcard $(OP_FOLDERS:%=%/variants/*.c) labs/*/starter/*.c)
VARIANT_SOURCES := $(if $(MPI_HEADERS),$(VARIANT_SOURCES),$(filter-out \
    $(shell grep -l '^.include <mpi.h>' $(VARIANT_SOURCES)),$(VARIANT_SOURCES)))
TRUSTED := $(LIB_SOURCES) $(filter-out device/libraries/%,$(wildcard device/*/*.c)) $(APP_SOURCES) $(UNIT_SOURCES) $(wildcard harness/verbs/main.c \
    runner/*.c)
comma := ,
STRICT := -std=gnu11 -O2 -Wall -Wextra -Wshadow -Werror -I. -pthread

# $(call need,PROGRAM): for `if`; says what is skipped where the program is missing.
need = command -v $(1) >/dev/null || { echo '  skip $@: no $(1) here (./bootstrap brings it)'; exit 0; }
done_ = echo '  ok   $(1)'

CHECKS := check-format check-headers check-gcc check-clang check-cppcheck check-scripts \
    check-variants check-options check-text check-limits check-house check-device-symbols \
    check-device-page
.PHONY: check $(CHECKS)
check: $(CHECKS) ## formatting, headers alone, warnings as errors, cppcheck, shellcheck, the lists, who includes whom
	@echo 'check: all well'

# Mutants stay as near to the solution they spoil as they can.
check-format:
	@$(call need,clang-format); bad=0; for f in $(filter-out tests/mutants/% tests/hostile/submissions/% tests/hostile/spy.c,$(C_FILES)); do \
	    clang-format $$f | cmp -s - $$f || { echo "$$f: not formatted: clang-format -i $$f"; bad=1; }; \
	done; [ $$bad = 0 ] && $(call done_,formatting)

check-headers:
	@for h in $(HEADERS); do \
	    echo "#include \"$$h\"" | $(CC) $(STRICT) $(LIB_CFLAGS) -fsyntax-only -x c - || exit 1; \
	done; $(call done_,every header alone as C)
	@$(call need,g++); for h in $(HEADERS); do \
	    echo "#include \"$$h\"" | g++ -std=c++17 -Wall -Wextra -Werror -I. $(LIB_CFLAGS) \
	        -fsyntax-only -x c++ - || exit 1; \
	done; $(call done_,every header alone as C++)

# Objects that nobody links: kept, so that a second check compiles what has changed only. Variants
# have the flags of variants.ini, starters those that most tasks have. clang's warnings come before it makes
# code, but for that of a loop that it could not vectorise: only variants are compiled whole.
# The runtime and the checker of the CPU device are looked at as check mode compiles them.
variant_flags = $(if $(filter device/%,$<),-DDEV_CHECK)$(if $(findstring /variants/,$<),$(shell build/hpclab list \
    --variants $(subst /variants/,/,$(basename $<)) --tsv=flags))$(if $(findstring /starter/,$<),-fopenmp -march=native) \
    $(MPI_HEADERS:%=-isystem %)
build/check/gcc/%.o: %.c build/flags | $(PROGRAM)
	@mkdir -p $(@D)
	$(Q)$(CC) $(STRICT) $(LIB_CFLAGS) $(variant_flags) -MMD -MP -c -o $@ $<
build/check/clang/%.o: %.c build/flags | $(PROGRAM)
	@mkdir -p $(@D)
	$(Q)clang $(STRICT) $(LIB_CFLAGS) $(variant_flags) -MMD -MP -MF $(@:.o=.d) -MT $@ \
	    $(if $(filter $(VARIANT_SOURCES),$<),-c -o $@ $<,-fsyntax-only $< && touch $@)

CHECK_OBJECTS := $(patsubst %.c,%.o,$(TRUSTED) $(VARIANT_SOURCES))
check-gcc: $(addprefix build/check/gcc/,$(CHECK_OBJECTS))
	@$(call done_,warnings as errors$(comma) $(CC))
ifneq ($(call has_program,clang),)
check-clang: $(addprefix build/check/clang/,$(CHECK_OBJECTS))
	@$(call done_,warnings as errors$(comma) clang)
else
check-clang:
	@$(call need,clang)
endif
-include $(wildcard build/check/*/*/*.d build/check/*/*/*/*.d build/check/*/*/*/*/*.d)

# cppcheck takes an element of a compiler vector for a variable, and a vector for its elements; in
# benchmarks/, a struct that a function is given to fill for one that is read.
NO_VECTORS := $(foreach w,uninitvar invalidPointerCast nullPointerArithmetic,--suppress=$(w):mlp/variants/*) \
    --suppress=uninitvar:benchmarks/* --suppress=ctuuninitvar:benchmarks/*
check-cppcheck:
	@$(call need,cppcheck); cppcheck --quiet --std=c11 --language=c -I. --inline-suppr \
	    --enable=warning,performance,portability --error-exitcode=1 --suppress=missingIncludeSystem \
	    --suppress=unknownMacro $(NO_VECTORS) $(filter %.c,$(filter-out tests/%,$(C_FILES))) && \
	    $(call done_,cppcheck)

check-scripts:
	@$(call need,shellcheck); \
	for s in $(SCRIPTS); do head -n 1 "$$s" | grep -q 'sh$$' || continue; shellcheck -S warning -x "$$s" || exit 1; \
	done; $(call done_,shellcheck)

# Every file of a folder of variants is listed; how their heads and calls are written.
check-variants: all
	@$(call need,python3); python3 mk/variants.py && $(call done_,the variants)

# docs/commands.md has the options that the verbs' tables have.
OPTIONS_DOC := docs/commands.md
check-options: all
	@{ sed '/^Made from the tables/q' $(OPTIONS_DOC); echo; build/hpclab help --markdown; } >build/commands.md
	@cmp -s build/commands.md $(OPTIONS_DOC) || { diff $(OPTIONS_DOC) build/commands.md | head; \
	    echo '$(OPTIONS_DOC): not the options that the tables have: make options'; exit 1; }; $(call done_,the options in $(OPTIONS_DOC))
.PHONY: options
options: all # writes them there
	$(Q){ sed '/^Made from the tables/q' $(OPTIONS_DOC); echo; build/hpclab help --markdown; } >build/commands.md
	$(Q)cp build/commands.md $(OPTIONS_DOC)

# Tabs, ends of lines, paths of somebody's own machine; pieces of text are common/text.h's to put together.
OFFSET_TEXT := snprintf\([^,()]+ \+ [a-z(]|snprintf\([^,;]*strlen\(
check-text:
	@awk '/\t/ { print FILENAME ":" FNR ": a tab"; bad = 1 } \
	    / $$/ { print FILENAME ":" FNR ": a space at the end"; bad = 1 } END { exit bad }' $(C_FILES)
	@! grep -rnE '(^|[^[:alnum:]._-])/(work|home|root|mnt)/' --include='*' Makefile README.md \
	    CONTRIBUTING.md bootstrap grade hpclab mk docs handouts .ci $(CHECK_FOLDERS) data reference
	@! grep -rnE '$(OFFSET_TEXT)' --include='*.[ch]' $(OP_FOLDERS) common harness | grep -v '^common/text.c:' || \
	    { echo 'check-text: text at an offset, expected text_add or text_fit of common/text.h'; exit 1; }
	@awk '/^```/ { sh = $$0 == "```sh" } sh && length > 100 { bad = 1; \
	    print FILENAME ":" FNR ": a command wider than a page, expected a \\ and a second line" } \
	    END { exit bad }' README.md $(wildcard handouts/*.md docs/*.md)
	@$(call done_,text)

# The thresholds of noise, in the table and on the page.
check-limits:
	@$(call need,python3); mk/limits.py --check && $(call done_,the limits of docs/timing.md)

# Who includes whom, circles, lengths, the list of folders. Objects say who calls whom.
check-house: $(LIB_OBJECTS) $(PROGRAM)
	@$(call need,python3); python3 mk/house.py && $(call done_,the rules of the house)
