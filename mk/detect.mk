# What this machine has. Libraries are looked for in .deps/ first (see ./bootstrap), then in the
# system; a lack of jansson or inih ends make with the command that brings them.
# Sets: LIB_CFLAGS, HPC_LIBS (jansson, inih, libseccomp), CMOCKA_LIBS, and HAVE_* for optional programs.

DEPS := .deps/usr
# Programs that ./bootstrap unpacked come first in all recipes.
export PATH := $(CURDIR)/.deps/bin:$(CURDIR)/$(DEPS)/bin:$(PATH)

# $(call has_header,FLAGS,HEADER): "yes" where the compiler finds it.
has_header = $(shell echo '\#include <$(2)>' | $(CC) $(1) -E -x c - >/dev/null 2>&1 && echo yes)
# `export` does not reach $(shell), so the path is given.
has_program = $(shell PATH='$(PATH)' command -v $(1) 2>/dev/null)
# $(call in_deps,HEADER,LIBRARY): the static library's path below .deps, or nothing.
in_deps = $(and $(wildcard $(DEPS)/include/$(1)),$(firstword $(wildcard $(DEPS)/lib/*/$(2).a)))

HAVE_CC := $(call has_program,$(CC))
ifeq ($(HAVE_CC),)
$(error missing: the C compiler '$(CC)'; type ./bootstrap)
endif

JANSSON := $(call in_deps,jansson.h,libjansson)
INIH := $(call in_deps,ini.h,libinih)
LIB_CFLAGS := $(if $(wildcard $(DEPS)/include),-isystem $(DEPS)/include)
ifeq ($(JANSSON),)
JANSSON := $(if $(call has_header,,jansson.h),-ljansson)
endif
ifeq ($(INIH),)
INIH := $(if $(call has_header,,ini.h),-linih)
endif
MISSING := $(if $(JANSSON),,jansson (libjansson-dev)) $(if $(INIH),,inih (libinih-dev))
ifneq ($(strip $(MISSING)),)
$(error missing: $(strip $(MISSING)); type ./bootstrap)
endif
# Optional: without it a jail has only the small filter of system calls of harness/jail/filter.c.
SECCOMP := $(call in_deps,seccomp.h,libseccomp)
ifeq ($(SECCOMP),)
SECCOMP := $(if $(call has_header,,seccomp.h),-lseccomp)
endif
LIB_CFLAGS += $(if $(SECCOMP),-DHPC_SECCOMP)
HPC_LIBS := $(JANSSON) $(INIH) $(SECCOMP) -pthread -lm

# cmocka comes as a shared library only: the tests find one in .deps by an rpath.
CMOCKA_SO := $(firstword $(wildcard $(DEPS)/lib/*/libcmocka.so))
ifneq ($(and $(CMOCKA_SO),$(wildcard $(DEPS)/include/cmocka.h)),)
CMOCKA_LIBS := -L$(dir $(CMOCKA_SO)) -Wl,-rpath,$(abspath $(dir $(CMOCKA_SO))) -lcmocka
else
CMOCKA_LIBS := $(if $(call has_header,-include stdarg.h -include stddef.h -include setjmp.h -include \
    stdint.h,cmocka.h),-lcmocka)
endif

HAVE_CLANG := $(call has_program,clang)
HAVE_BWRAP := $(call has_program,bwrap)
HAVE_GPROF := $(call has_program,gprof)
HAVE_GNUPLOT := $(call has_program,gnuplot)
HAVE_DOT := $(call has_program,dot)
HAVE_PANDOC := $(call has_program,pandoc)

# $(call found,NAME,WHETHER,COST): one line of the table; printed when it differs from last time.
found = $(if $(2),  ✓ $(1),  ✗ $(1): $(3))
define DETECTED
$(call found,jansson$(if $(filter .deps%,$(JANSSON)), in .deps),$(JANSSON),)
$(call found,inih$(if $(filter .deps%,$(INIH)), in .deps),$(INIH),)
$(call found,libseccomp$(if $(filter .deps%,$(SECCOMP)), in .deps),$(SECCOMP),solutions may make most system calls)
$(call found,bubblewrap,$(HAVE_BWRAP),solutions run in a weaker jail)
$(call found,clang,$(HAVE_CLANG),races in OpenMP code are not looked for)
$(call found,gprof,$(HAVE_GPROF),no profile exercise)
$(call found,gnuplot,$(HAVE_GNUPLOT),no plots)
$(call found,graphviz,$(HAVE_DOT),no picture of the call graph)
$(call found,pandoc,$(HAVE_PANDOC),no handouts in HTML and PDF)
$(call found,cmocka,$(CMOCKA_LIBS),make test does not run)
endef
ifneq ($(file <build/detected),$(DETECTED))
$(shell mkdir -p build)
$(file >build/detected,$(DETECTED))
$(info $(DETECTED))
$(if $(findstring ✗,$(DETECTED)),$(info   ./bootstrap brings what is missing))
endif
NVCC := $(if $(filter none,$(HPC_NVCC)),,$(firstword $(HPC_NVCC) $(call has_program,nvcc) \
    $(wildcard $(CUDA_HOME:%=%/bin/nvcc) /usr/local/cuda/bin/nvcc)))
