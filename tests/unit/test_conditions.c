/* When a timing is refused for what the machine went through meanwhile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "harness/machine/conditions.h"
#include "harness/measure/noise.h"

static const struct conditions quiet = {.seconds = 10,
                                        .clock_mhz = 3000,
                                        .overheated = 4,
                                        .quota = 2,
                                        .throttled = 100,
                                        .gpu = {.known = true, .power_cap_w = 700}};

/* Of 20 seconds, which is 200 periods. */
static struct conditions later(void)
{
    struct conditions c = quiet;
    c.seconds += 20;
    return c;
}

static void refuses(const struct conditions *before, const struct conditions *after,
                    const char *words)
{
    char why[160] = "";
    assert_false(conditions_good(before, after, noise_limits.throttled, why, sizeof why));
    if (!strstr(why, words))
        fail_msg("\"%s\" has no \"%s\"", why, words);
}

static void quiet_is_good(void **state)
{
    (void)state;
    char why[160];
    struct conditions after = later();
    assert_true(conditions_good(&quiet, &after, noise_limits.throttled, why, sizeof why));
    after.throttled += 11; /* one, and a twentieth of 200 periods */
    assert_true(conditions_good(&quiet, &after, noise_limits.throttled, why, sizeof why));
    after.gpu.throttling = 0x1 | 0x4; /* idle; at its power cap */
    after.clock_mhz = 1500;
    assert_true(conditions_good(&quiet, &after, noise_limits.throttled, why, sizeof why));
}

static void unknown_is_good(void **state)
{
    (void)state;
    char why[160];
    struct conditions before = {.overheated = -1, .throttled = -1}, after = before;
    assert_true(conditions_good(&before, &after, noise_limits.throttled, why, sizeof why));
}

static void refusals(void **state)
{
    (void)state;
    struct conditions after = later(), battery = quiet;
    battery.on_battery = true;
    refuses(&battery, &after, "battery");
    after.on_battery = true;
    refuses(&quiet, &after, "battery");
    after = later();
    after.overheated++;
    refuses(&quiet, &after, "heat (1 times)");
    after = later();
    after.throttled += 12;
    refuses(&quiet, &after, "stopped the programs in 12 of 200 periods");
    after = later();
    after.gpu.throttling = 0x40;
    refuses(&quiet, &after, "too hot");
    after = later();
    after.gpu.power_cap_w = 400;
    refuses(&quiet, &after, "power cap");
    after = later();
    strcpy(after.gpu.slice, "MIG 1g.10gb");
    refuses(&quiet, &after, "slices");
}

static void this_machine(void **state)
{
    (void)state;
    struct conditions now, then;
    conditions_read(&now, true);
    assert_true(now.seconds > 0 && now.load1 >= 0 && now.clock_mhz >= 0);
    assert_true(now.overheated >= -1 && now.throttled >= -1 && now.quota >= 0);
    conditions_read(&then, false);
    assert_true(then.seconds >= now.seconds);
    assert_false(then.gpu.known);
    if (now.gpu.known)
        assert_true(now.gpu.sm_mhz > 0 && now.gpu.power_cap_w > 0);
    json_t *json = conditions_json(&now);
    assert_non_null(json);
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quiet_is_good),
        cmocka_unit_test(unknown_is_good),
        cmocka_unit_test(refusals),
        cmocka_unit_test(this_machine),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
