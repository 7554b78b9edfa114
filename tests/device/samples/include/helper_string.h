/* Options of sample programs: -name, --name, -name=VALUE. */
#ifndef SAMPLES_HELPER_STRING_H
#define SAMPLES_HELPER_STRING_H

#include <stdlib.h>
#include <string.h>

static inline const char *option_of(int argc, const char **argv, const char *name)
{
    size_t length = strlen(name);
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        while (*word == '-')
            word++;
        if (word != argv[i] && strncmp(word, name, length) == 0 &&
            (word[length] == '\0' || word[length] == '='))
            return word + length;
    }
    return NULL;
}

inline bool checkCmdLineFlag(const int argc, const char **argv, const char *name)
{
    return option_of(argc, argv, name) != NULL;
}

inline int getCmdLineArgumentInt(const int argc, const char **argv, const char *name)
{
    const char *value = option_of(argc, argv, name);
    return value != NULL && *value == '=' ? atoi(value + 1) : 0;
}

#endif
