// The entry reads arguments from where a launch packs them: pointers become
// global memory, small integers keep their size, structures are copied.
// RUN: %bmclangxx -O3 -fblockmaestro --cuda-device-only -S -emit-llvm %s -o - | FileCheck %s

// CHECK-LABEL: define {{.*}}void @bm_persistent_
// CHECK-DAG: load ptr addrspace(1), ptr
// CHECK-DAG: getelementptr inbounds nuw i8, ptr {{.*}}, i64 8
// CHECK-DAG: getelementptr inbounds nuw i8, ptr {{.*}}, i64 16
// CHECK-DAG: load i8, ptr
// CHECK: ret void

struct Pair {
  float first;
  double second;
};

__global__ void set(double *a, char c, Pair p) { a[threadIdx.x] = c + p.second; }
