/* Boxes of memory: rows of a pitch, and planes of rows. */
#include <stdlib.h>
#include <string.h>

#include "device/include/cuda_runtime_api.h"
#include "device/runtime/runtime.h"

cudaError_t dev_api_box(struct cudaPitchedPtr *box, struct cudaExtent extent, struct dev_site site)
{
    if (!box || (extent.depth > 1 && extent.height > SIZE_MAX / extent.depth))
        return dev_error(cudaErrorInvalidValue);
    *box = (struct cudaPitchedPtr){.xsize = extent.width, .ysize = extent.height};
    return dev_api_pitch(&box->ptr, &box->pitch, extent.width, extent.height * extent.depth, site);
}

static char *corner(const struct cudaPitchedPtr *box, const struct cudaPos *at)
{
    return (char *)box->ptr + (at->z * box->ysize + at->y) * box->pitch + at->x;
}

/* Whether a box has what is to be copied; planes of a box without ysize have no distance. */
static bool holds(const struct cudaPitchedPtr *box, const struct cudaPos *at,
                  const struct cudaExtent *e)
{
    return box->ptr && at->x + e->width <= box->pitch &&
           (e->depth == 1 || at->y + e->height <= box->ysize);
}

/* The error of a copy between boxes, as an H100 has it: rows wider than a pitch have one of their
 * own. */
static cudaError_t fault(const struct cudaMemcpy3DParms *copy)
{
    const struct cudaExtent *e = &copy->extent;
    if (e->width > copy->srcPtr.pitch || e->width > copy->dstPtr.pitch)
        return cudaErrorInvalidPitchValue;
    return holds(&copy->srcPtr, &copy->srcPos, e) && holds(&copy->dstPtr, &copy->dstPos, e)
               ? cudaSuccess
               : cudaErrorInvalidValue;
}

cudaError_t dev_api_copy3d(const char *call, const struct cudaMemcpy3DParms *copy,
                           cudaStream_t stream, struct dev_site site)
{
    if (!copy || copy->srcArray || copy->dstArray)
        return dev_error(cudaErrorInvalidValue);
    const struct cudaExtent *e = &copy->extent;
    if (e->width == 0 || e->height == 0 || e->depth == 0)
        return cudaSuccess;
    cudaError_t error = fault(copy);
    if (error)
        return dev_error(error);
    for (size_t z = 0; z < e->depth && !error; z++)
        error = dev_api_copy2d(
            call,
            corner(&copy->dstPtr, &copy->dstPos) + z * copy->dstPtr.ysize * copy->dstPtr.pitch,
            copy->dstPtr.pitch,
            corner(&copy->srcPtr, &copy->srcPos) + z * copy->srcPtr.ysize * copy->srcPtr.pitch,
            copy->srcPtr.pitch, e->width, e->height, copy->kind, stream, site);
    return error;
}

cudaError_t dev_api_fill3d(const char *call, struct cudaPitchedPtr box, int value,
                           struct cudaExtent e, cudaStream_t stream, struct dev_site site)
{
    const struct cudaPos origin = {0, 0, 0};
    if (e.width == 0 || e.height == 0 || e.depth == 0)
        return cudaSuccess;
    if (!holds(&box, &origin, &e))
        return dev_error(cudaErrorInvalidValue);
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; z < e.depth && !error; z++)
        error = dev_api_fill(call, (char *)box.ptr + z * box.ysize * box.pitch, box.pitch, value,
                             e.width, e.height, stream, site);
    return error;
}
