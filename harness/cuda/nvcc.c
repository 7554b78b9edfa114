/* The words of nvcc's command line, as Makefiles have them: what a compiler for the CPU has a use
 * for is taken, the rest is passed over with one note. */
#define _GNU_SOURCE
#include "harness/cuda/cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum does {
    ALONE,    /* a word about a GPU's code, or one that says what is done anyway: passed over */
    WITH_ONE, /* the same with an argument, behind it or behind = */
    OUTPUT,
    OBJECTS,
    DEVICE_OBJECTS, /* whose device code other files may use: as with RELOCATABLE */
    RELOCATABLE,    /* true or false */
    COMPILER,       /* its argument's words, parted by commas, are the host compiler's */
    LINKER,
    LIBRARY,
    FOLDER, /* of libraries */
    STANDARD,
    DEFINED, /* -U NAME, -include FILE, -isystem FOLDER: the host compiler takes it as it is */
    IS_CUDA, /* -x cu */
    REFUSED,
};

static const struct nvcc_word {
    const char *name;
    enum does does;
} words[] = {
    {"-o", OUTPUT},
    {"--output-file", OUTPUT},
    {"-c", OBJECTS},
    {"-dc", DEVICE_OBJECTS},
    {"-dw", DEVICE_OBJECTS},
    {"--compile", OBJECTS},
    {"--device-c", DEVICE_OBJECTS},
    {"-l", LIBRARY},
    {"--library", LIBRARY},
    {"-L", FOLDER},
    {"--library-path", FOLDER},
    {"-Xcompiler", COMPILER},
    {"--compiler-options", COMPILER},
    {"-Xlinker", LINKER},
    {"--linker-options", LINKER},
    {"-std", STANDARD},
    {"--std", STANDARD},
    {"-U", DEFINED},
    {"-include", DEFINED},
    {"-isystem", DEFINED},
    {"-x", IS_CUDA},
    {"-ptx", REFUSED},
    {"--ptx", REFUSED},
    {"-cubin", REFUSED},
    {"--cubin", REFUSED},
    {"-fatbin", REFUSED},
    {"-shared", REFUSED},
    {"--shared", REFUSED},
    {"-lib", REFUSED},
    {"-arch", WITH_ONE},
    {"--gpu-architecture", WITH_ONE},
    {"-code", WITH_ONE},
    {"--gpu-code", WITH_ONE},
    {"-gencode", WITH_ONE},
    {"--generate-code", WITH_ONE},
    {"-maxrregcount", WITH_ONE},
    {"--maxrregcount", WITH_ONE},
    {"-Xptxas", WITH_ONE},
    {"--ptxas-options", WITH_ONE},
    {"-Xnvlink", WITH_ONE},
    {"-Xfatbin", WITH_ONE},
    {"-ccbin", WITH_ONE},
    {"--compiler-bindir", WITH_ONE},
    {"-rdc", RELOCATABLE},
    {"-relocatable-device-code", RELOCATABLE},
    {"--relocatable-device-code", RELOCATABLE},
    {"-cudart", WITH_ONE},
    {"--cudart", WITH_ONE},
    {"-default-stream", WITH_ONE},
    {"--default-stream", WITH_ONE},
    {"-diag-suppress", WITH_ONE},
    {"--diag-suppress", WITH_ONE},
    {"-t", WITH_ONE},
    {"--threads", WITH_ONE},
    {"-ftz", WITH_ONE},
    {"-prec-div", WITH_ONE},
    {"-prec-sqrt", WITH_ONE},
    {"-fmad", WITH_ONE},
    {"--fmad", WITH_ONE},
    {"-g", ALONE},
    {"-G", ALONE},
    {"-w", ALONE},
    {"-m64", ALONE},
    {"-v", ALONE},
    {"-lineinfo", ALONE},
    {"--generate-line-info", ALONE},
    {"-src-in-ptx", ALONE},
    {"-restrict", ALONE},
    {"-use_fast_math", ALONE},
    {"--use_fast_math", ALONE},
    {"-extra-device-vectorization", ALONE},
    {"-dlto", ALONE},
    {"-dlink", ALONE},
    {"-keep", ALONE},
    {"--expt-relaxed-constexpr", ALONE},
    {"-expt-relaxed-constexpr", ALONE},
    {"--expt-extended-lambda", ALONE},
    {"-expt-extended-lambda", ALONE},
    {"--extended-lambda", ALONE},
    {"-extended-lambda", ALONE},
    {"-Wno-deprecated-gpu-targets", ALONE},
    {"-Wno-deprecated-declarations", ALONE},
};

/* Libraries of CUDA's own, which are there, or have no use here. */
static bool is_cudas_library(const char *name)
{
    static const char *const known[] = {"cudart", "cudart_static", "cudadevrt", "cuda",
                                        "cublas", "cublas_static", "cudnn",     "nvToolsExt",
                                        "curand", "cufft",         "cusparse",  "cusolver",
                                        "nvrtc",  "nccl",          "cublasLt",  "nvml"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i]) == 0)
            return true;
    return false;
}

