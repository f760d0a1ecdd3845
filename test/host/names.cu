// The symbol is the device's, whatever clang makes of the name: templates,
// namespaces, `static`, extern "C", operators.
// RUN: rm -rf %t && mkdir -p %t/handover && cd %t
// RUN: clang++ -save-temps --offload-arch=sm_90 --cuda-path=%cuda -Wno-unknown-cuda-version -c %s
// RUN: env BLOCKMAESTRO_HANDOVER=handover opt -load-pass-plugin=%plugin -passes=blockmaestro names-cuda-nvptx64-nvidia-cuda-sm_90.bc -o /dev/null
// RUN: env BLOCKMAESTRO_HANDOVER=handover opt -load-pass-plugin=%plugin -passes=blockmaestro -S names-host-x86_64-*.bc -o host.ll
// RUN: FileCheck %s --input-file host.ll

template <typename T> __global__ void typed(T *a) { a[threadIdx.x] = 1; }
namespace inner {
static __global__ void local(int *a) { a[threadIdx.x] = 2; }
} // namespace inner
extern "C" __global__ void plain(int *a) { a[threadIdx.x] = 3; }

// CHECK-DAG: private {{.*}} c"_Z5typedIfEvPT_\00"
// CHECK-DAG: private {{.*}} c"_ZN5innerL5localEPi\00"
// CHECK-DAG: private {{.*}} c"plain\00"
// CHECK-NOT: @cudaLaunchKernel(ptr noundef

void launch(float *f, int *i) {
  typed<<<1, 32>>>(f);
  inner::local<<<1, 32>>>(i);
  plain<<<1, 32>>>(i);
}
