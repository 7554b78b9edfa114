# cuBLAS and cuDNN on the CPU device (device/libraries): programs of the CPU device link the archive;
# in check mode the checker is told what they write.

LIBRARY_SOURCES := $(sort $(wildcard device/libraries/*.c))
LIBRARY_OBJECTS := $(LIBRARY_SOURCES:%.c=build/obj/%.o)
CHECKED_OBJECTS := $(LIBRARY_SOURCES:%.c=build/obj/check/%.o)
$(LIBRARY_OBJECTS): private HPC_CFLAGS += -fopenmp
$(CHECKED_OBJECTS): private HPC_CFLAGS += -fopenmp -DDEV_CHECK

build/obj/check/%.o: %.c build/flags
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) -MMD -MP -c -o $@ $<

build/device/libraries.a: $(LIBRARY_OBJECTS)
build/device/libraries-check.a: $(CHECKED_OBJECTS)
# What a library copies is told by its arguments: its own calls of memcpy are none of the program's.
build/device/libraries-check.a: LIBRARY_COPIES = objcopy $(foreach f,$(COPIES),--redefine-sym $(f)=__real_$(f)) $@.new &&
build/device/libraries.a build/device/libraries-check.a:
	$(call say,AR,$@)
	@mkdir -p $(@D)
	$(Q)rm -f $@ $@.new && $(AR) rcs $@.new $^ && $(LIBRARY_COPIES) mv $@.new $@

build/tests/test_device_cublas build/tests/test_device_cudnn: build/tests/%: build/obj/tests/unit/%.o \
    build/device/libraries.a build/device/run.a build/libhpc.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(HPC_CFLAGS) -fopenmp $(LDFLAGS) -o $@ $< build/device/libraries.a build/device/run.a \
	    $(DEVICE_LD) $(DEVICE_LD_run) build/libhpc.a $(CMOCKA_LIBS) $(HPC_LIBS) -ldl

-include $(LIBRARY_OBJECTS:.o=.d) $(CHECKED_OBJECTS:.o=.d)
