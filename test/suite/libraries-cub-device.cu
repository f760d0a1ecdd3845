// Feature: libraries: CUB over the whole device: reduce, scan, radix sort of keys and
// pairs, select, run-length encoding, histogram, segmented reduce.
// Long: -O0

#include <algorithm>
#include <numeric>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_select.cuh>

#include "Inputs/suite.h"

/// Asks for the size of the temporary memory, takes it, and does the work.
template <typename Work> static void inTwoSteps(Work Do) {
  size_t Bytes = 0;
  check(Do(nullptr, Bytes));
  suite::Array<char> Storage(std::max<size_t>(Bytes, 1));
  check(Do(Storage.get(), Bytes));
}

int main() {
  constexpr int N = 10007;
  std::vector<int> In(N);
  for (int I = 0; I < N; ++I)
    In[I] = static_cast<int>(static_cast<unsigned>(I) * 2654435761u >> 16) - 30000;
  suite::Array<int> A(In), B(N), C(N), One(1), Two(1);

  inTwoSteps([&](void *T, size_t &S) { return cub::DeviceReduce::Sum(T, S, A.get(), One.get(), N); });
  same(One.host(), std::vector<int>{std::accumulate(In.begin(), In.end(), 0)});
  inTwoSteps([&](void *T, size_t &S) { return cub::DeviceReduce::Max(T, S, A.get(), Two.get(), N); });
  same(Two.host(), std::vector<int>{*std::max_element(In.begin(), In.end())});

  inTwoSteps([&](void *T, size_t &S) {
    return cub::DeviceScan::InclusiveSum(T, S, A.get(), B.get(), N);
  });
  std::vector<int> Expected(N);
  std::partial_sum(In.begin(), In.end(), Expected.begin());
  same(B.host(), Expected);

  inTwoSteps([&](void *T, size_t &S) {
    return cub::DeviceRadixSort::SortKeys(T, S, A.get(), B.get(), N);
  });
  Expected = In;
  std::sort(Expected.begin(), Expected.end());
  same(B.host(), Expected);

  std::vector<int> Order(N);
  std::iota(Order.begin(), Order.end(), 0);
  suite::Array<int> Numbers(Order);
  inTwoSteps([&](void *T, size_t &S) {
    return cub::DeviceRadixSort::SortPairsDescending(T, S, A.get(), B.get(), Numbers.get(),
                                                     C.get(), N);
  });
  std::stable_sort(Order.begin(), Order.end(), [&](int L, int R) { return In[L] > In[R]; });
  same(C.host(), Order);

  inTwoSteps([&](void *T, size_t &S) {
    return cub::DeviceSelect::If(T, S, A.get(), B.get(), One.get(), N,
                                 [] __device__(int X) { return X > 0; });
  });
  std::vector<int> Chosen;
  std::copy_if(In.begin(), In.end(), std::back_inserter(Chosen), [](int X) { return X > 0; });
  same(One.host(), std::vector<int>{static_cast<int>(Chosen.size())});
  std::vector<int> Got = B.host();
  Got.resize(Chosen.size());
  same(Got, Chosen);

  std::vector<int> Runs(N);
  for (int I = 0; I < N; ++I)
    Runs[I] = I / 37 % 5;
  suite::Array<int> R(Runs);
  inTwoSteps([&](void *T, size_t &S) {
    return cub::DeviceRunLengthEncode::Encode(T, S, R.get(), B.get(), C.get(), One.get(), N);
  });
  expect(One.host()[0] == (N + 36) / 37);
  Got = C.host();
  for (int I = 0; I < N / 37; ++I)
    expect(Got[I] == 37);

  suite::Array<int> Counts(5);
  inTwoSteps([&](void *T, size_t &S) {
    return cub::DeviceHistogram::HistogramEven(T, S, R.get(), Counts.get(), 6, 0, 5, N);
  });
  std::vector<int> CountsHere(5);
  for (int X : Runs)
    ++CountsHere[X];
  same(Counts.host(), CountsHere);

  const std::vector<int> Ends{0, 10, 10, 4000, N};
  suite::Array<int> Offsets(Ends), Sums(4);
  inTwoSteps([&](void *T, size_t &S) {
    return cub::DeviceSegmentedReduce::Sum(T, S, A.get(), Sums.get(), 4, Offsets.get(),
                                           Offsets.get() + 1);
  });
  std::vector<int> SumsHere(4);
  for (int I = 0; I < 4; ++I)
    SumsHere[I] = std::accumulate(In.begin() + Ends[I], In.begin() + Ends[I + 1], 0);
  same(Sums.host(), SumsHere);
  return suite::finish();
}
