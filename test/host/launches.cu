// Launches of this file's kernels go to the runtime, with a slot and the
// device's symbol in front; a launch of what a pointer holds stays.
// RUN: rm -rf %t && mkdir -p %t/handover && cd %t
// RUN: clang++ -save-temps --offload-arch=sm_90 --cuda-path=%cuda -Wno-unknown-cuda-version -c %s
// RUN: env BLOCKMAESTRO_HANDOVER=handover opt -load-pass-plugin=%plugin -passes=blockmaestro launches-cuda-nvptx64-nvidia-cuda-sm_90.bc -o /dev/null
// RUN: env BLOCKMAESTRO_HANDOVER=handover opt -load-pass-plugin=%plugin -passes=blockmaestro -S launches-host-x86_64-*.bc -o host.ll
// RUN: FileCheck %s --input-file host.ll

#include <cuda_runtime.h>

// CHECK-DAG: @__blockmaestro_records = internal constant [{{[0-9]+}} x i8] {{.*}}, section ".blockmaestro", align 8
// CHECK-DAG: @__blockmaestro_slot._Z5scalePff = internal global ptr null, align 8
// CHECK-DAG: @__blockmaestro_symbol._Z5scalePff = private {{.*}} c"_Z5scalePff\00"
// CHECK-DAG: @llvm.compiler.used = {{.*}}@__blockmaestro_records

// CHECK-LABEL: define {{.*}}@_Z20__device_stub__scalePff(
// CHECK: call {{.*}}i32 @__blockmaestro_launch_if_linked(ptr @__blockmaestro_slot._Z5scalePff, ptr @__blockmaestro_symbol._Z5scalePff, ptr noundef @_Z20__device_stub__scalePff, i64 {{.*}}, i32 {{.*}}, i64 {{.*}}, i32 {{.*}}, ptr noundef {{.*}}, i64 noundef {{.*}}, ptr noundef
__global__ void scale(float *a, float f) { a[threadIdx.x] *= f; }

struct Guard {
  ~Guard();
};

// CHECK-LABEL: define {{.*}}@direct
// CHECK: invoke {{.*}}i32 @__blockmaestro_launch_if_linked(ptr @__blockmaestro_slot._Z5scalePff,
extern "C" void direct(void **arguments) {
  Guard guard;
  cudaLaunchKernel((const void *)scale, dim3(1), dim3(32), arguments, 0, nullptr);
}

// CHECK-LABEL: define {{.*}}@indirect
// CHECK: i32 @cudaLaunchKernel(
extern "C" void indirect(const void *kernel, void **arguments) {
  cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments, 0, nullptr);
}

// CHECK-LABEL: define internal void @__cuda_module_ctor
// CHECK: icmp ne ptr @__blockmaestro_register_module, null
// CHECK: call void @__blockmaestro_register_module(ptr @__blockmaestro_records, i64 {{[0-9]+}})
// CHECK: call ptr @__cudaRegisterFatBinary(

// CHECK: declare extern_weak void @__blockmaestro_register_module(ptr, i64)

// CHECK: define internal i32 @__blockmaestro_launch_if_linked(ptr %0, ptr %1, ptr %2,
// CHECK: br i1 {{.*}}, label %linked, label %plain
// CHECK: linked:
// CHECK-NEXT: call i32 @__blockmaestro_launch(ptr %0, ptr %1, ptr %2,
// CHECK: plain:
// CHECK-NEXT: call i32 @cudaLaunchKernel(ptr %2,
