// Remarks on kernels are saved beside those on the host's code where -o names the
// output, as builds do; clang alone writes both to one file.
// RUN: rm -rf %t && mkdir %t
// RUN: %bmclangxx -O2 -fblockmaestro -fsave-optimization-record -c %s -o %t/kernels.o
// RUN: %bm-dump remarks %t/kernels-device.opt.yaml | FileCheck %s
// RUN: test -s %t/kernels.opt.yaml
// RUN: %bmclangxx -O2 -fblockmaestro -fsave-optimization-record=bitstream -c %s -o %t/bits.o
// RUN: %bm-dump remarks %t/bits-device.opt.bitstream | FileCheck %s

// CHECK: {{^}}{{.*}}beside.cu:[[#@LINE+1]]{{.*}}passed: scale(float*): every access is exact [ExactFootprint]{{$}}
__global__ void scale(float *a) { a[threadIdx.x] = 2; }
