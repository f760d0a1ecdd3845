// A recording with warps has what they did: lanes leave a loop one after the other and come together behind it, a
// guard leaves lanes out, and of every N-th block alone where that is asked for.
// RUN: %bmclangxx -O3 -fblockmaestro %s -o %t
// RUN: env BLOCKMAESTRO_RECORD=%t.bmrec,warps:1/2 %t | FileCheck %s --check-prefix=OK && %bm-dump warps %t.bmrec --paths | FileCheck %s

#include <cstdio>

__global__ void triangle(float *Out, const float *In, int Count) {
  __shared__ float Tile[64];
  int I = threadIdx.x;
  float Sum = 0;
  for (int K = 0; K <= I % 4; ++K)
    Sum += In[blockIdx.x * 64 + K * 8];
  Tile[I * 2 % 64] = Sum;
  __syncthreads();
  if (I < Count)
    Out[blockIdx.x * 64 + I] = Tile[63 - I] + Sum;
}

int main() {
  float *In, *Out;
  cudaMalloc(&In, 4096);
  cudaMalloc(&Out, 4096);
  cudaMemset(In, 0, 4096);
  triangle<<<4, 64>>>(Out, In, 40);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

// OK: no error

// CHECK: 2 blocks traced, one in 2 of each launch
// CHECK: launch 0: 2 of 4 blocks, 4 warps, {{.*}} 20 global accesses of 26 sectors, 8 shared accesses of 12 wavefronts, 4 barriers
// CHECK: launch 0 block 0: code 0
// CHECK: warp 0:
// CHECK: of ffffffff, read 0x{{[0-9a-f]+}}{{$}}
// CHECK-NEXT: of eeeeeeee, read
// CHECK-NEXT: of cccccccc, read
// CHECK-NEXT: of 88888888, read
// CHECK-NEXT: of ffffffff, write shared 2
// CHECK: of ffffffff, read shared 1, write 0x{{[0-9a-f]+,0x[0-9a-f]+,0x[0-9a-f]+,0x[0-9a-f]+$}}
// CHECK: warp 1:
// CHECK: of 000000ff, read shared 1, write 0x{{[0-9a-f]+$}}
// CHECK: launch 0 block 2: code 0
