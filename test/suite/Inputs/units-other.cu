// The second file of programs-units: kernels, constants and statics of the same
// names as in the first.

#include "units.h"

__constant__ int Table[4] = {40, 30, 20, 10};

namespace {
__device__ int Seen;
__global__ void local(int *Out) {
  Out[threadIdx.x] = Table[threadIdx.x] + atomicAdd(&Seen, 0) + 1000;
}
} // namespace

void otherLocal(int *Out) {
  const int Value = 7;
  cudaMemcpyToSymbol(Seen, &Value, sizeof Value);
  local<<<1, 4>>>(Out);
}

void otherScaled(const float *In, float *Out, int N) {
  scaled<float, 3><<<(N + 31) / 32, 32>>>(In, Out, N);
}
