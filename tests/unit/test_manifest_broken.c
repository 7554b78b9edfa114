/* harness/lab/lab.h: each way of breaking a lab.ini is one line with its place. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "tests/unit/lab_root.h"

static const struct breakage {
    const char *from, *to, *line, *words; /* the error begins with line and holds words */
} breakages[] = {
    {"threads = all", "threds = all", ":16:", "unknown key \"threds\" in [task trainer]; expected"},
    {"threads = all", "threads = some", ":16:", "threads = some, expected"},
    {"threads = all", "threads = 0", ":16:", "threads = 0, expected all or a whole number"},
    {"threads = all", "threads = all\nthreads = all", ":17:", "stands twice"},
    {"points_speed = 60", "points_speed = 59", ":2:", "add up to 99, expected 100"},
    {"points_speed = 60", "points_speed = many", ":18:", "expected a number from 0 to 100"},
    {"points_speed = 60", "points_speed = nan", ":18:", "expected a number"},
    {"points_speed = 60", "points_speed = -1", ":18:", "expected a number"},
    {"points_speed = 60", "", ":14:", "points_speed with it"},
    {"speed_case = small", "", ":18:", "speed_case with it"},
    {"speed_case = small", "speed_case = small drawn", ":14:", "one case"},
    {"threads = all", "threads = 1\nthreads_case = small", ":17:", "threads = 2 or more"},
    {"threads = all", "threads = 2\neven_ranks = yes", ":17:", "a threads_case of ranks only"},
    {"cases = small drawn", "cases = small drwn", ":13:", "cases = drwn, expected names of"},
    {"cases = small drawn", "", ":6:", "has no cases"},
    {"safety = address threads", "safety = memory", ":15:", "expected address, threads or both"},
    {"safety = address threads", "safety = device", ":15:", "expected address, threads or both"},
    {"memory_mib = 512", "file = trainer.cu", ":15:", "safety = address, expected device, which"},
    {"memory_mib = 512", "traffic = launches <= 1", ":19:", "it with a .cu file only"},
    {"memory_mib = 512", "target_copy = 0.8", ":19:", "it with a .cu file only"},
    {"safety = address threads\nthreads = all", "file = trainer.cu\nthreads = 2",
     ":16:", "it with a .c file only"},
    {"safety = address threads\nthreads = all", "file = trainer.cu\ntraffic = launches <= 1",
     ":6:", "has no traffic_case"},
    {"safety = address threads\nthreads = all",
     "file = trainer.cu\ntraffic = launches < 1\ntraffic_case = small\ntarget_copy = 0.8",
     ":16:", "expected QUANTITY <= NUMBER"},
    {"safety = address threads\nthreads = all", "file = trainer.cu\ntarget_copy = 0.8",
     ":16:", "an operation whose op/copy.cu is here"},
    {"safety = address threads\nthreads = all", "file = trainer.cu", ":17:", "target_copy with it"},
    {"memory_mib = 512", "memory_mib = 1.5", ":19:", "expected a whole number"},
    {"memory_mib = 512", "memory_mib =", ":19:", "memory_mib"},
    {"memory_mib = 512", "target = 1.1", ":19:", "expected a number from 1.15"},
    {"memory_mib = 512", "needs = avx3", ":19:", "needs \"avx3\", expected some of"},
    {"memory_mib = 512", "needs = threads:0", ":19:", "needs \"threads:0\", expected"},
    {"memory_mib = 512", "reference = mlp/nobody", ":19:", "a variant that variants.ini lists"},
    {"memory_mib = 512", "reference = mlp/minibatch", ":19:", "a variant of the task's op"},
    {"memory_mib = 512", "file = ../flat.c", ":19:", "a name in the lab's folder"},
    {"memory_mib = 512", "versions = 2", ":19:", "kind = answers only"},
    {"memory_mib = 512", "file = marker.c", ":19:", "the lab has no other use for"},
    {"memory_mib = 512", "this is no pair", ":19:", "expected [section] or key = value"},
    {"memory_mib = 512", "= 512", ":19:", "expected a key before '='"},
    {"baseline = mlp/flat", "baseline = mlp/flt", ":9:", "a variant that variants.ini lists"},
    {"baseline = mlp/flat", "baseline = mlp/withheld", ":9:", "whose source is at hand"},
    {"baseline = mlp/flat", "", ":6:", "has no baseline"},
    {"title = Replicas", "", ":6:", "has no title"},
    {"[task trainer]", "[task Trainer]", ":6:", "expected a name of its own"},
    {"[task trainer]", "[tusk trainer]", ":6:", "unknown section [tusk trainer]"},
    {"[task trainer]", "[task trainer", ":6:", "expected [section] or key = value"},
    {"[task trainer]", "  [task trainer]", ":6:", "at the start of its line"},
    {"[task quiz]", "[task trainer]", ":20:", "stands twice"},
    {"kind = answers", "kind = essay", ":22:", "variant or answers"},
    {"versions = 2", "versions = 0", ":24:", "expected a whole number from 1 to 9"},
    {"[sheet quiz]", "[sheet trainer]", "", "[task quiz] has no [sheet quiz]"},
    {"[problem quiz]", "[problem trainer]", ":42:", "expected the name of a task of answers"},
    {"student = name\n", "", ":41:", "is drawn by a name"},
    {"size = optional number ns", "size = about 3", ":40:", "expected [optional] number"},
    {"wins = one of 16 64 never", "final = word", ":41:", "other than final"},
    {"wins = one of 16 64 never", "wins = one", ":41:", "expected [optional] number"},
    {"wins = one of 16 64 never\n", "", ":38:", "asks nothing"},
    {"text = n is {n}\n", "", ":42:", "has no text"},
    {"n = 3..9 by 2", "n = 9..3", ":44:", "expected FIRST..LAST"},
    {"n = 3..9 by 2", "n = 3..9 by 0", ":44:", "expected FIRST..LAST"},
    {"title = When do two threads lose to one?", "title = x\nanswers = hidden",
     ":4:", "answers = hidden, expected open or sealed"},
    {"file = quiz.ini", "", ":20:", "has no file"},
    {"points_answers = 15", "points_correct = 15", ":20:", "expected only points_answers"},
    {"handout = handouts/lab3.md", "handout = handouts/no.md", ":4:", "is not there"},
    {"handout = handouts/lab3.md", "", ":2:", "has no handout"},
    {"handout = handouts/lab3.md", "author = me", ":4:", "expected one of title, handout"},
    {"[lab]", "", ":3:", "expected a [section] before 'title'"},
    {"[lab]", "[lob]", "", "no section [lab]"},
    {"layers = 3,2,1\n", "layers = 3,x,1\n", ":29:", "layers"},
    {"activations = tanh,sigmoid", "activations = tanh,sigmod", ":30:", "sigmod"},
    {"replicas = threads", "replcas = 2", ":31:", "unknown key 'replcas'; known:"},
    {"replicas = threads", "replicas = -1", ":31:", "replicas"},
    {"replicas = threads", "threads = 2", ":31:", "threads is not a case's key"},
    {"samples = 31..97", "samples = -2..100000", ":36:", "samples = -2"},
    {"samples = 31..97", "samples = 1..2000000000", ":36:", "samples = 2000000000"},
    {"samples = 31..97", "samples = 97..31", ":36:", "expected a range"},
    {"samples = 31..97", "samples = 31..many", ":36:", "expected a range"},
    {"[case drawn]", "[case small]", ":32:", "stands twice"},
    {"epochs = 1e1\n", "epochs = 1e99\n", ":37:", "epochs"},
    {"epochs = 1e1\n", "[case empty]\n", ":37:", "[case empty] has no op"},
    {"epochs = 1e1\n", "[case odd]\nop = mlp_sdg\n", ":38:", "unknown op \"mlp_sdg\""},
    {"symbols = malloc", "bonus = 5\nsymbols = malloc", ":11:", "bonus = 5, expected no or yes"},
    {"symbols = malloc", "symbols = @cudda malloc",
     ":11:", "symbols = @cudda, expected @cuda, @cuda_host, @openmp, @pthread or names"},
    {"[task trainer]", "[tasks]\ntitle = x\n[task trainer]",
     ":7:", "unknown key \"title\" in [tasks]; expected one of op, baseline"},
    {"[task trainer]", "[tasks]\nprocesses = many\n[task trainer]",
     ":7:", "processes = many, expected a whole number"},
    {"[case small]", "[cases mlp_sdg]\n[case small]",
     ":27:", "[cases mlp_sdg], expected an operation such as mlp_sgd"},
    {"[case small]", "[cases mlp_sgd]\nline = layers=3,2,1 epocs\n[case small]", ":28:", "epocs"},
    {"[case small]", "[cases mlp_sgd]\nline = layers=3,x,1 activations=tanh,sigmoid\n[case small]",
     ":28:", "layers has \"x\" at place 2"},
    {"[case small]", "[cases mlp_sgd]\nLine = layers=3,2,1\n[case small]",
     ":28:", "Line, expected a name of its own"},
    {"[case small]", "[cases mlp_sgd]\nsmall = layers=3,2,1 activations=tanh,sigmoid\n[case small]",
     ":29:", "[case small], expected a name of its own"},
    {"[case small]", "[cases mlp_sgd]\nline = threads=2\n[case small]",
     ":28:", "threads is not a case's key"},
};

