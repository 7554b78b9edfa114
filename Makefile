# hpclab. `make help` says what can be made; `make V=1` shows the commands.
# One non-recursive Makefile: detection in mk/detect.mk, checks in mk/check.mk, handouts in
# mk/handouts.mk. Variants are compiled by `hpclab build`, in its jail, never from here.

.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := all

MAKECMDGOALS ?=
V ?= 0
IMPL ?=
DEVICE ?=
LAB ?=
ANSWERS ?=
ANYWAY ?=
TEST ?=
QUICK ?=
SANITIZE ?=
ARGS ?=
HPC_NVCC ?=
CUDA_HOME ?=
WERROR ?= 0
# Tests at a time: more than two processors, as scripts wait for deadlines.
JOBS ?= 3
MAKE_TERMOUT ?=
# As many at once as this process may use; -j says another number.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS := $(MAKEFLAGS) $(if $(filter -j%,$(MAKEFLAGS)),,-j$(or $(shell nproc 2>/dev/null),1))
endif
ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin AR),default)
AR := ar
endif

Q := $(if $(filter 1,$(V)),,@)
# On a terminal each line takes the place of the one before.
say = $(if $(filter 1,$(V)),,@printf $(if $(MAKE_TERMOUT),'  %-4s %s\033[K\r','  %-4s %s\n') '$(1)' '$(2)')

EXACT :=
# Goals that need neither a compiler nor libraries.
TOOLLESS := help clean distclean
ifneq ($(filter-out $(TOOLLESS),$(or $(MAKECMDGOALS),all)),)
include mk/detect.mk
else
LIB_CFLAGS :=
HPC_LIBS :=
CMOCKA_LIBS :=
endif

# Files that take no time while a solution runs, nor a processor's while it waits for them, are not
# optimised: half of their compilations. What a backtrace says, files and lines, is kept of all; for a debugger,
# which wants types and variables, too: make CFLAGS='-O0 -g'. CFLAGS of one's own are for all files.
PLAIN :=
ifeq ($(origin CFLAGS),undefined)
CFLAGS := -O2 -g1
PLAIN := -O0
endif
HPC_CFLAGS := -std=gnu11 $(CFLAGS) -Wall -Wextra -Wshadow $(if $(filter 1,$(WERROR)),-Werror) \
    $(LIB_CFLAGS) -I. -pthread
LDFLAGS ?=
# Of what is trusted, in mk/sanitized.mk.
SANITIZED := $(if $(filter 1,$(SANITIZE)),-fsanitize=address -fsanitize=undefined -fno-sanitize-recover=all \
    -fno-omit-frame-pointer)

# The operations' folders: those with a list of variants.
OP_FOLDERS := $(sort $(patsubst %/variants/variants.ini,%,$(wildcard */variants/variants.ini)))
# labs/LAB/marker.c, marker/: the marks of a lab's answers, listed in build/markers.c; a release may have
# none.
LIB_SOURCES := $(sort $(filter-out harness/verbs/main.c,$(wildcard common/*.c harness/*/*.c conv2d/featuremaps/*.c \
    $(OP_FOLDERS:%=%/op/*.c)) $(wildcard labs/*/marker.c labs/*/marker/*.c) build/markers.c))
# All of harness/ but what times, what holds a solution's arrays, what hashes and what compares a class;
# of common/ what reads and writes words.
PLAIN_SOURCES := $(filter-out harness/measure/% harness/exchange/% harness/machine/% harness/jail/inside/% \
    harness/build/kept.c harness/similar/similar.c harness/bench/ceilings.c,$(filter harness/%,$(LIB_SOURCES))) \
    $(patsubst %,common/%.c,command error ini nearest options options_print outcome params root scratch text ui verdict)
APP_SOURCES := $(sort $(wildcard mlp/app/*.c))
UNIT_SOURCES := $(sort $(wildcard tests/unit/test_*.c))
LAB_NAMES := $(sort $(notdir $(patsubst %/lab.ini,%,$(wildcard labs/*/lab.ini))))

LIB_OBJECTS := $(LIB_SOURCES:%.c=build/obj/%.o) $(if $(SANITIZED),build/obj/tests/sanitized.o)
APP_OBJECTS := $(APP_SOURCES:%.c=build/obj/%.o)
UNIT_PROGRAMS := $(UNIT_SOURCES:tests/unit/%.c=build/tests/%)
# What `make test` builds for FILE, where TEST asks for it: as tests/run chooses.
tested = $(if $(if $(TEST),$(strip $(foreach word,$(TEST),$(findstring $(word),$(1)))),all),$(2))

