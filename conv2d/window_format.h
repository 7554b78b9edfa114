/* The operation "window_format": the storage format of [Xu], section IV-A, of one feature map and
 * one filter. Window i = p * Q + q is what output (p, q) of conv2d.h is summed over: R S places,
 * row by row, zero outside of the map.
 *
 *   in[FORMAT_X]  x [H][W]; in[FORMAT_W]  w [R][S], fixed
 *   out[FORMAT_F] f_data [P Q][R S]: of each window the values that are not zero, in their order,
 *                 without gaps, from f_data[i][0] on
 *   out[FORMAT_K] k_data [P Q][R S]: beside each of them the weight that it meets
 *   out[FORMAT_PTR] ptr [P Q]: how many, or -1 where there is none
 *
 * What stands in f_data and k_data behind a window's last value does not matter. Floats and 32-bit
 * integers, contiguous, not overlapping. The problem is a struct conv2d_problem with
 * n = c = k = 1, layout CONV_NCHW, type CONV_F32. */
#ifndef HPC_CONV2D_WINDOW_FORMAT_H
#define HPC_CONV2D_WINDOW_FORMAT_H

#include "conv2d/conv2d.h"

enum { FORMAT_X, FORMAT_W, FORMAT_N_IN };
enum { FORMAT_F, FORMAT_K, FORMAT_PTR, FORMAT_N_OUT };

#endif
