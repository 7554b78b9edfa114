/* Every file that is named goes through the parser once; folders stand for what they hold. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

static int files;

static void run_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    uint8_t *bytes = malloc(1 << 20);
    if (!f || !bytes) {
        perror(path);
        exit(1);
    }
    size_t n = fread(bytes, 1, 1 << 20, f);
    fclose(f);
    uint8_t *whole = malloc(n ? n : 1); /* of just this size: an overrun is seen */
    if (!whole)
        exit(1);
    memcpy(whole, bytes, n);
    LLVMFuzzerTestOneInput(whole, n);
    files++;
    free(whole);
    free(bytes);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        for (struct dirent *e; folder && (e = readdir(folder)) != NULL;) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", argv[i], e->d_name);
            if (e->d_name[0] != '.')
                run_file(path);
        }
        if (folder)
            closedir(folder);
        else
            run_file(argv[i]);
    }
    printf("%d files\n", files);
    return files == 0;
}
