/* harness/record/record.h: what is written is what the schema asks for, and is read back.
 * HPC_KEEP_RECORD=FILE keeps a copy of the written record (tests/cli/record.sh validates it). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/root.h"
#include "harness/record/record.h"

static char folder[] = "/tmp/hpclab-test-record-XXXXXX";
static char path[sizeof folder + 16];

static const struct machine machine = {
    .name = "test-2c", .cpu = "Test", .arch = "x86_64", .cores = 2, .simd = 1, .memory_gib = 4};

static struct record *sample(void)
{
    struct record *r = calloc(1, sizeof *r);
    assert_non_null(r);
    *r = (struct record){.lab = "lab3",
                         .implementation = "student",
                         .gradings = 1,
                         .device = "cpu",
                         .version = "0.1.0",
                         .jail = "bubblewrap",
                         .seed = UINT64_MAX, /* more than a double holds */
                         .complete = true,
                         .n_tasks = 2};
    r->tasks[0] = (struct task_result){
        .name = "openmp_inner",
        .title = "Loops",
        .points = 100.0 / 3.0,
        .max_points = 40,
        .outcome.verdict = VERDICT_WRONG,
        .outcome.reason = "\"quotes\", a tab\t, \xC3\xA9",
        .correctness = {.cases = 5, .passed = 4, .first_failure = "case odd: w[17]"}};
    r->tasks[1] = (struct task_result){.name = "openmp_trainer",
                                       .points = 100.0 / 3.0,
                                       .max_points = 60,
                                       .pending = 35,
                                       .outcome.verdict = VERDICT_PASS,
                                       .outcome.hint = "bytes that are no UTF-8: \xFF\xC3",
                                       .speed = {.measured = true,
                                                 .before.gpu.known = true,
                                                 .student_s = 0.0123456789012,
                                                 .baseline_s = 0.02,
                                                 .ratio = {1.62, 1.5, 1.7},
                                                 .pairs = 15,
                                                 .disturbed = 0.375,
                                                 .fraction_of_floor = 0.123,
                                                 .counters = {1.9, "back_propagation", 0.62, 0.41},
                                                 .target = 1.6,
                                                 .target_source = "lab.ini"}};
    struct task_traffic *t = &r->tasks[1].traffic;
    *t = (struct task_traffic){
        .measured = true, .case_name = "tiles", .outputs = 1000, .counted = {.n = 1}, .n = 1};
    snprintf(t->counted.kernel[0].name, sizeof t->counted.kernel[0].name, "k");
    t->counted.kernel[0].counter[TRAFFIC_GLOBAL_LOAD_SECTORS] = 140;
    t->mark[0] = (struct traffic_mark){
        .bound = {.quantity = "global_load_sectors_per_output", .bound = 0.13}, .measured = 0.14};
    return r;
}

static json_t *written(const struct record *r)
{
    struct hpc_error err = {.text = ""};
    if (!record_write(r, &machine, path, &err))
        fail_msg("not written: %s", err.text);
    json_t *json = json_load_file(path, 0, NULL);
    assert_non_null(json);
    return json;
}

/* The object has all keys that the schema requires and none that it doesn't know. */
static void matches(json_t *object, json_t *schema)
{
    size_t i;
    json_t *name;
    const char *key;
    json_t *value, *properties = json_object_get(schema, "properties");
    assert_true(json_array_size(json_object_get(schema, "required")) > 0);
    json_array_foreach(json_object_get(schema, "required"), i, name)
    {
        if (!json_object_get(object, json_string_value(name)))
            fail_msg("no key %s", json_string_value(name));
    }
    json_object_foreach(object, key, value)
    {
        if (!json_object_get(properties, key))
            fail_msg("key %s is not in the schema", key);
    }
}

static void has_the_schemas_keys(void **state)
{
    (void)state;
    char *schema_path = hpc_root_path("harness/record/record.schema.json");
    json_t *schema = json_load_file(schema_path, 0, NULL);
    free(schema_path);
    assert_non_null(schema);
    struct record *r = sample();
    json_t *json = written(r), *of = json_object_get(schema, "properties");
    json_t *task_schema = json_object_get(json_object_get(of, "tasks"), "items");
    json_t *of_task = json_object_get(task_schema, "properties");
    matches(json, schema);
    matches(json_object_get(json, "machine"), json_object_get(of, "machine"));
    matches(json_object_get(json, "waited"), json_object_get(of, "waited"));
    for (size_t i = 0; i < 2; i++) {
        json_t *task = json_array_get(json_object_get(json, "tasks"), i);
        matches(task, task_schema);
        matches(json_object_get(task, "waited"), json_object_get(of_task, "waited"));
        matches(json_object_get(task, "correctness"), json_object_get(of_task, "correctness"));
    }
    json_t *speed = json_object_get(json_array_get(json_object_get(json, "tasks"), 1), "speed");
    matches(speed, json_object_get(of_task, "speed"));
    json_t *before = json_object_get(json_object_get(speed, "conditions"), "before");
    json_t *of_conditions = json_object_get(json_object_get(schema, "definitions"), "conditions");
    matches(before, of_conditions);
    matches(json_object_get(before, "gpu"),
            json_object_get(json_object_get(of_conditions, "properties"), "gpu"));
    json_t *traffic = json_object_get(json_array_get(json_object_get(json, "tasks"), 1), "traffic");
    json_t *of_traffic = json_object_get(of_task, "traffic");
    json_t *bounds = json_object_get(json_object_get(of_traffic, "properties"), "bounds");
    matches(traffic, of_traffic);
    matches(json_array_get(json_object_get(traffic, "bounds"), 0),
            json_object_get(bounds, "items"));
    json_decref(json);
    json_decref(schema);
    free(r);
}

