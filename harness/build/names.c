/* Names in a variant's object: which it may call, and which it may not define. */
#define _GNU_SOURCE
#include "common/defence.h"
#include "common/text.h"
#include "harness/build/elf.h"
#include "harness/build/internal.h"
#include "harness/build/watched.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool listed(const char *name, size_t length, const char *patterns)
{
    for (const char *p = patterns; *p;) {
        p += strspn(p, " \t");
        size_t n = strcspn(p, " \t");
        bool star = n > 0 && p[n - 1] == '*';
        size_t common = star ? n - 1 : n;
        if (n > 0 && strncmp(name, p, common) == 0 && (star ? length >= common : length == common))
            return true;
        p += n;
    }
    return false;
}

/* Symbols that the compiler itself puts into plain C. */
static const char compilers_own[] =
    "memcpy memset memmove memcmp _GLOBAL_OFFSET_TABLE_ __stack_chk_fail __tls_get_addr "
    "__divti3 __udivti3 __modti3 __umodti3 __multi3 __muldc3 __divdc3 __mulsc3 __divsc3 "
    "__popcountdi2 __aarch64_* __cpu_model __cpu_features2 __cpu_indicator_init";

/* Printing, and assert(): what a solution prints is for its author alone. */
static const char printing[] =
    "printf vprintf fprintf vfprintf puts putchar putc fputc fputs fwrite fflush perror stdout "
    "stderr __assert_fail abort";

/* Symbols that compilers put into CUDA C++: of C++ itself, of nvcc's launches. */
static const char cudas_own[] =
    "_Znwm* _Znam* _ZdlPv* _ZdaPv* __cxa_guard_* "
    "__cxa_throw_bad_array_new_length __cxa_begin_catch __cxa_end_catch __cxa_rethrow "
    "_ZTVN10__cxxabiv117__class_type_infoE _ZTVN10__cxxabiv120__si_class_type_infoE "
    "_ZTVN10__cxxabiv121__vmi_class_type_infoE __dynamic_cast _ZSt9terminatev "
    "_ZSt17__throw_bad_allocv _ZSt20__throw_length_errorPKc _ZSt19__throw_logic_errorPKc "
    "_ZSt20__throw_out_of_rangePKc _ZSt24__throw_out_of_range_fmtPKcz "
    "_ZSt28__throw_bad_array_new_lengthv _ZSt25__throw_bad_function_callv "
    "__cxa_atexit __cxa_pure_virtual __dso_handle __gxx_personality_v0 _Unwind_Resume "
    "__cudaRegisterFatBinary __cudaRegisterFatBinaryEnd __cudaRegisterFunction __cudaRegisterVar "
    "__cudaRegisterManagedVar __cudaUnregisterFatBinary __cudaPushCallConfiguration "
    "__cudaPopCallConfiguration __cudaGetKernel __cudaLaunchKernel __cudaInitModule atexit";

/* Mathematics of kernels, which a GPU has no library for: the checked build, without -O and -march,
 * calls the C library where the timed one has an instruction. */
static const char kernels_own[] =
    "fma fmaf fmin fminf fmax fmaxf fabs fabsf sqrt sqrtf floor floorf ceil ceilf trunc truncf "
    "round roundf rint rintf nearbyint nearbyintf lrint lrintf copysign copysignf fmod fmodf exp "
    "expf exp2 exp2f log logf log2 log2f pow powf sin sinf cos cosf tan tanf tanh tanhf erf erff";

/* Ways out of a kernel that no GPU has, by which the CPU device's launch would never end: of a .cu
 * that names them, a `*` alone of the task's lets none through. */
static const char leaving[] = "longjmp _longjmp siglongjmp __longjmp_chk setjmp _setjmp sigsetjmp "
                              "__sigsetjmp setcontext swapcontext __cxa_throw _Unwind_Raise* "
                              "_Unwind_Forced* pthread_exit";

/* The CPU device's, which its headers and what device/rewrite writes call: these and no others of
 * its archives. A test compares them with the headers (tests/cli/cuda_names.sh). */
