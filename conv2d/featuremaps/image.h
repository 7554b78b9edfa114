/* Pictures for networks: PGM and PPM files, and one that is built in. A file is a user's word:
 * whatever is not exactly such a picture is refused, with the file and what was expected. */
#ifndef HPC_CONV2D_FEATUREMAPS_IMAGE_H
#define HPC_CONV2D_FEATUREMAPS_IMAGE_H

#include "common/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define IMAGE_MAX 16384 /* rows, columns */

/* channels (1 or 3) x rows x columns, each 0 .. 1; freed by image_free. */
struct image {
    int channels, rows, columns;
    float *value;
};

/* P2, P3, P5 or P6, up to 65535 for white, with comments. On failure: false, *err filled, *out all
 * zero. */
bool image_read(const char *path, struct image *out, struct hpc_error *err);
/* A drawn scene of 256 x 256 in colour: sky, hills, a face with eyes and whiskers. */
struct image image_built_in(void);
/* The picture at another size (the mean of what each new pixel covers), with 1 or 3 channels. */
struct image image_fit(const struct image *from, int channels, int rows, int columns);
void image_free(struct image *image);

#ifdef __cplusplus
}
#endif
#endif
