# The trusted program under the address and undefined-behaviour sanitizers, build/sanitized/hpclab: laid
# in place of build/hpclab, with ASAN_OPTIONS=detect_leaks=0, any test of commands runs it. What the unit
# tests ask of it, build/sanitized/tests/: those that are linked with it alone.

S := build/sanitized
S_CFLAGS = $(filter-out -O%,$(HPC_CFLAGS)) -O1 -fsanitize=address,undefined -fno-sanitize-recover=all \
    -fno-omit-frame-pointer
S_LIB := $(LIB_SOURCES:%.c=$(S)/obj/%.o)
S_OBJECTS := $(S_LIB) $(S)/obj/harness/verbs/main.o
S_UNIT := $(filter-out $(CHECK_TESTS:build/tests/%=%) test_device_% test_%_variants,$(UNIT_PROGRAMS:build/tests/%=%))
S_TESTS := $(S_UNIT:%=$(S)/tests/%)

$(S)/obj/%.o: %.c build/flags
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(S_CFLAGS) -MMD -MP -c -o $@ $<

$(S)/hpclab: $(S_OBJECTS) build/lists
	$(call say,LD,$@)
	$(Q)$(CC) $(S_CFLAGS) $(LDFLAGS) -o $@ $(S_OBJECTS) $(HPC_LIBS)

$(S)/libhpc.a: $(S_LIB)
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

$(S_TESTS): $(S)/tests/%: $(S)/obj/tests/unit/%.o $(S)/libhpc.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(S_CFLAGS) $(LDFLAGS) -o $@ $^ $(CMOCKA_LIBS) $(HPC_LIBS)

.PHONY: sanitized sanitized-tests
sanitized: all $(S)/hpclab ## build/sanitized/hpclab: the trusted program under sanitizers
sanitized-tests: tests $(S_TESTS) ## the unit tests under sanitizers: one line each that fails
	$(Q)failed=0; for t in $(S_TESTS); do \
	    ASAN_OPTIONS=detect_leaks=0 $$t >$$t.out 2>&1 || { failed=1; echo "FAIL  $$t: $$t.out"; }; \
	done; exit $$failed

-include $(S_OBJECTS:.o=.d) $(S_UNIT:%=$(S)/obj/tests/unit/%.d)