static const char devices_own[] =
    "dev_api_attributes dev_api_box dev_api_copy dev_api_copy2d dev_api_copy3d dev_api_fill "
    "dev_api_fill3d dev_api_function dev_api_malloc dev_api_malloc_async dev_api_name "
    "dev_api_occupancy dev_api_pitch dev_api_room dev_api_set_attribute dev_api_symbol "
    "dev_api_symbol_element dev_api_symbol_size "
    "dev_asked dev_atomic dev_barrier dev_barrier_votes dev_begin_thread dev_blocks_looked "
    "dev_configure dev_cooperate dev_end_thread dev_error_dropped dev_fence dev_grid_sync "
    "dev_grid_waits dev_in_kernel dev_left dev_look_again dev_place dev_processors dev_run "
    "dev_self dev_shared dev_space dev_static dev_symbol_add dev_symbol_taken dev_trap "
    "dev_warp_active "
    "dev_warp_ballot dev_warp_gather dev_warp_shuffle dev_warp_sync dev_warp_turn check_path "
    "check_set_path check_unset";

/* What a sanitizer's compiler calls. */
static const char sanitizers_own[] = "__asan_* __ubsan_* __tsan_* __sanitizer_cov_* __odr_asan*";
/* And the CPU device's checker. */
static const char checkers_own[] =
    "__tsan_init __tsan_read* __tsan_write* __tsan_unaligned_* __tsan_volatile_* __tsan_atomic* "
    "__tsan_func_entry __tsan_func_exit __tsan_vptr_* __ubsan_handle_out_of_bounds "
    "__ubsan_handle_type_mismatch_v1";

static bool is_listed(const char *name, const char *patterns)
{
    return listed(name, strlen(name), patterns);
}

static bool begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Without the suffix of the calls whose default stream is the thread's. */
static size_t cuda_length(const char *name, size_t length)
{
    if (length > 5 &&
        (strcmp(name + length - 5, "_ptsz") == 0 || strcmp(name + length - 5, "_ptds") == 0))
        return length - 5;
    return length;
}

/* Whether a name is one of the archives of the CPU device, or of a runner. */
static bool is_ours(const char *name)
{
    return begins(name, "dev_") || begins(name, "check_") || begins(name, "__real_") ||
           begins(name, "__wrap_") || begins(name, "runner_");
}

/* Whether a student's object may call that name of ours: those alone that the rewriter puts in. */
static bool ours_called(const char *name)
{
    if (DEFENCE(exact_names))
        return is_listed(name, devices_own);
    return true;
}

/* Whether patterns have a name by another word than `*`. */
static bool is_named(const char *name, size_t length, const char *patterns)
{
    for (const char *p = patterns + strspn(patterns, " \t"); *p; p += strspn(p, " \t")) {
        char word[100];
        const size_t n = strcspn(p, " \t");
        snprintf(word, sizeof word, "%.*s", (int)n, p);
        if (strcmp(word, "*") != 0 && listed(name, length, word))
            return true;
        p += n;
    }
    return false;
}

bool name_called(const char *name, const char *patterns, const struct object_kind *kind)
{
    const size_t length = kind->cuda ? cuda_length(name, strlen(name)) : strlen(name);
    if (kind->cuda && is_ours(name))
        return ours_called(name);
    if (DEFENCE(leaving) && kind->cuda && is_listed(name, leaving))
        return is_named(name, length, patterns);
    if (listed(name, length, patterns) || listed(name, length, compilers_own) ||
        listed(name, length, printing) ||
        (kind->cuda && (listed(name, length, cudas_own) || is_listed(name, kernels_own) ||
                        is_listed(name, devices_own))) ||
        (kind->sanitized && is_listed(name, kind->cuda ? checkers_own : sanitizers_own)))
        return true;
    /* -D_FORTIFY_SOURCE, on by default in some compilers, turns memcpy into __memcpy_chk. */
    if (length > 6 && strncmp(name, "__", 2) == 0 && strcmp(name + length - 4, "_chk") == 0)
        return listed(name + 2, length - 6, patterns) || listed(name + 2, length - 6, printing) ||
               listed(name + 2, length - 6, compilers_own);
    return false;
}

