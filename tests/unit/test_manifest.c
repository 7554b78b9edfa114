/* harness/lab/lab.h: labs and catalogues that are whole. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "common/root.h"
#include "harness/lab/sheet.h"
#include "tests/unit/lab_root.h"

static void reads_a_whole_lab(void **state)
{
    (void)state;
    struct hpc_error err = {.text = ""};
    if (!load_lab(root, "lab3", lab, &err))
        fail_msg("refused: %s", err.text);
    assert_string_equal(lab->title, "When do two threads lose to one?");
    assert_int_equal(lab->n_tasks, 2);
    assert_int_equal(lab->n_cases, 2);
    const struct lab_task *t = lab_task_find(lab, "trainer");
    assert_non_null(t);
    assert_string_equal(t->file, "trainer.c");
    assert_string_equal(t->reference, "mlp/trainer");
    assert_string_equal(t->libraries, "-lm");
    assert_string_equal(t->symbols, "malloc free exp omp_*");
    assert_string_equal(t->fastest, "");
    assert_int_equal(t->kind, TASK_VARIANT);
    assert_int_equal(t->threads, 0);
    assert_int_equal(t->safety, SAFETY_ADDRESS | SAFETY_THREADS);
    assert_true(t->points_correct == 25 && t->points_speed == 60 && t->points_answers == 0);
    assert_true(t->target == 0);
    assert_int_equal(t->limits.memory_bytes, 512ul << 20);
    assert_int_equal(t->limits.output_bytes, 64ul << 10);
    assert_int_equal(t->limits.wall_seconds, 10);
    assert_int_equal(t->limits.cpu_seconds, 60);
    assert_int_equal(t->n_cases, 2);
    assert_string_equal(lab->cases[t->cases[1]].name, "drawn");
    assert_string_equal(lab->cases[t->speed_case].name, "small");
    assert_string_equal(hpc_params_find(&lab->cases[1].params, "samples")->value, "31..97");
    assert_string_equal(hpc_params_find(&lab->cases[1].params, "epochs")->where,
                        "labs/lab3/lab.ini:37");
    const struct lab_task *quiz = lab_task_find(lab, "quiz");
    assert_int_equal(quiz->kind, TASK_ANSWERS);
    assert_int_equal(quiz->versions, 2);
    assert_false(lab->sealed || lab->profile);
    assert_int_equal(quiz->speed_case, -1);
    assert_int_equal(quiz->threads, 1);
    assert_null(lab_task_find(lab, "nobody"));
}

static void reads_defaults_sets_and_lines_of_cases(void **state)
{
    (void)state;
    struct hpc_error err = {.text = ""};
    char *text = changed("[task trainer]", "[tasks]\nprocesses = 9\nop = mlp_minibatch\n"
                                           "symbols = @cuda\n[task trainer]");
    put("labs/lab3/lab.ini", text);
    free(text);
    if (!load_lab(root, "lab3", lab, &err))
        fail_msg("refused: %s", err.text);
    const struct lab_task *t = lab_task_find(lab, "trainer");
    assert_int_equal(t->limits.processes, 9);
    assert_string_equal(t->op->name, "mlp_sgd"); /* its own */
    assert_string_equal(t->symbols, "malloc free exp omp_*");
    const struct lab_task *quiz = lab_task_find(lab, "quiz");
    assert_int_equal(quiz->limits.processes, 64); /* answers have no defaults */
    assert_string_equal(quiz->symbols, "");
    text = changed("symbols = malloc", "symbols = @cuda_host malloc");
    put("labs/lab3/lab.ini", text);
    free(text);
    assert_true(load_lab(root, "lab3", lab, &err));
    t = lab_task_find(lab, "trainer");
    assert_non_null(strstr(t->symbols, "memcmp fmaxf"));
    assert_non_null(strstr(t->symbols, "cudaStreamSynchronize malloc free exp omp_*"));
    text = changed("[case small]", "[cases mlp_sgd]\nline = layers=3,2,1 activations=tanh,sigmoid "
                                   "epochs=1..4\n[case small]");
    put("labs/lab3/lab.ini", text);
    free(text);
    if (!load_lab(root, "lab3", lab, &err))
        fail_msg("refused: %s", err.text);
    assert_int_equal(lab->n_cases, 3);
    assert_string_equal(lab->cases[0].name, "line");
    assert_string_equal(hpc_params_find(&lab->cases[0].params, "epochs")->value, "1..4");
    assert_string_equal(hpc_params_find(&lab->cases[0].params, "layers")->where,
                        "labs/lab3/lab.ini:28");
}