static void lists_every_verdict(void **state)
{
    (void)state;
    char *schema_path = hpc_root_path("harness/record/record.schema.json");
    json_t *schema = json_load_file(schema_path, 0, NULL), *name;
    free(schema_path);
    json_t *task =
        json_object_get(json_object_get(json_object_get(schema, "properties"), "tasks"), "items");
    json_t *names =
        json_object_get(json_object_get(json_object_get(task, "properties"), "verdict"), "enum");
    size_t i;
    assert_int_equal(json_array_size(names), VERDICT_COUNT);
    json_array_foreach(names, i, name)
        assert_string_equal(json_string_value(name), verdict_names[i]);
    json_decref(schema);
}

static void sums_before_it_rounds(void **state)
{
    (void)state;
    struct record *r = sample();
    assert_true(fabs(record_score(r) - 200.0 / 3.0) < 1e-12);
    assert_true(record_max_score(r) == 100.0);
    assert_true(record_pending(r) == 35.0);
    json_t *json = written(r);
    assert_true(json_number_value(json_object_get(json, "score")) == 66.67);
    json_t *task = json_array_get(json_object_get(json, "tasks"), 0);
    assert_true(json_number_value(json_object_get(task, "points")) == 33.33);
    json_decref(json);
    free(r);
}

static void reads_back(void **state)
{
    (void)state;
    struct record *r = sample(), *back = calloc(1, sizeof *back);
    struct hpc_error err;
    r->tasks[0].waited[0] = 2;
    r->tasks[0].waited[1] = 1;
    json_decref(written(r));
    assert_non_null(back);
    assert_true(record_read(path, back, &err));
    assert_string_equal(back->lab, "lab3");
    assert_true(back->seed == UINT64_MAX);
    assert_true(back->complete && !back->official && !back->quick);
    assert_int_equal(back->n_tasks, 2);
    assert_int_equal(back->tasks[0].waited[0] * 10 + back->tasks[0].waited[1], 21);
    assert_int_equal(back->tasks[0].outcome.verdict, VERDICT_WRONG);
    assert_string_equal(back->tasks[0].outcome.reason, "\"quotes\", a tab?, \xC3\xA9");
    assert_int_equal(back->tasks[0].correctness.passed, 4);
    assert_string_equal(back->tasks[0].correctness.first_failure, "case odd: w[17]");
    assert_false(back->tasks[0].speed.measured);
    assert_string_equal(back->tasks[1].outcome.hint, "bytes that are no UTF-8: ??");
    assert_true(back->tasks[1].speed.student_s == 0.0123456789012);
    assert_true(back->tasks[1].speed.ratio.low == 1.5);
    assert_int_equal(back->tasks[1].speed.pairs, 15);
    assert_true(back->tasks[1].speed.disturbed == 0.375);
    assert_string_equal(back->tasks[1].speed.target_source, "lab.ini");
    char seen[300];
    record_counters(&back->tasks[1].speed, seen, sizeof seen);
    assert_string_equal(seen, "1.9 cores on average; 62% of its time in back_propagation; 41% of "
                              "this machine's copy bandwidth, for inputs and outputs; 12.3% of its "
                              "multiply-adds' peak");
    const struct task_traffic *traffic = &back->tasks[1].traffic;
    assert_true(traffic->measured && !back->tasks[0].traffic.measured);
    assert_int_equal(traffic->n, 1);
    assert_string_equal(traffic->mark[0].bound.quantity, "global_load_sectors_per_output");
    assert_true(traffic->mark[0].measured == 0.14 && !traffic->mark[0].met);
    free(back);
    free(r);
}

static void replaces_and_leaves_nothing_behind(void **state)
{
    (void)state;
    struct record *r = sample();
    json_decref(written(r));
    r->n_tasks = 1;
    json_t *json = written(r);
    assert_int_equal(json_array_size(json_object_get(json, "tasks")), 1);
    json_decref(json);
    int files = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        files += e->d_name[0] != '.';
    closedir(d);
    assert_int_equal(files, 1);
    free(r);
}

static void says_why_it_cannot(void **state)
{
    (void)state;
    struct record *r = sample();
    struct hpc_error err;
    assert_false(record_write(r, &machine, "/nonexistent/record.json", &err));
    assert_int_equal(err.status, HPC_EXIT_ENVIRONMENT);
    assert_non_null(strstr(err.text, "/nonexistent/record.json"));
    static const char *const broken[] = {"", "{", "[]", "{\"schema\": 2, \"lab\": \"lab3\"}",
                                         "{\"schema\": 1, \"lab\": \"lab3\", \"tasks\": [7]}"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fputs(broken[i], f);
        fclose(f);
        assert_false(record_read(path, r, &err));
        assert_int_equal(err.status, HPC_EXIT_USAGE);
        assert_non_null(strstr(err.text, path));
        assert_null(strchr(err.text, '\n'));
    }
    free(r);
}

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/record.json", folder);
    return 0;
}

static int drop_folder(void **state)
{
    (void)state;
    const char *keep = getenv("HPC_KEEP_RECORD");
    if (keep && *keep) {
        struct record *r = sample();
        struct hpc_error err;
        bool good = record_write(r, &machine, keep, &err);
        free(r);
        if (!good)
            return -1;
    }
    unlink(path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_schemas_keys),
        cmocka_unit_test(lists_every_verdict),
        cmocka_unit_test(sums_before_it_rounds),
        cmocka_unit_test(reads_back),
        cmocka_unit_test(replaces_and_leaves_nothing_behind),
        cmocka_unit_test(says_why_it_cannot),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("record", tests, make_folder, drop_folder);
}
