/* Check mode: no program sees what the headers before were compiled with. What they took away is
 * not taken away where they come compiled. */
#ifndef HPC_DEVICE_STARTED_H
#define HPC_DEVICE_STARTED_H

#undef DEV_CHECK

/* To device/rewrite: variables of the device have red zones. */
namespace hpc_dev
{
struct variables_have_zones;
}

#endif
