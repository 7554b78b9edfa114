# The way of a student's source to its score, counted: mk/journey.py.

J := build/coverage
J_CFLAGS = $(HPC_CFLAGS) -O0 --coverage
J_OBJECTS := $(H_SOURCES:%.c=$(J)/obj/%.o)

$(J)/obj/%.o: %.c build/flags
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(J_CFLAGS) -MMD -MP -c -o $@ $<

$(J)/hpclab: $(J_OBJECTS) build/lists
	$(call say,LD,$@)
	$(Q)$(CC) $(J_CFLAGS) $(LDFLAGS) -o $@ $(J_OBJECTS) $(HPC_LIBS)

.PHONY: journey
journey: all $(J)/hpclab ## the files that a submission passes on its way to its score
	$(Q)bash -c '. tests/tap.sh && copy_project "$$scratch/root" lib && mk/journey.py $(J)/hpclab $(J)/obj "$$scratch/root"'
test-all: journey

-include $(J_OBJECTS:.o=.d)
