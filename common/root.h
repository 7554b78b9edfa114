/* The project's root: the folder that holds labs/ and docs/commands.md. */
#ifndef HPC_COMMON_ROOT_H
#define HPC_COMMON_ROOT_H

#ifdef __cplusplus
extern "C" {
#endif

/* Its absolute path without a slash at its end: HPC_ROOT where that is set and a folder, else the
 * nearest folder above the running executable that holds labs/ or docs/commands.md, else the
 * same above the current folder, else NULL. Found once; the text lives as long as the process. */
const char *hpc_root(void);

/* ROOT/NAME, or NAME itself where there is no root. The caller frees it. */
char *hpc_root_path(const char *name);

#ifdef __cplusplus
}
#endif
#endif
