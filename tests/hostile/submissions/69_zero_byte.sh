# family 69: a zero byte, behind which nobody looks
# task races
# full
# grade: rejected|unsafe; points <= 3; reason: zero byte
# structural: a text with a zero byte is refused as a whole
{
    printf '#include <pthread.h>\n#include "conv1d/attack.h"\nstatic int finished;\n'
    printf '/* %b */ __attribute__((noinline, no_sanitize("thread")))\n' '\0'
    printf 'static void *count(void *p)\n{\n    (void)p;\n    finished++;\n    return NULL;\n}\n'
    printf 'RUN\n{\n    pthread_t thread;\n    answer(p, x, w, y);\n'
    printf '    if (pthread_create(&thread, NULL, count, NULL) != 0)\n        return 1;\n'
    printf '    count(NULL);\n    return pthread_join(thread, NULL);\n}\nSUBMISSION\n'
} >races.c
tar cf hw.tar races.c
echo hw.tar
