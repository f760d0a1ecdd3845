// Feature: programs: Several files in one program: the same names of static kernels,
// constants and variables in each, one template kernel made in both.
// Files: Inputs/units-other.cu

#include "Inputs/units.h"

#include "Inputs/suite.h"

static __constant__ int Table[4] = {1, 2, 3, 4};

namespace {
__device__ int Seen = 100;
__global__ void local(int *Out) {
  Out[threadIdx.x] = Table[threadIdx.x] + atomicAdd(&Seen, 0);
}
} // namespace

int main() {
  suite::Array<int> A(4), B(4);
  local<<<1, 4>>>(A);
  otherLocal(B);
  same(A.host(), (std::vector<int>{101, 102, 103, 104}));
  same(B.host(), (std::vector<int>{1047, 1037, 1027, 1017}));
  suite::Array<float> In(std::vector<float>{1, 2, 3}), Out(3);
  scaled<float, 3><<<1, 32>>>(In, Out, 3);
  same(Out.host(), (std::vector<float>{3, 6, 9}));
  otherScaled(Out, In, 3);
  same(In.host(), (std::vector<float>{9, 18, 27}));
  scaled<float, 2><<<1, 32>>>(Out, In, 3);
  same(In.host(), (std::vector<float>{6, 12, 18}));
  return suite::finish();
}
