// A loop with an atomic is traced one iteration after the other, as ptxas leaves it: no read goes before the atomic of the iteration before it.
// RUN: %bmclangxx -O3 -fblockmaestro %s -o %t && env BLOCKMAESTRO_RECORD=%t.bmrec,warps %t
// RUN: %bm-dump warps %t.bmrec --paths | FileCheck %s

__global__ void count(int N, const int *Values, int *Bins) {
  for (int I = threadIdx.x; I < N; I += 32)
    atomicAdd(&Bins[Values[I]], 1);
}

int main() {
  int *Values, *Bins;
  cudaMalloc(&Values, 4096);
  cudaMalloc(&Bins, 4096);
  cudaMemset(Values, 0, 4096);
  count<<<1, 32>>>(256, Values, Bins);
  return cudaDeviceSynchronize();
}

// CHECK: step 1:
// CHECK: read
// CHECK-NOT: read
// CHECK: atomic
// CHECK-NOT: read
// CHECK: step 2:
