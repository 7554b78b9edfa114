/* harness/machine/machine.h: names of machines, and what must hold of the one that runs this. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "harness/machine/machine.h"
#include "common/abi.h"

static void names(void **state)
{
    (void)state;
    static const struct {
        const char *cpu;
        int cores;
        const char *name;
    } cases[] = {
        {"AMD EPYC", 2, "amd-epyc-2c"},
        {"AMD EPYC 9654 96-Core Processor", 2, "amd-epyc-9654-2c"},
        {"Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz", 16, "intel-xeon-platinum-8481c-16c"},
        {"Intel(R) Core(TM) i7-10510U CPU @ 1.80GHz", 8, "intel-core-i7-10510u-8c"},
        {"AMD Ryzen 7 5800X 8-Core Processor", 16, "amd-ryzen-7-5800x-16c"},
        {"aarch64", 4, "aarch64-4c"},
        {"", 1, "unknown-1c"},
        {"../../etc/passwd", 1, "..-..-etc-passwd-1c"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[64];
        machine_name(cases[i].cpu, cases[i].cores, name, sizeof name);
        assert_string_equal(name, cases[i].name);
        assert_null(strchr(name, '/'));
    }
}

static void long_names_end_with_the_cores(void **state)
{
    (void)state;
    char name[64], cpu[128];
    memset(cpu, 'a', sizeof cpu);
    for (int i = 9; i < 127; i += 10)
        cpu[i] = ' ';
    cpu[127] = 0;
    machine_name(cpu, 1024, name, sizeof name);
    assert_true(strlen(name) < sizeof name);
    assert_string_equal(name + strlen(name) - 6, "-1024c");
}

static void this_machine(void **state)
{
    (void)state;
    const struct machine *m = machine_here();
    cpu_set_t set;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    assert_in_range(m->cores, 1, CPU_COUNT(&set));
    assert_true(m->memory_gib > 0.01);
    assert_true(*m->name && *m->arch && *m->cpu);
    assert_true(m == machine_here());
}

static void needs(void **state)
{
    (void)state;
    char why[200], word[32];
    const struct machine *m = machine_here();
    snprintf(word, sizeof word, "threads:%d", m->cores);
    assert_true(machine_has(word, why, sizeof why));
    snprintf(word, sizeof word, "threads:%d", m->cores + 1);
    assert_false(machine_has(word, why, sizeof why));
    assert_non_null(strstr(why, "cores"));
    assert_int_equal(machine_has("gpu", why, sizeof why), m->gpu);
    /* Levels are nested: amx only where avx512 is, avx512 only where avx2 is. */
    bool avx2 = machine_has("avx2", why, sizeof why);
    bool avx512 = machine_has("avx512", why, sizeof why);
    bool amx = machine_has("amx", why, sizeof why);
    assert_true((!amx || avx512) && (!avx512 || avx2));
    assert_true(!(avx2 && machine_has("neon", why, sizeof why)));
    assert_int_equal(avx2, m->simd >= HPC_SIMD_AVX2 && m->simd < HPC_SIMD_NEON);
}

static void as_json(void **state)
{
    (void)state;
    struct machine m = *machine_here();
    m.gpu = false;
    json_t *json = machine_json(&m);
    assert_true(json_is_null(json_object_get(json, "gpu")));
    assert_string_equal(json_string_value(json_object_get(json, "name")), m.name);
    assert_int_equal(json_integer_value(json_object_get(json, "cores")), m.cores);
    assert_string_equal(json_string_value(json_object_get(json, "simd")),
                        machine_simd_name(m.simd));
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),        cmocka_unit_test(long_names_end_with_the_cores),
        cmocka_unit_test(this_machine), cmocka_unit_test(needs),
        cmocka_unit_test(as_json),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
