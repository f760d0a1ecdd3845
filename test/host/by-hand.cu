// The plugin without the driver has no way to hand records over: it analyses
// and leaves the host's code as it is.
// RUN: clang++ -O2 -fpass-plugin=%plugin --offload-arch=sm_90 --cuda-path=%cuda -Wno-unknown-cuda-version -c %s -o %t.o -Rpass=blockmaestro 2>&1 | FileCheck %s
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=OBJECT --implicit-check-not=blockmaestro

// CHECK: remark: {{.*}}[-Rpass=blockmaestro]
// OBJECT: cudaLaunchKernel
__global__ void work(float *a) { a[threadIdx.x] = 1; }
void launch(float *a) { work<<<1, 32>>>(a); }
