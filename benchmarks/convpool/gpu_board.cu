#include "benchmarks/convpool/gpu_board.hpp"

#include <cuda_runtime.h>
#include <dlfcn.h>

namespace
{

/* The part of nvml.h that is used; nvmlDevice_t is a pointer, nvmlReturn_t 0 where all is well. */
struct nvml {
    void *device;
    int (*clock)(void *, int, unsigned *);
    int (*power)(void *, unsigned *);
    int (*throttle)(void *, unsigned long long *);
    int (*energy)(void *, unsigned long long *);
    bool there;

    nvml() : there(false)
    {
        void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
        if (!library)
            return;
        int (*init)(void) = (int (*)(void))dlsym(library, "nvmlInit_v2");
        int (*find)(const char *, void **) =
            (int (*)(const char *, void **))dlsym(library, "nvmlDeviceGetHandleByPciBusId_v2");
        clock = (int (*)(void *, int, unsigned *))dlsym(library, "nvmlDeviceGetClockInfo");
        power = (int (*)(void *, unsigned *))dlsym(library, "nvmlDeviceGetPowerUsage");
        throttle = (int (*)(void *, unsigned long long *))dlsym(
            library, "nvmlDeviceGetCurrentClocksThrottleReasons");
        energy = (int (*)(void *, unsigned long long *))dlsym(
            library, "nvmlDeviceGetTotalEnergyConsumption");
        char bus[32];
        there = init && find && clock && power && throttle && energy && init() == 0 &&
                cudaDeviceGetPCIBusId(bus, sizeof bus, 0) == cudaSuccess && find(bus, &device) == 0;
    }
};

nvml &library()
{
    static nvml it;
    return it;
}

} // namespace

gpu_board gpu_board_read(void)
{
    nvml &it = library();
    gpu_board board = {-1, -1, 0};
    unsigned mhz, milliwatt;
    if (it.there && it.clock(it.device, 1 /* SM */, &mhz) == 0)
        board.sm_mhz = (int)mhz;
    if (it.there && it.power(it.device, &milliwatt) == 0)
        board.watts = milliwatt * 1e-3;
    if (it.there)
        it.throttle(it.device, &board.throttled);
    return board;
}

double gpu_board_joule(void)
{
    unsigned long long millijoule;
    nvml &it = library();
    return it.there && it.energy(it.device, &millijoule) == 0 ? (double)millijoule * 1e-3 : -1;
}

std::string gpu_board_name(void)
{
    cudaDeviceProp p;
    int driver = 0, runtime = 0;
    if (cudaGetDeviceProperties(&p, 0) != cudaSuccess)
        return "no GPU";
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    return std::string(p.name) + ", driver for CUDA " + std::to_string(driver / 1000) + "." +
           std::to_string(driver % 1000 / 10) + ", CUDA " + std::to_string(runtime / 1000) + "." +
           std::to_string(runtime % 1000 / 10) + ", " + std::to_string(p.multiProcessorCount) +
           " multiprocessors";
}