static void says_where_it_is_broken(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof breakages / sizeof *breakages; i++) {
        char *text = changed(breakages[i].from, breakages[i].to);
        put("labs/lab3/lab.ini", text);
        free(text);
        refused("lab.ini", breakages[i].line, breakages[i].words);
    }
}

static void refuses_long_lines_and_bytes(void **state)
{
    (void)state;
    char longer[300];
    memset(longer, 'x', sizeof longer);
    memcpy(longer, "title = ", 8);
    longer[sizeof longer - 1] = 0;
    char *text = changed("title = Replicas", longer);
    put("labs/lab3/lab.ini", text);
    free(text);
    refused("lab.ini", ":7:", "expected lines of at most 198 characters");
    text = changed("[case drawn]", "[case "
                                   "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]");
    put("labs/lab3/lab.ini", text);
    free(text);
    refused("lab.ini", ":32:", "is too long");
    char *path = hpc_printf("%s/labs/lab3/lab.ini", root);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fwrite("[lab]\nti\0tle = x\n", 1, 17, f);
    fclose(f);
    free(path);
    refused("lab.ini", ":2:", "a byte 0, expected text");
    put("labs/lab3/lab.ini", "");
    refused("lab.ini", ":", "no section [lab]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(says_where_it_is_broken, lay_out),
        cmocka_unit_test_setup(refuses_long_lines_and_bytes, lay_out),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("manifest_broken", tests, make_root, drop_root);
}
