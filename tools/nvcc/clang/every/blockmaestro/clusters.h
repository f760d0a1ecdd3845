// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what nvcc knows of clusters of blocks and clang 22 does not:
// clang reads __cluster_dims__ and emits nothing for it, so an annotation that
// the plugin reads stands beside it; and cooperative groups ask whether the
// compiler has the intrinsics, which it has.
// On the data's way: bmclang++ includes it in front of every CUDA file.

#ifndef BLOCKMAESTRO_CLUSTERS_H
#define BLOCKMAESTRO_CLUSTERS_H
#if defined(__CUDACC__)
#pragma GCC system_header

#undef __cluster_dims__
#define __cluster_dims__(...)                                                  \
  __attribute__((cluster_dims(__VA_ARGS__),                                    \
                 annotate("blockmaestro.cluster_dims", __VA_ARGS__)))
#define _CG_CLUSTER_INTRINSICS_AVAILABLE

#endif
#endif