static void reads_a_sheet_and_what_is_expected(void **state)
{
    (void)state;
    struct hpc_error err = {.text = ""};
    static const struct {
        const char *text, *line, *words;
    } broken[] = {
        {"[question quiz wins]\nanswer = 17\n", ":2:", "answer = 17, expected 16 64 never"},
        {"[question quiz wins]\nwhy = x\n", ":1:", "has no answer"},
        {"[question quiz wins]\nanswer = 16\ntolerance = 5%\n", ":3:", "with a number only"},
        {"[question quiz size]\nanswer = big\n", ":2:", "answer = big, expected a number"},
        {"[question quiz size]\nanswer = 1\ntolerance = some\n", ":3:", "tolerance = some"},
        {"[question quiz size]\nanswer = 1\nchance = 1\n", ":3:", "from 0 to below 1"},
        {"[question quiz size]\nanswer = 1\nchance = half\n", ":3:", "chance = half"},
        {"[question quiz length]\nanswer = 1\n", ":1:", "expected a key of [sheet quiz]"},
        {"[question quiz]\nanswer = 1\n", ":1:", "expected only [question TASK KEY]"},
        {"[question quiz student]\nanswer = Ada\n", ":1:", "is a name"},
    };
    put("labs/lab3/expected.ini",
        "[question quiz wins]\nanswer = 64\nwhy = so it is\n"
        "[question quiz size]\nanswer = 5\ntolerance = 3%\nchance = 0.25\n");
    if (!load_lab(root, "lab3", lab, &err))
        fail_msg("refused: %s", err.text);
    const struct lab_sheet sheet = lab_task_find(lab, "quiz")->sheet;
    assert_int_equal(sheet.n, 3);
    assert_int_equal(sheet.question[0].kind, SHEET_NAME);
    assert_true(sheet.question[1].optional && sheet.question[1].tolerance == 0.03);
    assert_string_equal(sheet.question[1].unit, "ns");
    assert_true(sheet.question[1].chance == 0.25 && sheet.question[2].chance == 1 / 3.0);
    assert_string_equal(sheet.question[2].choices, "16 64 never");
    assert_string_equal(sheet.question[2].why, "so it is");
    assert_int_equal(sheet.n_draws, 1);
    assert_true(sheet.draw[0].first == 3 && sheet.draw[0].last == 9 && sheet.draw[0].by == 2);
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        put("labs/lab3/expected.ini", broken[i].text);
        refused("expected.ini", broken[i].line, broken[i].words);
    }
    drop("labs/lab3/expected.ini");
}

static void hidden_cases_join_their_tasks(void **state)
{
    (void)state;
    struct hpc_error err = {.text = ""};
    static const char head[] = "[case secret]\nop = mlp_sgd\nlayers = 2,1\nactivations = tanh\n";
    static const struct {
        const char *more, *line, *words;
    } broken[] = {
        {"", ":1:", "has no tasks"},
        {"tasks = nobody\n", ":5:", "tasks = nobody, expected names of"},
        {"tasks = quiz\n", ":5:", "tasks = quiz, expected names of"},
        {"tasks = trainer\n[task more]\ntitle = x\n", ":6:", "expected only [case NAME]"},
        {"tasks = trainer\n[case small]\nop = mlp_sgd\n", ":6:", "name of its own"},
    };
    char *text = hpc_printf("%stasks = trainer\n", head);
    put("labs/lab3/hidden.ini", text);
    free(text);
    if (!load_lab(root, "lab3", lab, &err))
        fail_msg("refused: %s", err.text);
    const struct lab_task *t = lab_task_find(lab, "trainer");
    assert_int_equal(t->n_cases, 3);
    assert_true(lab->cases[t->cases[2]].hidden);
    assert_false(lab->cases[t->cases[1]].hidden);
    assert_string_equal(lab->cases[t->cases[2]].name, "secret");
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        text = hpc_printf("%s%s", head, broken[i].more);
        put("labs/lab3/hidden.ini", text);
        free(text);
        refused("hidden.ini", broken[i].line, broken[i].words);
    }
}

static void names_the_labs_there_are(void **state)
{
    (void)state;
    struct hpc_error err;
    char names[4][LAB_NAME];
    static const char *const wrong[] = {"lab9", "", "lab", "../lab3", "lab3/../lab3", "LAB3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(load_lab(root, wrong[i], lab, &err));
        assert_int_equal(err.status, HPC_EXIT_USAGE);
        assert_non_null(strstr(err.text, "expected one of: lab3"));
    }
    assert_int_equal(lab_names(root, names, 4), 1);
    assert_string_equal(names[0], "lab3");
}

