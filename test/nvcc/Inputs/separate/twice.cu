// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A device function for another file's kernel.

__device__ int twice(int X) { return 2 * X; }
