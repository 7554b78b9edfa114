/* Where cuDNN lies. NVIDIA ships it apart from nvcc: in packages of the system, in an archive to
 * unpack, in Python's wheels (where there is no libcudnn.so, only libcudnn.so.9). */
#ifndef HPC_HARNESS_MACHINE_CUDNN_H
#define HPC_HARNESS_MACHINE_CUDNN_H

#include <stdbool.h>

#include "common/error.h"

#define CUDNN_FOLDER 1000 /* the longest path, as a jail takes it */

struct cudnn_place {
    char where[40];             /* how it was found: "CUDNN_PATH", "beside nvcc", .. */
    char include[CUDNN_FOLDER]; /* real folder of cudnn.h */
    char lib[CUDNN_FOLDER];     /* real folder of the library and of those that it opens later */
    char library[80];           /* the library's name in it, with the version where it has one */
    char package[CUDNN_FOLDER]; /* what a process must see that uses it: lib, or of a wheel the
                               folder of all of NVIDIA's, for cuDNN finds cuBLAS and NVRTC beside
                               itself */
};

/* Folders with include/ and lib/ in the order of looking; NULL: not looked at. */
struct cudnn_search {
    const char *given;     /* CUDNN_PATH: nothing else counts where this is set */
    const char *toolkit;   /* the folder of nvcc's bin/ */
    const char *system[4]; /* NULL-ended */
    const char *unpacked;  /* ROOT/.deps/usr, where ./bootstrap unpacks */
    const char *python;    /* the interpreter that is asked for its package nvidia.cudnn */
};

/* The first place with both header and library. False with a line that says where one may be put.
 */
bool cudnn_find(const struct cudnn_search *search, struct cudnn_place *place,
                struct hpc_error *err);
/* The same for this machine's nvcc, environment and project, found once a process; NULL with the
 * line in *err. */
const struct cudnn_place *cudnn_here(const char *root, struct hpc_error *err);

#endif
