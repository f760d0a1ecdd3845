// Of an atomic a trace has how many lanes want one word, and of a division what a GPU issues for it.
// RUN: %bmclangxx -O3 -fblockmaestro %s -o %t && env BLOCKMAESTRO_RECORD=%t.bmrec,warps %t
// RUN: %bm-dump warps %t.bmrec --paths | FileCheck %s && %bm-dump warps %t.bmrec --paths --json | FileCheck %s --check-prefix=JSON

__global__ void count(int *Bins, float *Part) {
  atomicAdd(&Bins[threadIdx.x % 8], int(threadIdx.x));
  *Part = 1 / (1 + float(threadIdx.x));
}

int main() {
  int *Bins;
  float *Part;
  cudaMalloc(&Bins, 256);
  cudaMalloc(&Part, 256);
  count<<<1, 32>>>(Bins, Part);
  return cudaDeviceSynchronize();
}

// CHECK: product
// CHECK: approximation
// CHECK: atomic 0x{{[0-9a-f]+}} by 4, write

// JSON: "together": [
// JSON-NEXT: 4,
// JSON-NEXT: 1
// JSON-NEXT: ],
