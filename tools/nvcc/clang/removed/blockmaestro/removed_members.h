// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the members that cudaDeviceProp lost in CUDA 13, all of type int.
// On the data's way: the drivers hand clang the toolkit's driver_types.h with
// them in the place of as many reserved ones, behind this header.
// Invariants: MEMBER is told the attribute of the device that has the value
// now; what is ZERO has none.

#ifndef BLOCKMAESTRO_REMOVED_MEMBERS_H
#define BLOCKMAESTRO_REMOVED_MEMBERS_H

#include <blockmaestro/removed_mark.h>

#define BLOCKMAESTRO_REMOVED_MEMBERS(MEMBER, ZERO)                             \
  MEMBER(clockRate, cudaDevAttrClockRate)                                      \
  MEMBER(deviceOverlap, cudaDevAttrGpuOverlap)                                 \
  MEMBER(kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout)               \
  MEMBER(computeMode, cudaDevAttrComputeMode)                                  \
  MEMBER(maxTexture1DLinear, cudaDevAttrMaxTexture1DLinearWidth)               \
  MEMBER(memoryClockRate, cudaDevAttrMemoryClockRate)                          \
  MEMBER(singleToDoublePrecisionPerfRatio,                                     \
         cudaDevAttrSingleToDoublePrecisionPerfRatio)                          \
  ZERO(cooperativeMultiDeviceLaunch)

#if defined(BLOCKMAESTRO_CUDA_COMPAT)
#define BLOCKMAESTRO_REMOVED_MEMBERS_COUNT 8
#define BLOCKMAESTRO_DECLARE_INT int
#elif defined(__cplusplus)
// Static, so that copies of the structure do not use them.
#define BLOCKMAESTRO_REMOVED_MEMBERS_COUNT 0
#define BLOCKMAESTRO_DECLARE_INT static int
#endif

#ifdef BLOCKMAESTRO_DECLARE_INT
#define BLOCKMAESTRO_DECLARE_MEMBER(Name, Attribute)                           \
  BLOCKMAESTRO_DECLARE_INT Name BLOCKMAESTRO_REMOVED(                          \
      "cudaDeviceGetAttribute with " #Attribute);
#define BLOCKMAESTRO_DECLARE_ZERO(Name)                                        \
  BLOCKMAESTRO_DECLARE_INT Name BLOCKMAESTRO_REMOVED("0");
#else
#define BLOCKMAESTRO_REMOVED_MEMBERS_COUNT 0
#define BLOCKMAESTRO_DECLARE_MEMBER(Name, Attribute)
#define BLOCKMAESTRO_DECLARE_ZERO(Name)
#endif

#endif