bool name_watched(const char *name, const char *patterns, const struct object_kind *kind)
{
    static const char openmp[] = NAMES_OPENMP " " NAMES_COPIES " " NAMES_POINTERLESS,
                      threads[] = NAMES_PTHREAD " " NAMES_OTHER;
    const size_t length = strlen(name);
    return is_named(name, length, patterns) || listed(name, length, openmp) ||
           listed(name, length, threads) ||
           (!kind->openmp && listed(name, length, NAMES_FOLLOWED)) ||
           listed(name, length, compilers_own) || listed(name, length, printing) ||
           listed(name, length, sanitizers_own);
}

/* What is wrong with a name that is defined in another way than plainly and globally. */
static const char *other_bindings(const char *name, const Elf64_Sym *symbol,
                                  const struct object_kind *kind)
{
    if (kind->cuda && is_listed(name, devices_own))
        return "belongs to the CPU device";
    /* objcopy makes global and weak symbols local, but neither of these */
    if (ELF64_ST_BIND(symbol->st_info) == STB_GNU_UNIQUE && !begins(name, "_Z"))
        return "is unique to all of a program, which no plain source asks for";
    /* A lock of OpenMP's critical sections is common, and nothing of ours has such a name. */
    if (symbol->st_shndx == SHN_COMMON && !begins(name, ".gomp_critical_user_"))
        return "is common to all of a program (__attribute__((common)))";
    return NULL;
}

const char *name_defined(const char *name, const Elf64_Sym *symbol, const struct object_kind *kind)
{
    static const char *const prefixes[] = {"__asan_", "__lsan_",  "__msan_",
                                           "__tsan_", "__ubsan_", "__sanitizer_"};
    const unsigned bind = ELF64_ST_BIND(symbol->st_info);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (begins(name, prefixes[i]))
            return "belongs to a sanitizer";
    if (kind->cuda && is_listed(name, devices_own) && bind == STB_GLOBAL)
        return "belongs to the CPU device";
    if (DEFENCE(exact_names))
        return other_bindings(name, symbol, kind);
    return NULL;
}

/* A name as the student wrote it: what Open MPI's header makes of MPI_DOUBLE is ompi_mpi_double. */
static const char *as_written(const char *name, char *to, size_t size)
{
    static const char mpi[] = "ompi_mpi_", op[] = "op_";
    if (strncmp(name, mpi, strlen(mpi)) != 0)
        return name;
    name += strlen(mpi);
    snprintf(to, size, "MPI_%s", strncmp(name, op, strlen(op)) == 0 ? name + strlen(op) : name);
    for (char *p = to; *p; p++)
        *p = (char)toupper((unsigned char)*p);
    return to;
}

/* Whether no library here has a function of that name: one of the student's own, then. */
static bool is_nobodys(const char *name)
{
    static const char *const others[] = {"_", "MPI_", "ompi_", "omp_", "cuda", "cublas", "cudnn"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(name, others[i], strlen(others[i])) == 0)
            return false;
    return !dlsym(RTLD_DEFAULT, name);
}

void name_refused(const char *name, const char *patterns, char *reason, size_t size)
{
    char room[100];
    const bool mpi = as_written(name, room, sizeof room) == room;
    if (is_nobodys(name)) {
        snprintf(
            reason, size,
            "calls %.80s(), which neither it nor the C library defines: this one file is handed "
            "in, and what it calls stands in it; allowed beside it: %s",
            name, patterns);
        return;
    }
    struct text text = {0};
    text_add(&text, "%s %.80s%s, which this task does not allow; allowed:", mpi ? "uses" : "calls",
             as_written(name, room, sizeof room), mpi ? "" : "()");
    for (const char *p = patterns + strspn(patterns, " "); *p; p += strspn(p, " ")) {
        const size_t length = strcspn(p, " ");
        char word[100];
        snprintf(word, sizeof word, "%.*s", (int)length, p);
        text_add(&text, " %s", as_written(word, room, sizeof room));
        p += length;
    }
    snprintf(reason, size, "%s", text_string(&text));
    text_free(&text);
}
