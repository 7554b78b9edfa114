/* Compiling a .cu file for the CPU device: preprocess, rewrite, compile, link, with the flags that
 * build/device/flags-MODE lists. */
#define _GNU_SOURCE
#include "harness/cuda/cuda.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/command.h"
#include "common/interrupt.h"

/* Add the flags of `kind` ("cpp ", "cc ", "ld ", "alone ") from the text of flags-MODE. */
static void add_flags(struct command_line *w, const char *text, const char *kind, const char *root)
{
    size_t n = strlen(kind);
    for (const char *p = text; *p;) {
        size_t length = strcspn(p, "\n");
        if (length > n && memcmp(p, kind, n) == 0) {
            char *flag = strndup(p + n, length - n), *at = strstr(flag, "ROOT");
            command_add_printf(w, "%.*s%s%s", (int)(at ? at - flag : 0), flag, at ? root : "",
                               at ? at + 4 : flag);
            free(flag);
        }
        p += length + (p[length] == '\n');
    }
}

/* Run a tool with stdout in `out` (NULL: on stderr; "": as it is) and stderr in `errors` (NULL: as
 * it is); its exit status, or -1 with *err. */
static int run_tool(struct command_line *w, const char *out, const char *errors,
                    struct hpc_error *err)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        int fd = out && !*out ? STDOUT_FILENO
                 : out        ? open(out, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)
                              : STDERR_FILENO;
        if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
            _exit(126);
        fd = errors ? open(errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : STDERR_FILENO;
        if (fd < 0 || dup2(fd, STDERR_FILENO) < 0)
            _exit(126);
        execvp(w->word[0], w->word);
        _exit(127);
    }
    if (pid < 0) {
        hpc_fail_env(err, "%s: cannot be started: %s", w->word[0], strerror(errno));
        return -1;
    }
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) {
            hpc_fail_env(err, "%s: lost: %s", w->word[0], strerror(errno));
            return -1;
        }
    if (WIFEXITED(status) && WEXITSTATUS(status) < 126)
        return WEXITSTATUS(status);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        hpc_fail_env(err, "%s: not here; expected g++, which ./bootstrap brings", w->word[0]);
    else
        hpc_fail_env(err, hpc_interrupted() ? "interrupted" : "%s: was killed, or cannot write %s",
                     w->word[0], out ? out : "its output");
    return -1;
}

static const char *compiler(void)
{
    const char *cxx = getenv("CXX");
    return cxx && *cxx ? cxx : "g++";
}

/* The compiler, with the flags of preprocessing and compiling. */
static void add_compiler(struct command_line *w, const struct cuda_job *job, const char *flags)
{
    command_add(w, compiler());
    add_flags(w, flags, strstr(compiler(), "clang") ? "clang " : "cc ", job->root);
    cuda_add_options(w, job, false);
}

/* One step of a file; HPC_EXIT_OK, HPC_EXIT_USAGE, HPC_EXIT_ENVIRONMENT. */
static int step(struct command_line *w, const char *out, struct hpc_error *err)
{
    int status = run_tool(w, out, NULL, err);
    command_line_clear(w);
    if (status < 0)
        return HPC_EXIT_ENVIRONMENT;
    return status == 0 ? HPC_EXIT_OK : HPC_EXIT_USAGE;
}

/* The rewriter, with one or two words (NULL: none). */
static int run_rewriter(const struct cuda_job *job, const char *first, const char *second,
                        const char *out, struct hpc_error *err)
{
    struct command_line w = {0};
    command_add_printf(&w, "%s/build/device/rewrite", job->root);
    command_add(&w, first);
    if (second)
        command_add(&w, second);
    return step(&w, out, err);
}

/* The compiler; what it says goes through the rewriter, which knows what of CUDA is not supported.
 */
