// The other shared library of programs-shared-library.

#include <cuda_runtime.h>

static __device__ int Number = 50;
static __global__ void kernel(int *Out) {
  Out[threadIdx.x] = Number + threadIdx.x;
}
template <typename T> __global__ void twice(T *Data) { Data[threadIdx.x] *= 2; }

extern "C" cudaError_t libraryTwo(int *Out, cudaStream_t Stream) {
  kernel<<<1, 8, 0, Stream>>>(Out);
  twice<int><<<1, 8, 0, Stream>>>(Out);
  return cudaGetLastError();
}
