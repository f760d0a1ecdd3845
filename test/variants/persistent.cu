// In the persistent entry a kernel's body reads its indices from memory and has
// a barrier of its own over just the threads of the launch.
// RUN: %bmclangxx -O0 -fblockmaestro --cuda-device-only -S -emit-llvm %s -o - | FileCheck %s

// CHECK: define internal {{.*}}@"_Z6mirrorPf$bm_body"(ptr noundef %0, ptr %1)
// CHECK-NOT: sreg
// CHECK: load i32, ptr %{{[0-9]+}}
// CHECK-NOT: sreg
// CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32
// CHECK-NOT: sreg
// CHECK: ret void
// CHECK: define ptx_kernel void @bm_persistent_{{[0-9a-f]+}}(ptr byval({{.*}}) align 8 "nvvm.grid_constant"
// CHECK: call void @__bm_persistent(ptr %0)

__global__ void mirror(float *a) {
  __shared__ float t[64];
  t[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = t[63 - threadIdx.x];
}
