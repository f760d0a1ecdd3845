// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The second file of same-name.cu.

static __global__ void set(int *Out) { *Out = 2; }

void setOther(int *Out) { set<<<1, 1>>>(Out); }
