// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A kernel that needs another file's device function.

extern __device__ int twice(int X);

__global__ void work(int *A) { *A = twice(42); }

void launch(int *A) { work<<<1, 1>>>(A); }
