// Block reductions where thread 0 writes: exact, one word for each block.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel blockSum
// CHECK-DAG: barrier
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg2 }
// CHECK-DAG: write exact { [bx] -> arg0[4*bx + 0..3] : tx = 0 }
__global__ void blockSum(float *sums, const float *in, int n) {
  __shared__ float partial[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      partial[threadIdx.x] += partial[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = partial[0];
}

// CHECK-LABEL: kernel twoLevels
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 4*bx*Dx + 0..3] }
// CHECK-DAG: atomic exact { [bx] -> arg0[0..3] : tx = 0 }
__global__ void twoLevels(float *sum, const float *in) {
  __shared__ float warps[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float value = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int delta = 16; delta > 0; delta /= 2)
    value += __shfl_xor_sync(0xffffffff, value, delta);
  if (lane == 0)
    warps[warp] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / 32 ? warps[lane] : 0.0f;
  if (warp == 0)
    for (int delta = 16; delta > 0; delta /= 2)
      value += __shfl_xor_sync(0xffffffff, value, delta);
  if (threadIdx.x == 0)
    atomicAdd(sum, value);
}
