// Variants of kernels with shared memory, structures, loops around barriers and
// calls assemble for the GPU, and none of the program's own kernels changes.
// RUN: %bmclangxx -O0 -fblockmaestro --cuda-device-only -c %s -o %t.0
// RUN: %bmclangxx -O3 -fblockmaestro --cuda-device-only -c %s -o %t.3
// RUN: %bmclangxx -O3 -fblockmaestro --cuda-device-only -S %s -o - | sed -n '/entry _Z6matmul6MatrixPf(/,/^}/p' > %t.with
// RUN: %bmclangxx -O3 --cuda-device-only --offload-arch=sm_90 --cuda-path=%cuda -Wno-unknown-cuda-version -S %s -o - | sed -n '/entry _Z6matmul6MatrixPf(/,/^}/p' > %t.without
// RUN: grep -q st.global %t.with
// RUN: sed -e 's/BB[0-9]*_/BB_/g' -e '/shared .align/d' -e '/demoted/d' -e '/^.$/d' -e '/^$/d' %t.with > %t.with.plain
// RUN: sed -e 's/BB[0-9]*_/BB_/g' -e '/shared .align/d' -e '/demoted/d' -e '/^.$/d' -e '/^$/d' %t.without > %t.without.plain
// RUN: diff %t.with.plain %t.without.plain

struct Matrix {
  const float *data;
  int size;
};

__device__ __noinline__ float at(Matrix m, int y, int x) {
  return m.data[y * m.size + x];
}

__global__ void matmul(Matrix m, float *out) {
  __shared__ float left[16][16], right[16][16];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < m.size; k += 16) {
    left[threadIdx.y][threadIdx.x] = at(m, y, k + threadIdx.x);
    right[threadIdx.y][threadIdx.x] = at(m, k + threadIdx.y, x);
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += left[threadIdx.y][j] * right[j][threadIdx.x];
    __syncthreads();
  }
  out[y * m.size + x] = sum;
}
