// Launches on the per-thread default stream are left to CUDA.
// RUN: rm -rf %t && mkdir -p %t/handover && cd %t
// RUN: clang++ -DCUDA_API_PER_THREAD_DEFAULT_STREAM -Xclang -fgpu-default-stream=per-thread -save-temps --offload-arch=sm_90 --cuda-path=%cuda -Wno-unknown-cuda-version -c %s
// RUN: env BLOCKMAESTRO_HANDOVER=handover opt -load-pass-plugin=%plugin -passes=blockmaestro per-thread-stream-cuda-nvptx64-nvidia-cuda-sm_90.bc -o /dev/null
// RUN: env BLOCKMAESTRO_HANDOVER=handover opt -load-pass-plugin=%plugin -passes=blockmaestro -S per-thread-stream-host-x86_64-*.bc -o host.ll
// RUN: FileCheck %s --input-file host.ll --implicit-check-not=__blockmaestro_launch

// CHECK: call {{.*}}@cudaLaunchKernel_ptsz(
__global__ void work(float *a) { a[threadIdx.x] = 1; }
void launch(float *a) { work<<<1, 32>>>(a); }