static int run_compiler(const struct cuda_job *job, struct command_line *w, const char *out,
                        struct hpc_error *err)
{
    char *said = hpc_printf("%s/said", job->folder);
    if (isatty(STDERR_FILENO))
        command_add(w, "-fdiagnostics-color=always");
    const int status = run_tool(w, out, said, err);
    command_line_clear(w);
    if (status >= 0)
        run_rewriter(job, "--missing", said, NULL, err);
    free(said);
    return status < 0 ? HPC_EXIT_ENVIRONMENT : status == 0 ? HPC_EXIT_OK : HPC_EXIT_USAGE;
}

/* FILE.cu to RAW, preprocessed; `host`: as the host's side of it. */
static int preprocess(const struct cuda_job *job, const char *flags, const char *file,
                      const char *raw, bool host, struct hpc_error *err)
{
    struct command_line w = {0};
    add_compiler(&w, job, flags);
    command_add(&w, "-E");
    if (job->explain) /* names are looked up in the headers' text */
        command_add(&w, "-fno-pch-preprocess");
    add_flags(&w, flags, "cpp ", job->root);
    if (host)
        command_add(&w, "-includehpc_device/host_side.h");
    if (!job->watch_host && job->n_files == 1 && !job->objects && job->linker.n == 0 &&
        cuda_is_alone(job))
        command_add(&w, "-includehpc_device/whole.h");
    if (job->relocatable)
        command_add(&w, "-includehpc_device/relocatable.h");
    if (!cuda_add_macros(&w, job, err)) {
        command_line_clear(&w);
        return HPC_EXIT_ENVIRONMENT;
    }
    command_add(&w, "-xc++");
    command_add(&w, file);
    return run_compiler(job, &w, raw, err);
}

/* RAW to PLAIN. Where the program has two sides, by __CUDA_ARCH__, HOST becomes the host's first.
 */
static int rewrite(const struct cuda_job *job, const char *flags, const char *file, const char *raw,
                   const char *host, const char *plain, struct hpc_error *err)
{
    int status = run_rewriter(job, "--sides", raw, NULL, err);
    if (status == HPC_EXIT_USAGE)
        return run_rewriter(job, raw, NULL, plain, err);
    if (status == HPC_EXIT_OK)
        status = preprocess(job, flags, file, host, true, err);
    return status == HPC_EXIT_OK ? run_rewriter(job, raw, host, plain, err) : status;
}

