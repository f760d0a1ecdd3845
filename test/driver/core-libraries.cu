// Thrust, CUB and libcu++ are found where CUDA 13 keeps them, behind the
// program's own headers, in the toolkit that is in use.
// RUN: %bmclangxx -fblockmaestro -fsyntax-only %s
// RUN: rm -rf %t && mkdir -p %t/own/cub && ln -s %cuda %t/given
// RUN: echo '#error the own header' > %t/own/cub/cub.cuh
// RUN: not %bmclangxx -fblockmaestro -fsyntax-only %s -isystem %t/own 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: %bmclangxx -fblockmaestro -### -c %s --cuda-path=%t/given 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: %bmclangxx -### -c %s --cuda-path=%t/given 2>&1 | FileCheck %s --check-prefix=PLAIN

// OWN: error: the own header
// GIVEN-COUNT-2: "-idirafter" "{{[^"]*}}/given/include/cccl"
// PLAIN-NOT: cccl

#include <cub/cub.cuh>
#include <thrust/sort.h>
#include <cuda/std/array>
