// OpenMP on the host, in a file that has kernels: by clang's flag, and as builds
// that call nvcc give it.
// RUN: %bmclangxx -fblockmaestro -fopenmp %s -o %t && env OMP_NUM_THREADS=3 %t | FileCheck %s
// RUN: %bmnvcc -Xcompiler -fopenmp %s -o %t && env OMP_NUM_THREADS=3 %t | FileCheck %s
// CHECK: 496 3
#include <cstdio>
#include <omp.h>
__global__ void number(int *A) { A[threadIdx.x] = threadIdx.x; }
int main() {
  int *A, Sum = 0, Threads = 0;
  cudaMallocManaged(&A, 128);
  number<<<1, 32>>>(A);
  cudaDeviceSynchronize();
#pragma omp parallel for reduction(+ : Sum)
  for (int I = 0; I < 32; ++I)
    Sum += A[I];
#pragma omp parallel
#pragma omp single
  Threads = omp_get_num_threads();
  std::printf("%d %d\n", Sum, Threads);
}