static bool takes_argument(const struct nvcc_word *w)
{
    return w->does != ALONE && w->does != OBJECTS && w->does != DEVICE_OBJECTS;
}

/* Whether the argument of an option of one letter may be glued to it. */
static bool is_letter(const struct nvcc_word *w)
{
    return strlen(w->name) == 2 &&
           (w->does == OUTPUT || w->does == LIBRARY || w->does == FOLDER || w->does == DEFINED);
}

/* A word's row, and its argument where that is glued to it; NULL: none of nvcc's. */
static const struct nvcc_word *row_of(const char *word, const char **glued)
{
    const struct nvcc_word *letter = NULL;
    *glued = NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t n = strlen(words[i].name);
        if (strncmp(word, words[i].name, n) != 0)
            continue;
        if (word[n] == '\0')
            return &words[i];
        if (takes_argument(&words[i]) && word[n] == '=') {
            *glued = word + n + 1;
            return &words[i];
        }
        if (is_letter(&words[i]))
            letter = &words[i];
    }
    if (letter)
        *glued = word + 2;
    return letter;
}

static void pass_over(struct cuda_job *job, const char *word, const char *argument, bool joined)
{
    command_add_printf(&job->passed_over,
                       joined     ? "%s"
                       : argument ? "%s %s"
                                  : "%s",
                       word, argument);
}

/* The words of a text that commas part. */
static void add_words(struct command_line *to, const char *before, const char *text)
{
    while (*text) {
        const size_t n = strcspn(text, ",");
        if (n > 0)
            command_add_printf(to, "%s%.*s", before, (int)n, text);
        text += n + (text[n] == ',');
    }
}

/* A standard older than the one that the headers here need is that one. */
static void set_standard(struct cuda_job *job, const char *standard)
{
    static const char *const older[] = {"c++98", "c++03",   "c++11",   "c++14", "c++0x",
                                        "c++1y", "gnu++11", "gnu++14", "c++17"};
    for (size_t i = 0; i < sizeof older / sizeof *older; i++)
        if (strcmp(standard, older[i]) == 0)
            return;
    command_add_printf(&job->compiler, "-std=%s", standard);
}

static bool take(struct cuda_job *job, const struct nvcc_word *row, const char *word,
                 const char *argument, bool joined, struct hpc_error *err)
{
    switch (row->does) {
    case OUTPUT:
        job->output = argument;
        break;
    case OBJECTS:
        job->objects = true;
        break;
    case DEVICE_OBJECTS:
        job->objects = job->relocatable = true;
        break;
    case RELOCATABLE:
        job->relocatable = strcmp(argument, "true") == 0;
        break;
    case COMPILER:
        add_words(&job->compiler, "", argument);
        break;
    case LINKER:
        add_words(&job->linker, "-Wl,", argument);
        break;
    case LIBRARY:
        if (!is_cudas_library(argument))
            command_add_printf(&job->linker, "-l%s", argument);
        break;
    case FOLDER:
        command_add_printf(&job->linker, "-L%s", argument);
        break;
    case STANDARD:
        set_standard(job, argument);
        break;
    case DEFINED:
        if (strcmp(row->name, "-U") == 0) {
            command_add_printf(&job->compiler, "-U%s", argument);
            break;
        }
        command_add(&job->compiler, row->name);
        command_add(&job->compiler, argument);
        break;
    case IS_CUDA:
        job->all_cuda = strcmp(argument, "cu") == 0;
        break;
    case REFUSED:
        return hpc_fail(err, "cuda: %s: not supported: there is no GPU code, expected a program",
                        word);
    case ALONE:
    case WITH_ONE:
        pass_over(job, word, argument, joined);
        break;
    }
    return true;
}

bool cuda_nvcc_words(struct cuda_job *job, int *n, char **word, struct hpc_error *err)
{
    int kept = 1;
    for (int i = 1; i < *n; i++) {
        const char *argument, *name = word[i];
        const struct nvcc_word *row = row_of(name, &argument);
        const bool joined = argument != NULL;
        if (!row) {
            word[kept++] = word[i];
            continue;
        }
        if (takes_argument(row) && row->does != REFUSED && !argument) {
            if (i + 1 == *n)
                return hpc_fail(err, "cuda: a value is missing after %s", name);
            argument = word[++i];
        }
        if (!take(job, row, name, argument, joined, err))
            return false;
    }
    *n = kept;
    return true;
}

void cuda_tell_passed_over(const struct cuda_job *job)
{
    if (job->passed_over.n == 0)
        return;
    fprintf(stderr, "hpclab: passed over, for there is no GPU here:");
    for (int i = 0; i < job->passed_over.n; i++)
        fprintf(stderr, " %s", job->passed_over.word[i]);
    fputc('\n', stderr);
}
