/* The version of hpclab, its one place: `hpclab --version`, records and releases print it. */
#ifndef HPC_COMMON_VERSION_H
#define HPC_COMMON_VERSION_H

#define HPC_VERSION "0.1.0"

#endif
