// Without -fblockmaestro, or when -fno-blockmaestro comes last, the object is
// clang's own, byte for byte.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: clang++ -O2 --offload-arch=sm_90 --cuda-path=%cuda -Wno-unknown-cuda-version -c %s -o out.o && mv out.o plain.o
// RUN: %bmclangxx -O2 --offload-arch=sm_90 --cuda-path=%cuda -Wno-unknown-cuda-version -c %s -o out.o && mv out.o without.o
// RUN: %bmclangxx -fblockmaestro -O2 --offload-arch=sm_90 --cuda-path=%cuda -Wno-unknown-cuda-version -c %s -fno-blockmaestro -o out.o
// RUN: cmp plain.o without.o
// RUN: cmp plain.o out.o

__global__ void work(float *a) { a[threadIdx.x] += 1; }
void launch(float *a) { work<<<1, 32>>>(a); }
