// A file compiled for several architectures has a record for each, the newest
// first, and is shown with it.
// RUN: %bmclangxx -fblockmaestro --offload-arch=sm_80 --offload-arch=sm_90 -c %s -o %t.o
// RUN: %bm-dump footprints %t.o | FileCheck %s
// RUN: %bm-dump footprints --json %t.o | FileCheck %s --check-prefix=JSON

// CHECK: module {{.*}}architectures.cu for sm_90
// CHECK-NEXT: kernel work(float*) [_Z4workPf]
// CHECK-NEXT: write exact { [bx] -> arg0[0..3] }
// CHECK: module {{.*}}architectures.cu for sm_80
// CHECK-NEXT: kernel work(float*) [_Z4workPf]
// CHECK-NEXT: write exact { [bx] -> arg0[4..7] }
// JSON: "architecture": "sm_90"
// JSON: "architecture": "sm_80"
__global__ void work(float *a) {
#if __CUDA_ARCH__ >= 900
  a[0] = 1;
#else
  a[1] = 1;
#endif
}
