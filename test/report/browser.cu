// In a browser a report shows bm-dump's numbers, in light and dark and on a phone,
// and tells of the blocks under the pointer.
// REQUIRES: chromium
// RUN: %bmclangxx -O1 -gline-tables-only -fblockmaestro %s -o %t && env BLOCKMAESTRO_RECORD=%t.bmrec %t
// RUN: %bm-report %t.bmrec --program %t -o %t.html && %S/browser.py %t.html %t.bmrec %bm-dump | FileCheck %s

// CHECK: light: as bm-dump
// CHECK-NEXT: dark: as bm-dump
// CHECK-NEXT: phone: as bm-dump
// CHECK-NEXT: dark phone: as bm-dump

#include <cuda_runtime.h>

__global__ void smooth(const float *From, float *To, int Width, int Height) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X > 0 && Y > 0 && X < Width && Y < Height)
    To[Y * Width + X] = From[(Y - 1) * Width + X] + From[Y * Width + X - 1];
}

__global__ void gather(const float *From, const int *Index, float *To) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  To[I] = From[Index[I]];
}

int main() {
  constexpr int Width = 128, Height = 48;
  float *A, *B;
  int *Index;
  cudaMalloc(&A, Width * Height * sizeof(float));
  cudaMalloc(&B, Width * Height * sizeof(float));
  cudaMalloc(&Index, Width * Height * sizeof(int));
  cudaMemset(Index, 0, Width * Height * sizeof(int));
  for (int Step = 0; Step != 6; ++Step) {
    smooth<<<dim3(8, 6), dim3(16, 8)>>>(A, B, Width, Height);
    smooth<<<dim3(8, 6), dim3(16, 8)>>>(B, A, Width, Height);
  }
  gather<<<48, 128>>>(A, Index, B);
  return cudaDeviceSynchronize();
}
