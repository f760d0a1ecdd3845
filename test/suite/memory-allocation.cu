// Feature: memory: allocation, pitched and 3-D, with CUDA's alignments and errors.

#include "Inputs/suite.h"

__global__ void mark(cudaPitchedPtr Box, cudaExtent Size) {
  size_t X = threadIdx.x, Y = blockIdx.x, Z = blockIdx.y;
  if (X < Size.width)
    static_cast<char *>(Box.ptr)[(Z * Box.ysize + Y) * Box.pitch + X] =
        char(X + 10 * Y + 50 * Z);
}

static size_t address(const void *Of) { return reinterpret_cast<size_t>(Of); }

static void plain() {
  void *A = nullptr, *B = nullptr;
  check(cudaMalloc(&A, 1));
  check(cudaMalloc(&B, 1000));
  expect(A && B && A != B);
  expect(address(A) % 256 == 0 && address(B) % 256 == 0);
  check(cudaFree(A));
  check(cudaFree(B));
  check(cudaFree(nullptr));
  size_t Free = 0, Total = 0;
  check(cudaMemGetInfo(&Free, &Total));
  expect(Free > 0 && Free <= Total);
  cudaDeviceProp P;
  check(cudaGetDeviceProperties(&P, 0));
  expect(Total <= P.totalGlobalMem);
}

static void errors() {
  void *A = nullptr;
  expect(cudaMalloc(nullptr, 8) == cudaErrorInvalidValue);
  expect(cudaMalloc(&A, size_t(1) << 60) == cudaErrorMemoryAllocation);
  expect(cudaGetLastError() == cudaErrorMemoryAllocation);
  int Local = 0;
  expect(cudaFree(&Local) == cudaErrorInvalidValue);
  expect(cudaFreeHost(&Local) == cudaErrorInvalidValue);
  check(cudaMalloc(&A, 64));
  expect(cudaFree(static_cast<char *>(A) + 16) == cudaErrorInvalidValue);
  check(cudaFree(A));
  expect(cudaFree(A) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

static void pitched() {
  void *Rows = nullptr;
  size_t Pitch = 0;
  check(cudaMallocPitch(&Rows, &Pitch, 100, 7));
  expect(Pitch >= 100);
  cudaDeviceProp P;
  check(cudaGetDeviceProperties(&P, 0));
  expect(Pitch % P.texturePitchAlignment == 0);
  check(cudaMemset2D(Rows, Pitch, 7, 100, 7));
  std::vector<unsigned char> Host(100 * 7);
  check(cudaMemcpy2D(Host.data(), 100, Rows, Pitch, 100, 7,
                     cudaMemcpyDeviceToHost));
  same(Host, std::vector<unsigned char>(700, 7));
  check(cudaFree(Rows));
}

static void boxes() {
  cudaExtent Size = make_cudaExtent(20, 5, 3);
  cudaPitchedPtr Box;
  check(cudaMalloc3D(&Box, Size));
  expect(Box.pitch >= 20 && Box.xsize == 20 && Box.ysize == 5);
  mark<<<dim3(5, 3), 32>>>(Box, Size);
  check(cudaGetLastError());
  std::vector<char> Host(20 * 5 * 3), Expected;
  for (int Z = 0; Z < 3; ++Z)
    for (int Y = 0; Y < 5; ++Y)
      for (int X = 0; X < 20; ++X)
        Expected.push_back(char(X + 10 * Y + 50 * Z));
  cudaMemcpy3DParms Copy = {};
  Copy.srcPtr = Box;
  Copy.dstPtr = make_cudaPitchedPtr(Host.data(), 20, 20, 5);
  Copy.extent = Size;
  Copy.kind = cudaMemcpyDeviceToHost;
  check(cudaMemcpy3D(&Copy));
  same(Host, Expected);
  check(cudaFree(Box.ptr));
}

int main() {
  plain();
  errors();
  pitched();
  boxes();
  return suite::finish();
}
