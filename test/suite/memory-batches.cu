// Feature: memory: many copies by one call.

#include "Inputs/suite.h"

#include <numeric>

int main() {
  constexpr size_t Count = 8, Each = 50;
  std::vector<int> Start(Count * Each), End(Count * Each);
  std::iota(Start.begin(), Start.end(), 1);
  suite::Array<int> Device(Count * Each);
  cudaStream_t Stream;
  check(cudaStreamCreate(&Stream));

  std::vector<void *> To;
  std::vector<const void *> From;
  std::vector<size_t> Sizes(Count, Each * sizeof(int));
  for (size_t I = 0; I < Count; ++I) {
    To.push_back(Device + I * Each);
    From.push_back(&Start[(Count - 1 - I) * Each]);
  }
  cudaMemcpyAttributes Attributes = {};
  Attributes.srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  size_t First = 0;
  check(cudaMemcpyBatchAsync(To.data(), From.data(), Sizes.data(), Count,
                             &Attributes, &First, 1, Stream));
  check(cudaStreamSynchronize(Stream));
  std::vector<int> Expected;
  for (size_t I = 0; I < Count; ++I)
    Expected.insert(Expected.end(), Start.begin() + (Count - 1 - I) * Each,
                    Start.begin() + (Count - I) * Each);
  same(Device.host(), Expected);

  expect(cudaMemcpyBatchAsync(To.data(), From.data(), Sizes.data(), Count,
                              nullptr, &First, 0,
                              Stream) == cudaErrorInvalidValue);
  First = 1;
  expect(cudaMemcpyBatchAsync(To.data(), From.data(), Sizes.data(), Count,
                              &Attributes, &First, 1,
                              Stream) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
  check(cudaStreamDestroy(Stream));
  return suite::finish();
}
