// Remarks name source lines although no debug information is asked for, and
// asking for them does not change the object.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %bmclangxx -fblockmaestro -O2 -c %s -o with.o -Rpass=blockmaestro -Rpass-missed=blockmaestro -Rpass-analysis=blockmaestro 2>&1 | FileCheck %s
// RUN: llvm-readelf -S with.o | FileCheck %s --check-prefix=OBJECT

// OBJECT-NOT: .debug_info
__global__ void known(float *a) {
  // CHECK-DAG: remarks.cu:[[@LINE-1]]:{{.*}}-Rpass=blockmaestro
  // CHECK-DAG: remarks.cu:[[@LINE+1]]:{{.*}}-Rpass-analysis=blockmaestro
  a[threadIdx.x] += 1;
}

__global__ void unknown(float *a, const int *i) {
  // CHECK-DAG: remarks.cu:[[@LINE+1]]:{{.*}}-Rpass-missed=blockmaestro
  a[i[threadIdx.x]] = 1;
}
