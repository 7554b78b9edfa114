# The hostile suite (tests/hostile/README.md): build/hpclab, and a second one, build/hostile/hpclab, whose
# defences can be switched off one at a time.

H := build/hostile
H_CFLAGS = $(HPC_CFLAGS) -DHPC_TEST_DEFENCES
H_SOURCES := $(LIB_SOURCES) harness/verbs/main.c
# The switch is a macro of common/defence.h, which no other header includes (tests/cli/hostile.sh): the
# other objects are the grader's own.
H_OWN := $(shell grep -lE 'common/defence\.h|HPC_TEST_DEFENCES' $(H_SOURCES))
H_OBJECTS := $(H_OWN:%.c=$(H)/obj/%.o)
H_SHARED := $(patsubst %.c,build/obj/%.o,$(filter-out $(H_OWN),$(H_SOURCES)))
H_LIB := $(H)/lib/runner.o $(H)/lib/runner-threads.o $(H)/lib/runner-address.o
H_CPU := $(H)/lib/device-run.o $(H)/lib/device-check.o
H_DEVICE := $(H_CPU) $(if $(NVCC),$(H)/lib/device-cuda.o)

$(H)/obj/%.o: %.c build/flags
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(H_CFLAGS) -MMD -MP -c -o $@ $<

$(filter $(PLAIN_SOURCES:%.c=$(H)/obj/%.o),$(H_OBJECTS)): private HPC_CFLAGS += $(PLAIN)

$(H)/hpclab: $(H_OBJECTS) $(H_SHARED) build/lists
	$(call say,LD,$@)
	$(Q)$(CC) $(H_CFLAGS) $(LDFLAGS) -o $@ $(H_OBJECTS) $(H_SHARED) $(HPC_LIBS)

$(H)/lib/runner.o: private RUNNER_FLAGS :=
$(H)/lib/runner-address.o: private RUNNER_FLAGS := -fsanitize=address,undefined -fno-omit-frame-pointer
$(H)/lib/runner-threads.o: private RUNNER_FLAGS := -fsanitize=thread
$(H)/lib/device-check.o: EXACT := -DHPC_EXACT=1
$(H_CPU): runner/device.cu build/flags mk/device.mk
	$(call say,CXX,$@)
	@mkdir -p $(@D)
	$(Q)g++ $(subst ROOT,.,$(DEVICE_CPP) $(DEVICE_CC)) -O2 -DHPC_TEST_DEFENCES $(EXACT) -I. -MMD -MP -xc++ -c -o $@ $<
$(H)/lib/device-cuda.o: runner/device.cu build/flags
	$(call say,NVCC,$@)
	@mkdir -p $(@D)
	$(Q)$(NVCC) $(DEVICE_CUDA) -DHPC_TEST_DEFENCES -MMD -MP -c -o $@ $<
$(H_LIB): runner/runner.c build/flags
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(H_CFLAGS) $(RUNNER_FLAGS) -MMD -MP -c -o $@ $<

tests: $(call tested,tests/cli/hostile.sh tests/cli/jail.sh,$(H)/hpclab $(H_LIB) $(H_DEVICE))
.PHONY: test-hostile
test-hostile: export HPC_TEST_DEVICE := $(DEVICE)
test-hostile: all $(H)/hpclab $(H_LIB) $(H_DEVICE) ## hostile submissions against the grader [TEST=part of a name] [DEVICE=cuda: on a GPU too]
	$(Q)tests/hostile/run $(TEST)

-include $(patsubst %.o,%.d,$(H_OBJECTS) $(H_LIB) $(H_DEVICE))