static void lists_what_is_at_hand(void **state)
{
    (void)state;
    struct hpc_error err;
    struct project p = {.root = root};
    assert_true(project_catalogue(&p, &err));
    const struct variant *v = p.catalogue->variant;
    assert_int_equal(p.catalogue->n, 4);
    assert_string_equal(v[0].name, "mlp/flat");
    assert_string_equal(v[0].file, "mlp/variants/flat.c");
    assert_string_equal(v[0].flags, "-O2");
    assert_string_equal(v[0].libraries, "-lm");
    assert_true(v[0].at_hand && project_variant(&p, "mlp/flat", &err) == &v[0]);
    const struct variant *withheld = catalogue_find(p.catalogue, "mlp/withheld");
    assert_true(withheld && !withheld->at_hand);
    for (int i = 0; i < 2; i++) {
        assert_null(project_variant(&p, i ? "mlp/nobody" : "mlp/withheld", &err));
        assert_non_null(strstr(err.text, "expected one of ./hpclab list --variants"));
    }
    project_close(&p);
}

/* The file must be refused, with these words. */
static void bad_catalogue(const char *text, const char *words)
{
    struct hpc_error err;
    struct project p = {.root = root};
    put("mlp/variants/variants.ini", text);
    assert_false(project_catalogue(&p, &err));
    assert_non_null(strstr(err.text, words));
    assert_null(p.catalogue);
    project_close(&p);
}

static void says_what_a_catalogue_lacks(void **state)
{
    (void)state;
    bad_catalogue("[flat]\ntitle = Flat\nop = mlp_sgd\nspeed = fast\n",
                  "mlp/variants/variants.ini:4: unknown key \"speed\"");
    bad_catalogue("[flat]\ntitle = Flat\nop = conv\n", "variants.ini:3: unknown op \"conv\"");
    char *many = hpc_strdup("");
    for (int i = 0; i <= VARIANTS_MAX; i++) {
        char *more = hpc_printf("%s[v%d]\ntitle = V\nop = mlp_sgd\n", many, i);
        free(many);
        many = more;
    }
    bad_catalogue(many, "too many variants; expected at most 128");
    free(many);
}

/* What was read is not read again: a file that changes behind a project's back changes nothing. */
static void reads_each_file_once(void **state)
{
    (void)state;
    struct hpc_error err = {.text = ""};
    struct project p = {.root = root};
    if (!project_lab(&p, "lab3", &err))
        fail_msg("%s", err.text);
    put("mlp/variants/variants.ini", "[flat]\n");
    put("labs/lab3/lab.ini", "[lab]\n");
    assert_true(project_lab(&p, "lab3", &err) && project_catalogue(&p, &err));
    assert_int_equal(p.lab->n_tasks, 2);
    assert_false(project_lab(&p, "lab9", &err) || project_lab(&p, "", &err));
    assert_false(project_lab(&p, "lab3", &err)); /* another one was asked for: it is read anew */
    assert_non_null(strstr(err.text, "labs/lab3/lab.ini:1: [lab] has no title"));
    project_close(&p);
    assert_false(project_catalogue(&p, &err));
}

/* The labs that this project ships are read without a word. */
static void reads_our_own(void **state)
{
    (void)state;
    char names[32][LAB_NAME];
    const char *own = hpc_root();
    assert_non_null(own);
    int n = lab_names(own, names, 32);
    assert_true(n >= 1);
    for (int i = 0; i < n; i++) {
        struct hpc_error err = {.text = ""};
        if (!load_lab(own, names[i], lab, &err))
            fail_msg("%s", err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(reads_a_whole_lab, lay_out),
        cmocka_unit_test_setup(reads_defaults_sets_and_lines_of_cases, lay_out),
        cmocka_unit_test_setup(reads_a_sheet_and_what_is_expected, lay_out),
        cmocka_unit_test_setup(hidden_cases_join_their_tasks, lay_out),
        cmocka_unit_test_setup(names_the_labs_there_are, lay_out),
        cmocka_unit_test_setup(lists_what_is_at_hand, lay_out),
        cmocka_unit_test_setup(says_what_a_catalogue_lacks, lay_out),
        cmocka_unit_test_setup(reads_each_file_once, lay_out),
        cmocka_unit_test_setup(reads_our_own, lay_out),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("manifest", tests, make_root, drop_root);
}
