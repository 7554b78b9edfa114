# What this machine has. Libraries are looked for in .deps/ first (see ./bootstrap), then in the
# system; a lack of jansson or inih ends make with the command that brings them.
# Sets: LIB_CFLAGS, HPC_LIBS (jansson, inih, libseccomp), CMOCKA_LIBS, and HAVE_* for optional programs.

DEPS := .deps/usr
# Programs that ./bootstrap unpacked come first in all recipes.
export PATH := $(CURDIR)/.deps/bin:$(CURDIR)/$(DEPS)/bin:$(PATH)

# $(call has_header,FLAGS,HEADER): "yes" where the compiler finds it. Since make 4.3 a backslash before # stays
# in a function's words, so # has a name.
HASH := \#
has_header = $(shell echo '$(HASH)include <$(2)>' | $(CC) $(1) -E -x c - >/dev/null 2>&1 && echo yes)
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
# Optional: the state of a class (harness/class/store.c).
SQLITE := $(call in_deps,sqlite3.h,libsqlite3)
ifeq ($(SQLITE),)
SQLITE := $(if $(call has_header,,sqlite3.h),-lsqlite3)
endif
LIB_CFLAGS += $(if $(SQLITE),-DHPC_SQLITE)
HPC_LIBS := $(JANSSON) $(INIH) $(SECCOMP) $(SQLITE) -pthread -lm

# cmocka comes as a shared library only: the tests find one in .deps by an rpath.
CMOCKA_SO := $(firstword $(wildcard $(DEPS)/lib/*/libcmocka.so))
ifneq ($(and $(CMOCKA_SO),$(wildcard $(DEPS)/include/cmocka.h)),)
CMOCKA_LIBS := -L$(dir $(CMOCKA_SO)) -Wl,-rpath,$(abspath $(dir $(CMOCKA_SO))) -lcmocka
else
CMOCKA_LIBS := $(if $(call has_header,-include stdarg.h -include stddef.h -include setjmp.h -include \
    stdint.h,cmocka.h),-lcmocka)
endif

HAVE_CXX := $(call has_program,g++)
HAVE_CLANG := $(call has_program,clang)
HAVE_BWRAP := $(call has_program,bwrap)
HAVE_GPROF := $(call has_program,gprof)
HAVE_GNUPLOT := $(call has_program,gnuplot)
HAVE_DOT := $(call has_program,dot)
HAVE_PANDOC := $(call has_program,pandoc)

# What is here of what is looked for, by the names of common/lacks.def. Its rows are printed, with
# what a lack costs, where the answer is not last time's.
LOOKED_FOR := jansson inih libseccomp SQLite bubblewrap g++ clang gprof gnuplot graphviz pandoc $(if $(wildcard tests),cmocka)
HERE := $(and $(JANSSON),jansson) $(and $(INIH),inih) $(and $(SECCOMP),libseccomp) $(and $(SQLITE),SQLite) \
    $(and $(HAVE_BWRAP),bubblewrap) $(and $(HAVE_CXX),g++) $(and $(HAVE_CLANG),clang) \
    $(and $(HAVE_GPROF),gprof) $(and $(HAVE_GNUPLOT),gnuplot) $(and $(HAVE_DOT),graphviz) $(and $(HAVE_PANDOC),pandoc) \
    $(and $(CMOCKA_LIBS),cmocka)
UNPACKED := $(and $(filter .deps%,$(JANSSON)),jansson) $(and $(filter .deps%,$(INIH)),inih) \
    $(and $(filter .deps%,$(SECCOMP)),libseccomp) $(and $(filter .deps%,$(SQLITE)),SQLite)
DETECTED := here: $(strip $(HERE)); in .deps: $(strip $(UNPACKED))
define newline


endef
ifneq ($(file <build/detected),$(DETECTED))
$(shell mkdir -p build)
$(file >build/detected,$(DETECTED))
$(info $(subst @,$(newline),$(shell awk -F '"' -v all='$(LOOKED_FOR)' -v here='$(HERE)' \
    -v unpacked='$(UNPACKED)' -f mk/lacks.awk common/lacks.def)))
$(if $(filter-out $(HERE),$(LOOKED_FOR)),$(info   ./bootstrap brings what is missing))
endif
NVCC := $(if $(filter none,$(HPC_NVCC)),,$(firstword $(HPC_NVCC) $(call has_program,nvcc) \
    $(wildcard $(CUDA_HOME:%=%/bin/nvcc) /usr/local/cuda/bin/nvcc)))
