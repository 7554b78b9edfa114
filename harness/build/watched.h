/* Which functions a thread sanitizer follows: what else a source calls may load and store where its
 * caller says, and nobody sees it (names.c). tests/cli/thread_names.sh compares these lists with
 * the C library's headers and with the sanitizer. */
#ifndef HPC_HARNESS_BUILD_WATCHED_H
#define HPC_HARNESS_BUILD_WATCHED_H

/* Labs' @openmp and @pthread: none that stores what and where its caller says, but those that
 * runner/told.c tells of. */
#define NAMES_OPENMP                                                                               \
    "GOMP_* omp_get_thread_num omp_get_num_threads omp_get_max_threads "                           \
    "omp_set_num_threads omp_get_num_procs omp_in_parallel omp_get_wtime omp_get_wtick "           \
    "omp_get_level omp_get_active_level omp_get_ancestor_thread_num omp_get_team_size "            \
    "omp_get_thread_limit omp_set_dynamic omp_get_dynamic omp_set_nested omp_get_nested "          \
    "omp_set_max_active_levels omp_get_max_active_levels omp_set_schedule omp_in_final "           \
    "omp_get_cancellation omp_get_proc_bind omp_get_num_places omp_get_place_num "                 \
    "omp_fulfill_event omp_init_lock omp_init_lock_with_hint omp_destroy_lock "                    \
    "omp_set_lock omp_unset_lock omp_test_lock omp_init_nest_lock omp_destroy_nest_lock "          \
    "omp_set_nest_lock omp_unset_nest_lock omp_test_nest_lock"
#define NAMES_PTHREAD                                                                              \
    "pthread_create pthread_join pthread_detach pthread_exit pthread_self pthread_equal "          \
    "pthread_once pthread_yield pthread_cancel pthread_testcancel pthread_setname_np "             \
    "pthread_setaffinity_np pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock "          \
    "pthread_mutex_trylock pthread_mutex_timedlock pthread_mutex_unlock "                          \
    "pthread_mutexattr_init pthread_mutexattr_destroy pthread_mutexattr_set* "                     \
    "pthread_cond_* pthread_condattr_init pthread_condattr_destroy pthread_condattr_set* "         \
    "pthread_barrier_* pthread_rwlock_* pthread_spin_* pthread_key_create "                        \
    "pthread_key_delete pthread_getspecific pthread_setspecific pthread_attr_init "                \
    "pthread_attr_destroy pthread_attr_set*"

/* The sanitizer's own, whose loads and stores it announces; with OpenMP it passes over those of
 * libraries, but for NAMES_COPIES (runner/openmp.c). */
#define NAMES_COPIES                                                                               \
    "malloc calloc realloc free aligned_alloc memalign posix_memalign memcpy memmove "             \
    "memset"
#define NAMES_FOLLOWED                                                                             \
    "memchr memrchr memmem memcmp bcmp bzero strcpy strncpy strlen strnlen strcmp "                \
    "strncmp strcasecmp strncasecmp strchr strchrnul strrchr strstr strcasestr strspn "            \
    "strcspn strpbrk strdup strndup strtoimax strtoumax wcslen wcsnlen sprintf snprintf "          \
    "vsnprintf vsprintf asprintf vasprintf sscanf vsscanf __isoc99_sscanf "                        \
    "__isoc99_vsscanf fopen fclose fread fgets read write pread pwrite open close pipe "           \
    "eventfd frexp frexpf frexpl modf modff modfl remquo remquof remquol sincos sincosf "          \
    "sincosl time clock_gettime clock_getres gettimeofday nanosleep rand_r drand48_r "             \
    "lrand48_r sem_init sem_destroy sem_wait sem_trywait sem_timedwait sem_post "                  \
    "sem_getvalue sigaction sigemptyset sigfillset pthread_sigmask pthread_kill "                  \
    "pthread_setcancelstate pthread_setcanceltype"

/* Without a pointer: they store nowhere. */
#define NAMES_POINTERLESS                                                                          \
    "acos acosf acosl acosh acoshf acoshl asin asinf asinl asinh asinhf asinhl atan "              \
    "atanf atanl atan2 atan2f atan2l atanh atanhf atanhl cbrt cbrtf cbrtl ceil ceilf "             \
    "ceill copysign copysignf copysignl cos cosf cosl cosh coshf coshl erf erff erfl "             \
    "erfc erfcf erfcl exp expf expl exp10 exp10f exp10l exp2 exp2f exp2l expm1 expm1f "            \
    "expm1l fabs fabsf fabsl fdim fdimf fdiml floor floorf floorl fma fmaf fmal fmax "             \
    "fmaxf fmaxl fmin fminf fminl fmod fmodf fmodl hypot hypotf hypotl ilogb ilogbf "              \
    "ilogbl ldexp ldexpf ldexpl llrint llrintf llrintl llround llroundf llroundl log "             \
    "logf logl log10 log10f log10l log1p log1pf log1pl log2 log2f log2l logb logbf logbl "         \
    "lrint lrintf lrintl lround lroundf lroundl nearbyint nearbyintf nearbyintl "                  \
    "nextafter nextafterf nextafterl pow powf powl remainder remainderf remainderl rint "          \
    "rintf rintl round roundf roundl scalbln scalblnf scalblnl scalbn scalbnf scalbnl "            \
    "sin sinf sinl sinh sinhf sinhl sqrt sqrtf sqrtl tan tanf tanl tanh tanhf tanhl "              \
    "tgamma tgammaf tgammal trunc truncf truncl abs labs llabs exit _exit _Exit atexit "           \
    "getpid gettid getppid sched_yield sched_getcpu sysconf sleep usleep alarm raise "             \
    "rand random srand srandom clock toupper tolower getauxval"

/* runner/follow.c's, and what a header's own words call. */
#define NAMES_OTHER                                                                                \
    "syscall thrd_* mtx_* cnd_* tss_* call_once __errno_location __ctype_b_loc stdin "             \
    "environ"

#endif