RUNNER_PARTS := $(patsubst %,build/lib/%.o,follow told openmp gomp ranks accesses stores phases pieces lock_sets locks orders tasks waits)
RUNNERS := $(if $(wildcard runner/runner.c),build/lib/runner.o build/lib/runner-address.o \
    build/lib/runner-threads.o build/lib/runner-stores.o $(RUNNER_PARTS))
INSIDE := build/lib/jail-inside build/lib/jail-probe
PROGRAM := $(if $(wildcard harness/verbs/main.c),build/hpclab)
APP := $(if $(APP_SOURCES),build/mlp/app.a)

# What objects and archives depend on besides files: the flags, and the lists of files. Each is
# written only when it changes.
FLAGS := $(CC) $(HPC_CFLAGS) $(PLAIN) $(SANITIZED) $(LDFLAGS) $(HPC_LIBS)
LISTS := $(LIB_SOURCES) $(APP_SOURCES)
MARKED := $(patsubst labs/%/marker.c,%,$(sort $(wildcard labs/*/marker.c)))
define MARKERS
/* Made by the Makefile: the labs with a marker.c. */
#include "harness/answers/marker.h"

$(foreach l,$(MARKED),extern const struct marker $(l)_markers[];)
const struct lab_markers lab_markers[] = {$(foreach l,$(MARKED),{"$(l)", $(l)_markers},) {NULL, NULL}};
endef
ifneq ($(filter-out $(TOOLLESS),$(or $(MAKECMDGOALS),all)),)
$(shell mkdir -p build)
# Each is made anew, not written into: a copy of the project may share the old one as a hard link.
ifneq ($(file <build/flags),$(FLAGS))
$(shell rm -f build/flags)
$(file >build/flags,$(FLAGS))
endif
ifneq ($(file <build/lists),$(LISTS))
$(shell rm -f build/lists)
$(file >build/lists,$(LISTS))
endif
ifneq ($(file <build/markers.c),$(MARKERS))
$(shell rm -f build/markers.c)
$(file >build/markers.c,$(MARKERS))
endif
endif

.PHONY: all core
all: core device $(APP) ## build hpclab
core: build/libhpc.a $(PROGRAM) $(RUNNERS) $(if $(RUNNERS),build/lib/told.names) $(INSIDE)

build/flags build/lists build/markers.c: # after `make clean all`
	@mkdir -p $(@D)
	$(file >build/flags,$(FLAGS))
	$(file >build/lists,$(LISTS))
	$(file >build/markers.c,$(MARKERS))

build/obj/%.o: %.c build/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) -MMD -MP -c -o $@ $<

build/libhpc.a: $(LIB_OBJECTS) build/lists
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(LIB_OBJECTS)

build/mlp/app.a: $(APP_OBJECTS) build/lists
	$(call say,AR,$@)
	@mkdir -p $(@D)
	$(Q)rm -f $@ && $(AR) rcs $@ $(APP_OBJECTS)

build/hpclab: build/obj/harness/verbs/main.o build/libhpc.a
	$(call say,LD,$@)
	$(Q)$(CC) $(HPC_CFLAGS) $(LDFLAGS) -o $@ $^ $(HPC_LIBS)

# The runner, without a variant: hpclab links it with one.
build/lib/runner.o build/lib/runner-stores.o: RUNNER_FLAGS :=
build/lib/runner-address.o: RUNNER_FLAGS := -fsanitize=address,undefined -fno-omit-frame-pointer
build/lib/runner-threads.o: RUNNER_FLAGS := -fsanitize=thread
build/lib/runner.o build/lib/runner-address.o build/lib/runner-threads.o \
    build/lib/runner-stores.o: runner/runner.c build/flags
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) $(RUNNER_FLAGS) -MMD -MP -c -o $@ $<

$(RUNNER_PARTS): build/lib/%.o: runner/%.c build/flags
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) -MMD -MP -c -o $@ $<

# What a variant calls otherwise under the thread sanitizer, for objcopy: what these define.
build/lib/told.names: build/lib/told.o build/lib/openmp.o build/lib/gomp.o
	$(Q)nm -g --defined-only $^ | sed -n 's/.* T runner_\(.*\)/\1 runner_\1/p' >$@

# What confines itself inside bubblewrap's namespaces, and what tries whether that holds; the C library
# is all that they need.
JAIL := build/obj/harness/jail
build/lib/jail-probe: $(addprefix $(JAIL)/inside/,probe.o probe_kernel.o probe_common.o)
CONFINES := $(JAIL)/confine.o $(JAIL)/landlock.o $(JAIL)/filter.o
build/lib/jail-inside: $(JAIL)/inside/inside.o $(CONFINES)
$(INSIDE):
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) $(LDFLAGS) -o $@ $^

