/* Options of a command line and files beside a program, by the names of NVIDIA's samples:
 * -name, --name, -name=VALUE, in any case of letters. */
#ifndef COMMON_HELPER_STRING_H_
#define COMMON_HELPER_STRING_H_

#include <fstream>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <string>

#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#endif
#ifndef STRNCASECMP
#define STRNCASECMP strncasecmp
#endif
#ifndef STRCPY
#define STRCPY(to, size, from) strcpy(to, from)
#endif
#ifndef FOPEN
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#endif
#ifndef FOPEN_FAIL
#define FOPEN_FAIL(file) ((file) == NULL)
#endif
#ifndef SSCANF
#define SSCANF sscanf
#endif
#ifndef SPRINTF
#define SPRINTF sprintf
#endif
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

/* The place behind the dashes, or their like. */
inline int stringRemoveDelimiter(char delimiter, const char *text)
{
    int n = 0;
    while (text[n] == delimiter)
        n++;
    return n < (int)strlen(text) ? n : 0;
}

/* The first option of that name: what stands behind the name, "" or "=VALUE"; NULL without one. */
inline const char *hpc_option(int argc, const char **argv, const char *name)
{
    const size_t length = strlen(name);
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i] + strspn(argv[i], "-");
        if (word == argv[i] || strncasecmp(word, name, length) != 0)
            continue;
        if (word[length] == '\0' || word[length] == '=')
            return word + length;
    }
    return NULL;
}

inline bool checkCmdLineFlag(int argc, const char **argv, const char *name)
{
    return hpc_option(argc, argv, name) != NULL;
}

/* The value of an option, NULL where it has none. */
inline const char *hpc_option_value(int argc, const char **argv, const char *name)
{
    const char *value = hpc_option(argc, argv, name);
    return value && *value == '=' ? value + 1 : NULL;
}

template <class T>
inline bool getCmdLineArgumentValue(int argc, const char **argv, const char *name, T *value)
{
    const char *text = hpc_option_value(argc, argv, name);
    if (text)
        *value = (T)atoi(text);
    return text != NULL;
}

/* 0 where the option is not there. */
inline int getCmdLineArgumentInt(int argc, const char **argv, const char *name)
{
    const char *text = hpc_option_value(argc, argv, name);
    return text ? atoi(text) : 0;
}

inline float getCmdLineArgumentFloat(int argc, const char **argv, const char *name)
{
    const char *text = hpc_option_value(argc, argv, name);
    return text ? (float)atof(text) : 0;
}

inline bool getCmdLineArgumentString(int argc, const char **argv, const char *name, char **value)
{
    const char *text = hpc_option_value(argc, argv, name);
    *value = const_cast<char *>(text);
    return text != NULL;
}

inline int getFileExtension(char *name, char **extension)
{
    char *dot = strrchr(name, '.');
    *extension = dot ? dot + 1 : name + strlen(name);
    return (int)(*extension - name);
}

/* Where the file is: in the current folder or the program's, or in `data` or `common/data` of one
 * of these or of the folders above. The caller frees the path; NULL where it is nowhere. */
inline char *sdkFindFilePath(const char *name, const char *program)
{
    const std::string own = program ? program : "";
    const size_t slash = own.rfind('/');
    const std::string beside = slash == std::string::npos ? "./" : own.substr(0, slash + 1);
    std::string above;
    for (int up = 0; up < 4; up++, above += "../")
        for (const std::string &folder : {std::string("./"), beside})
            for (const char *part : {"", "data/", "common/data/", "Common/data/"}) {
                const std::string path = folder + above + part + name;
                if (std::ifstream(path).good())
                    return strdup(path.c_str());
            }
    return NULL;
}
#endif
