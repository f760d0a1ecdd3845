// Feature: programs: Relocatable device code (-fgpu-rdc): functions, variables, constants
// and classes of one file used in another.
// Flags: -fgpu-rdc
// Files: Inputs/relocatable-other.cu

#include "Inputs/suite.h"

extern __device__ int Counter;
extern __constant__ float Scale[2];
__device__ int Weights[4] = {1, 10, 100, 1000};
__device__ int weighted(int I);
__device__ float areaOf(float Side);
void launchElsewhere(int *Out);

__global__ void here(int *Out, float *Areas) {
  Out[threadIdx.x] = weighted(threadIdx.x);
  atomicAdd(&Counter, 1);
  Areas[threadIdx.x] = areaOf(static_cast<float>(threadIdx.x));
}

int main() {
  const float Factors[2] = {2, 0.5f};
  check(cudaMemcpyToSymbol(Scale, Factors, sizeof Factors));
  suite::Array<int> A(8), B(8);
  suite::Array<float> F(8);
  here<<<1, 8>>>(A, F);
  launchElsewhere(B);
  std::vector<int> Expected(8);
  std::vector<float> Areas(8);
  for (int I = 0; I < 8; ++I) {
    Expected[I] = I * (I % 4 == 0 ? 1 : I % 4 == 1 ? 10 : I % 4 == 2 ? 100 : 1000);
    Areas[I] = I * I * 2.0f + 0.5f;
  }
  same(A.host(), Expected);
  same(F.host(), Areas);
  for (int &X : Expected)
    X += 13;
  same(B.host(), Expected);
  int Count = 0;
  check(cudaMemcpyFromSymbol(&Count, Counter, sizeof Count));
  expect(Count == 13);
  return suite::finish();
}
