# The trusted program under the address and undefined-behaviour sanitizers, build/sanitized/hpclab: laid
# in place of build/hpclab, with ASAN_OPTIONS=detect_leaks=0, any test of commands runs it.

S := build/sanitized
S_CFLAGS = $(filter-out -O%,$(HPC_CFLAGS)) -O1 -fsanitize=address,undefined -fno-sanitize-recover=all \
    -fno-omit-frame-pointer
S_OBJECTS := $(LIB_SOURCES:%.c=$(S)/obj/%.o) $(S)/obj/harness/verbs/main.o

$(S)/obj/%.o: %.c build/flags
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(S_CFLAGS) -MMD -MP -c -o $@ $<

$(S)/hpclab: $(S_OBJECTS) build/lists
	$(call say,LD,$@)
	$(Q)$(CC) $(S_CFLAGS) $(LDFLAGS) -o $@ $(S_OBJECTS) $(HPC_LIBS)

.PHONY: sanitized
sanitized: all $(S)/hpclab ## build/sanitized/hpclab: the trusted program under sanitizers

-include $(S_OBJECTS:.o=.d)