build/tests/%: build/obj/tests/unit/%.o build/libhpc.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) $(LDFLAGS) -o $@ $^ $(CMOCKA_LIBS) $(HPC_LIBS)

$(PLAIN_SOURCES:%.c=build/obj/%.o) build/obj/harness/verbs/main.o: private HPC_CFLAGS += $(PLAIN)
# Tests, but for those that reckon for long themselves.
RECKONING := $(patsubst %,tests/unit/test_%.c,conv1d_op exchange gamble)
$(patsubst %.c,build/obj/%.o,$(filter-out $(RECKONING),$(UNIT_SOURCES))): private HPC_CFLAGS += $(PLAIN)
# The inner loops of the oracle and of the networks.
build/obj/conv2d/op/oracle.o build/obj/conv2d/featuremaps/network_run.o: private HPC_CFLAGS += -O3

# A lab that is not there gets hpclab's own line, which names those that are.
LABS := $(sort $(LAB_NAMES) $(filter lab%,$(MAKECMDGOALS)))
# Labs in CUDA need the CPU device as well.
DEVICE_LABS := $(sort $(patsubst labs/%/,%,$(dir $(patsubst %/,%,$(dir $(wildcard labs/*/starter/*.cu))))))
.PHONY: $(LABS)
#labN: ## lay out and compile a lab's files [IMPL=student|reference] [DEVICE=auto|cpu|cuda]
$(DEVICE_LABS): device
# Those whose handout names `hpclab mlp` need the program behind it.
APP_LABS := $(patsubst handouts/%.md,%,$(shell grep -l 'hpclab mlp' handouts/lab*.md 2>/dev/null))
$(APP_LABS): $(APP)
$(LABS): core
	$(Q)build/hpclab build $@ $(if $(IMPL),--impl $(IMPL)) $(if $(DEVICE),--device $(DEVICE))

.PHONY: handin
handin: core $(if $(filter $(LAB),$(DEVICE_LABS)),device) ## looks at your files of a lab and packs them into dist/, LAB=labN [ANYWAY=1]
	$(if $(LAB),,$(error which lab? for example: make handin LAB=lab3))
	$(Q)build/hpclab handin $(LAB) $(if $(filter 1,$(ANYWAY)),--anyway)

.PHONY: reset
reset: core ## a lab's starter files again, with a backup of yours, LAB=labN
	$(if $(LAB),,$(error which lab? for example: make reset LAB=lab3))
	$(Q)build/hpclab reset $(LAB)

# A man page and completion for shells, of the options' tables.
.PHONY: man
man: build/hpclab.1 build/hpclab.bash build/_hpclab ## a man page (build/hpclab.1) and completion for bash and zsh
build/hpclab.1: SHAPE := man
build/hpclab.bash: SHAPE := bash
build/_hpclab: SHAPE := zsh
build/hpclab.1 build/hpclab.bash build/_hpclab: $(PROGRAM)
	$(call say,HELP,$@)
	$(Q)build/hpclab help --$(SHAPE) >$@

.PHONY: clean distclean
clean: ## remove build/ (keeps .deps/, results/ and your files)
	rm -rf build
distclean: clean ## remove dist/, results/ and .deps/ too
	rm -rf dist results .deps

# A release has no reference to choose, and no mk/tests.mk.
.PHONY: help
help: ## this list
	@echo 'make TARGET [V=1]'
	@awk '/^#?[a-zA-Z0-9 -]+:.*## / { name = $$0; sub(/:.*/, "", name); sub(/^#/, "", name); \
	    sub(/.*## /, ""); $(if $(wildcard mk/tests.mk),,sub(/IMPL=[^]]*\] \[/, "");) \
	    line = sprintf("  %-12s", name); \
	    for (i = 1; i <= NF; i++) { \
	        if (length(line " " $$i) > 80) { print line; line = sprintf("%14s", "") } \
	        line = line " " $$i } \
	    print line }' Makefile $(wildcard mk/*.mk)

ifneq ($(filter-out $(TOOLLESS),$(or $(MAKECMDGOALS),all)),)
include $(filter-out mk/detect.mk,$(sort $(wildcard mk/*.mk))) # in the same order in every language
endif
-include $(patsubst %.o,%.d,$(LIB_OBJECTS) $(APP_OBJECTS) $(RUNNERS) build/obj/harness/verbs/main.o \
    $(addprefix $(JAIL)/inside/,inside.o probe.o probe_kernel.o probe_common.o)) \
    $(UNIT_PROGRAMS:build/tests/%=build/obj/tests/unit/%.d)

# Objects of tests are kept, though they are made on the way to something else.
.SECONDARY:
