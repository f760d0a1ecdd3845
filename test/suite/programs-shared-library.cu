// Feature: programs: Kernels in shared libraries, with the same names in both, one of them
// opened while the program runs, closed and opened again.
// Flags: -rdynamic
// Libraries: Inputs/shared-one.cu Inputs/shared-two.cu

#include <dlfcn.h>

#include "Inputs/suite.h"

extern "C" cudaError_t libraryOne(int *Out, cudaStream_t Stream);
using Entry = cudaError_t (*)(int *, cudaStream_t);

static __global__ void kernel(int *Out) { Out[threadIdx.x] = -1; }

int main() {
  suite::Array<int> Out(8);
  kernel<<<1, 8>>>(Out);
  same(Out.host(), std::vector<int>(8, -1));
  check(libraryOne(Out, nullptr));
  std::vector<int> One(8), Two(8);
  for (int I = 0; I < 8; ++I) {
    One[I] = 2 * (1 + I);
    Two[I] = 2 * (50 + I);
  }
  same(Out.host(), One);
  cudaStream_t Stream;
  check(cudaStreamCreate(&Stream));
  for (int Round = 0; Round < 2; ++Round) {
    void *Library = dlopen("libshared-two.so", RTLD_NOW | RTLD_LOCAL);
    expect(Library != nullptr);
    if (!Library)
      break;
    check(reinterpret_cast<Entry>(dlsym(Library, "libraryTwo"))(Out, Stream));
    check(cudaStreamSynchronize(Stream));
    same(Out.host(), Two);
    check(cudaDeviceSynchronize());
    dlclose(Library);
  }
  check(libraryOne(Out, Stream));
  same(Out.host(), One);
  check(cudaStreamDestroy(Stream));
  return suite::finish();
}
