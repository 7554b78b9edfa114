/* Where `make test SANITIZE=1` finds what a sanitizer says of the trusted program: in files, as a
 * script may expect that a command fails, or read none of its words. Here and not in ASAN_OPTIONS,
 * which students' programs would inherit. Leaks are left out: a command ends with what it has. */
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

const char *__asan_default_options(void)
{
    return "detect_leaks=0:detect_stack_use_after_return=1:exitcode=99:log_path=" HPC_REPORTS
           "/address";
}

const char *__ubsan_default_options(void)
{
    return "print_stacktrace=1:exitcode=99:log_path=" HPC_REPORTS "/undefined";
}
