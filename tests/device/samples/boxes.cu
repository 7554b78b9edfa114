/* cudaMalloc3D, cudaMemset3D and cudaMemcpy3D: a box within a box, to the device and back. */
#include <stdio.h>
#include <string.h>

enum { X = 20, Y = 7, Z = 3 };

__global__ void add_kernel(cudaPitchedPtr box, int value)
{
    char *row = (char *)box.ptr + (blockIdx.z * box.ysize + blockIdx.y) * box.pitch;
    ((int *)row)[threadIdx.x] += value;
}

int main()
{
    static int from[Z][Y][X], back[Z][Y][X];
    for (int i = 0; i < Z * Y * X; i++)
        (&from[0][0][0])[i] = i;
    cudaPitchedPtr box;
    cudaExtent extent = make_cudaExtent(X * sizeof(int), Y, Z);
    bool right = cudaMalloc3D(&box, extent) == cudaSuccess;
    right = right && cudaMemset3D(box, 0, extent) == cudaSuccess;

    cudaMemcpy3DParms copy = {0}; /* all but the box's borders */
    copy.srcPtr = make_cudaPitchedPtr(from, X * sizeof(int), X * sizeof(int), Y);
    copy.srcPos = make_cudaPos(sizeof(int), 1, 1);
    copy.dstPtr = box;
    copy.dstPos = make_cudaPos(sizeof(int), 1, 1);
    copy.extent = make_cudaExtent((X - 2) * sizeof(int), Y - 2, Z - 2);
    copy.kind = cudaMemcpyHostToDevice;
    right = right && cudaMemcpy3D(&copy) == cudaSuccess;

    add_kernel<<<dim3(1, Y, Z), X>>>(box, 1);
    cudaMemcpy3DParms home = {0};
    home.srcPtr = box;
    home.dstPtr = make_cudaPitchedPtr(back, X * sizeof(int), X * sizeof(int), Y);
    home.extent = extent;
    home.kind = cudaMemcpyDeviceToHost;
    right = right && cudaMemcpy3D(&home) == cudaSuccess;
    for (int z = 0; z < Z; z++)
        for (int y = 0; y < Y; y++)
            for (int x = 0; x < X; x++) {
                bool inside = x > 0 && x < X - 1 && y > 0 && y < Y - 1 && z > 0 && z < Z - 1;
                right = right && back[z][y][x] == 1 + (inside ? from[z][y][x] : 0);
            }
    copy.extent.width = 2 * X * sizeof(int); /* more than a pitch */
    right = right && cudaMemcpy3D(&copy) == cudaErrorInvalidPitchValue;
    copy.extent.width = X * sizeof(int); /* beyond the row's end */
    right = right && cudaMemcpy3D(&copy) == cudaErrorInvalidValue;
    cudaGetLastError();
    cudaFree(box.ptr);
    puts(right ? "PASS" : "FAIL");
    return !right;
}
