// Feature: launch: Launches with attributes: priorities and hints, by the C++ and
// the C form; a cooperative launch that cannot fit the device is refused.

#include "Inputs/suite.h"

__global__ void store(int *Out, int What) {
  Out[blockIdx.x * blockDim.x + threadIdx.x] = What;
}

int main() {
  suite::Array<int> Out(64);
  cudaStream_t Stream;
  check(cudaStreamCreate(&Stream));
  cudaLaunchAttribute Attributes[4] = {};
  Attributes[0].id = cudaLaunchAttributePriority;
  Attributes[0].val.priority = 0;
  Attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  Attributes[1].val.programmaticStreamSerializationAllowed = 1;
  Attributes[2].id = cudaLaunchAttributeIgnore;
  Attributes[3].id = cudaLaunchAttributeMemSyncDomain;
  Attributes[3].val.memSyncDomain = cudaLaunchMemSyncDomainDefault;
  cudaLaunchConfig_t Config = {};
  Config.gridDim = dim3(2);
  Config.blockDim = dim3(32);
  Config.stream = Stream;
  Config.attrs = Attributes;
  Config.numAttrs = 4;
  check(cudaLaunchKernelEx(&Config, store, Out.get(), 7));
  same(Out.host(), std::vector<int>(64, 7));

  int *Address = Out.get(), What = 8;
  void *Arguments[] = {&Address, &What};
  Config.numAttrs = 0;
  check(cudaLaunchKernelExC(&Config, reinterpret_cast<void *>(store), Arguments));
  same(Out.host(), std::vector<int>(64, 8));

  What = 9;
  check(cudaLaunchCooperativeKernel(reinterpret_cast<void *>(store), dim3(2),
                                    dim3(32), Arguments, 0, Stream));
  same(Out.host(), std::vector<int>(64, 9));

  What = 10;
  expect(cudaLaunchCooperativeKernel(reinterpret_cast<void *>(store),
                                     dim3(1000000), dim3(1024), Arguments, 0,
                                     Stream) ==
         cudaErrorCooperativeLaunchTooLarge);
  expect(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
  same(Out.host(), std::vector<int>(64, 9));
  check(cudaStreamDestroy(Stream));
  return suite::finish();
}
