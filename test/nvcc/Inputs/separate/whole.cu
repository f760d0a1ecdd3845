// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A kernel that needs nothing else.

__global__ void whole(int *A) { *A = 84; }

void launch(int *A) { whole<<<1, 1>>>(A); }