/* FILE.cu to OBJECT; or, for --explain, to lines on stdout. */
static int compile(const struct cuda_job *job, const char *flags, const char *file,
                   const char *object, struct hpc_error *err)
{
    char *raw = hpc_printf("%s/raw.cu.ii", job->folder);
    char *host = hpc_printf("%s/host.ii", job->folder);
    char *plain = hpc_printf("%s/plain.ii", job->folder);
    struct command_line w = {0};
    int status = preprocess(job, flags, file, raw, false, err);
    if (status == HPC_EXIT_OK && !job->explain)
        status = rewrite(job, flags, file, raw, host, plain, err);
    else if (status == HPC_EXIT_OK) {
        status = run_rewriter(job, "--explain", raw, "", err);
        status = status == HPC_EXIT_USAGE ? HPC_EXIT_BELOW : status;
    }
    if (status == HPC_EXIT_OK && !job->explain) {
        add_compiler(&w, job, flags);
        command_add(&w, "-xc++-cpp-output");
        command_add(&w, "-c");
        command_add(&w, plain);
        command_add(&w, "-o");
        command_add(&w, object);
        status = run_compiler(job, &w, NULL, err);
    }
    free(raw);
    free(host);
    free(plain);
    return status;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* A file of the host's own, by its compiler, which finds CUDA's headers. */
static int compile_host(const struct cuda_job *job, const char *file, const char *object,
                        struct hpc_error *err)
{
    static const char *const words[] = {"__host__", "__device__", "__global__", "__constant__",
                                        "__shared__"};
    const bool c = ends_with(file, ".c");
    const char *cc = getenv("CC");
    struct command_line w = {0};
    command_add(&w, c ? cc && *cc ? cc : "gcc" : compiler());
    command_add(&w, "-g");
    if (!c)
        command_add(&w, "-std=c++17");
    cuda_add_options(&w, job, true);
    for (size_t i = 0; i < sizeof words / sizeof *words && !c; i++)
        command_add_printf(&w, "-D%s=", words[i]);
    command_add_printf(&w, "-isystem%s/device/include", job->root);
    command_add(&w, "-c");
    command_add(&w, file);
    command_add(&w, "-o");
    command_add(&w, object);
    return run_compiler(job, &w, NULL, err);
}

/* The object of a file: in the run's folder; with -c where nvcc leaves it. The caller's. */
static char *object_of(const struct cuda_job *job, int i)
{
    if (!job->objects)
        return hpc_printf("%s/%d.o", job->folder, i);
    if (job->output)
        return hpc_strdup(job->output);
    const char *slash = strrchr(job->files[i], '/'), *name = slash ? slash + 1 : job->files[i];
    return hpc_printf("%.*s.o", (int)(strrchr(name, '.') - name), name);
}

static bool is_linked(const char *file)
{
    return ends_with(file, ".o") || ends_with(file, ".a") || ends_with(file, ".so");
}

static int link_program(const struct cuda_job *job, const char *flags, struct hpc_error *err)
{
    struct command_line w = {0};
    command_add(&w, compiler());
    command_add(&w, "-o");
    command_add(&w, job->program);
    for (int i = 0; i < job->compiler.n; i++)
        command_add(&w, job->compiler.word[i]);
    for (int i = 0; i < job->n_files; i++)
        if (is_linked(job->files[i]))
            command_add(&w, job->files[i]);
        else
            command_add_printf(&w, "%s/%d.o", job->folder, i);
    for (int i = 0; i < job->linker.n; i++)
        command_add(&w, job->linker.word[i]);
    add_flags(&w, flags, "ld ", job->root);
    if (cuda_is_alone(job))
        add_flags(&w, flags, "alone ", job->root);
    const int status = step(&w, NULL, err);
    if (status == HPC_EXIT_USAGE && job->n_files > 1 && !job->relocatable)
        fputs("hpclab: device code is its file's own, as with nvcc; -rdc=true shares it\n", stderr);
    return status;
}

static int compile_one(const struct cuda_job *job, const char *flags, int i, struct hpc_error *err)
{
    const char *file = job->files[i];
    if (is_linked(file))
        return HPC_EXIT_OK;
    char *object = object_of(job, i);
    const bool cuda = job->all_cuda || ends_with(file, ".cu");
    int status = cuda           ? compile(job, flags, file, object, err)
                 : job->explain ? HPC_EXIT_OK
                                : compile_host(job, file, object, err);
    free(object);
    return status;
}

int cuda_build(struct cuda_job *job, struct hpc_error *err)
{
    char *device = hpc_printf("%s/build/device", job->root);
    /* What is there is found in the headers' text, which check mode takes compiled. */
    char *name = hpc_printf("flags-%s", job->explain ? "run" : job->mode);
    char *flags = access(device, R_OK) == 0 ? command_text(device, name, err) : NULL;
    if (access(device, R_OK) != 0)
        hpc_fail_env(err, "build/device is not there: type `make` in %s", job->root);
    int status = flags ? HPC_EXIT_OK : HPC_EXIT_ENVIRONMENT;
    for (int i = 0; i < job->n_files && status <= (job->explain ? HPC_EXIT_BELOW : HPC_EXIT_OK);
         i++) {
        const int one = compile_one(job, flags, i, err);
        status = one > status ? one : status;
    }
    if (status == HPC_EXIT_OK && !job->objects && !job->explain)
        status = link_program(job, flags, err);
    free(flags);
    free(name);
    free(device);
    return status;
}
