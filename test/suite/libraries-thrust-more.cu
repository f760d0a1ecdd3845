// Feature: libraries: More of Thrust, also on streams: sort by a predicate, unique,
// partition, searches, set operations, extrema, inner products, exclusive scans.
// Long: -O0 -O3

#include <algorithm>
#include <numeric>
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

#include "Inputs/suite.h"

template <typename T> std::vector<T> host(const thrust::device_vector<T> &V) {
  std::vector<T> Out(V.size());
  thrust::copy(V.begin(), V.end(), Out.begin());
  return Out;
}

static std::vector<int> numbers(int Size, unsigned Seed, int Limit) {
  std::vector<int> Out(Size);
  for (int &X : Out) {
    Seed = Seed * 1664525u + 1013904223u;
    X = static_cast<int>(Seed >> 8) % Limit;
  }
  return Out;
}

struct Square {
  __host__ __device__ int operator()(int X) const { return X * X; }
};
struct Odd {
  __host__ __device__ bool operator()(int X) const { return X % 2 != 0; }
};
struct Saxpy {
  float A;
  __host__ __device__ float operator()(float X, float Y) const {
    return A * X + Y;
  }
};

constexpr int N = 3001;

static void elementwise() {
  const std::vector<int> In = numbers(N, 1, 1000);
  thrust::device_vector<int> A(In.begin(), In.end()), B(N);
  thrust::transform(A.begin(), A.end(), B.begin(), Square());
  std::vector<int> Expected(In);
  for (int &X : Expected)
    X *= X;
  same(host(B), Expected);

  thrust::device_vector<float> X(N), Y(N, 1.5f);
  thrust::sequence(X.begin(), X.end());
  thrust::transform(X.begin(), X.end(), Y.begin(), Y.begin(), Saxpy{2.0f});
  std::vector<float> Line(N);
  for (int I = 0; I < N; ++I)
    Line[I] = 2.0f * I + 1.5f;
  same(host(Y), Line);

  thrust::adjacent_difference(A.begin(), A.end(), B.begin());
  std::adjacent_difference(In.begin(), In.end(), Expected.begin());
  same(host(B), Expected);

  thrust::device_vector<int> Map(N), Moved(N);
  thrust::transform(thrust::counting_iterator<int>(0),
                    thrust::counting_iterator<int>(N), Map.begin(),
                    [] __device__(int I) { return (I * 7) % N; });
  thrust::gather(Map.begin(), Map.end(), A.begin(), B.begin());
  thrust::scatter(B.begin(), B.end(), Map.begin(), Moved.begin());
  for (int I = 0; I < N; ++I)
    Expected[I] = In[(I * 7) % N];
  same(host(B), Expected);
  same(host(Moved), In);
}

static void reductions() {
  const std::vector<int> In = numbers(N, 2, 1000);
  thrust::device_vector<int> A(In.begin(), In.end());
  const int Sum = std::accumulate(In.begin(), In.end(), 0);
  expect(thrust::reduce(A.begin(), A.end()) == Sum);
  expect(thrust::reduce(thrust::device, A.data().get(), A.data().get() + N, 5,
                        thrust::plus<int>()) == Sum + 5);
  expect(thrust::transform_reduce(A.begin(), A.end(), Square(), 0,
                                  thrust::maximum<int>()) ==
         998001 - (998001 - *std::max_element(In.begin(), In.end()) *
                                *std::max_element(In.begin(), In.end())));
  expect(thrust::count_if(A.begin(), A.end(), Odd()) ==
         std::count_if(In.begin(), In.end(), Odd()));
  expect(thrust::inner_product(A.begin(), A.end(), A.begin(), 0) ==
         std::inner_product(In.begin(), In.end(), In.begin(), 0));
  expect(thrust::max_element(A.begin(), A.end()) - A.begin() ==
         std::max_element(In.begin(), In.end()) - In.begin());
  const auto Both = thrust::minmax_element(A.begin(), A.end());
  expect(*Both.first == *std::min_element(In.begin(), In.end()));
  const auto Pairs = thrust::make_zip_iterator(
      thrust::make_tuple(A.begin(), thrust::counting_iterator<int>(0)));
  const long long Weighted = thrust::transform_reduce(
      Pairs, Pairs + N,
      [] __device__(const thrust::tuple<int, int> &P) {
        return static_cast<long long>(thrust::get<0>(P)) * thrust::get<1>(P);
      },
      0LL, thrust::plus<long long>());
  long long Expected = 0;
  for (int I = 0; I < N; ++I)
    Expected += static_cast<long long>(In[I]) * I;
  expect(Weighted == Expected);
}

static void scans() {
  const std::vector<int> In = numbers(N, 3, 100);
  thrust::device_vector<int> A(In.begin(), In.end()), B(N);
  std::vector<int> Expected(N);
  thrust::inclusive_scan(A.begin(), A.end(), B.begin());
  std::partial_sum(In.begin(), In.end(), Expected.begin());
  same(host(B), Expected);
  thrust::exclusive_scan(A.begin(), A.end(), B.begin(), 10);
  for (int I = N - 1; I > 0; --I)
    Expected[I] = Expected[I - 1] + 10;
  Expected[0] = 10;
  same(host(B), Expected);
}

static void selections() {
  const std::vector<int> In = numbers(N, 4, 50);
  thrust::device_vector<int> A(In.begin(), In.end()), B(N);
  std::vector<int> Expected;
  std::copy_if(In.begin(), In.end(), std::back_inserter(Expected), Odd());
  B.erase(thrust::copy_if(A.begin(), A.end(), B.begin(), Odd()), B.end());
  same(host(B), Expected);

  thrust::device_vector<int> C = A;
  const auto Middle = thrust::stable_partition(C.begin(), C.end(), Odd());
  expect(Middle - C.begin() == static_cast<long>(Expected.size()));

  thrust::sort(C.begin(), C.end());
  std::vector<int> Sorted = In;
  std::sort(Sorted.begin(), Sorted.end());
  same(host(C), Sorted);
  C.erase(thrust::unique(C.begin(), C.end()), C.end());
  Sorted.erase(std::unique(Sorted.begin(), Sorted.end()), Sorted.end());
  same(host(C), Sorted);

  thrust::device_vector<int> At(3);
  const thrust::device_vector<int> Wanted(std::vector<int>{-1, 20, 99});
  thrust::lower_bound(C.begin(), C.end(), Wanted.begin(), Wanted.end(),
                      At.begin());
  std::vector<int> Places;
  for (int X : {-1, 20, 99})
    Places.push_back(std::lower_bound(Sorted.begin(), Sorted.end(), X) -
                     Sorted.begin());
  same(host(At), Places);

  const thrust::device_vector<int> Even(std::vector<int>{0, 2, 4, 6, 8, 10});
  thrust::device_vector<int> Common(6);
  Common.erase(thrust::set_intersection(C.begin(), C.end(), Even.begin(),
                                        Even.end(), Common.begin()),
               Common.end());
  std::vector<int> CommonHere;
  for (int X : {0, 2, 4, 6, 8, 10})
    if (std::binary_search(Sorted.begin(), Sorted.end(), X))
      CommonHere.push_back(X);
  same(host(Common), CommonHere);
}

static void keys() {
  const std::vector<int> In = numbers(N, 5, 200);
  thrust::device_vector<int> Keys(In.begin(), In.end()), Values(N);
  thrust::sequence(Values.begin(), Values.end());
  thrust::stable_sort_by_key(Keys.begin(), Keys.end(), Values.begin());
  std::vector<int> Order(N);
  std::iota(Order.begin(), Order.end(), 0);
  std::stable_sort(Order.begin(), Order.end(),
                   [&](int A, int B) { return In[A] < In[B]; });
  same(host(Values), Order);

  thrust::device_vector<int> Names(N), Counts(N);
  const auto End = thrust::reduce_by_key(Keys.begin(), Keys.end(),
                                         thrust::constant_iterator<int>(1),
                                         Names.begin(), Counts.begin());
  Names.erase(End.first, Names.end());
  Counts.erase(End.second, Counts.end());
  std::vector<int> NamesHere, CountsHere;
  for (int I = 0; I < N; ++I) {
    if (NamesHere.empty() || NamesHere.back() != In[Order[I]]) {
      NamesHere.push_back(In[Order[I]]);
      CountsHere.push_back(0);
    }
    ++CountsHere.back();
  }
  same(host(Names), NamesHere);
  same(host(Counts), CountsHere);
}

static void onStream() {
  cudaStream_t Stream;
  check(cudaStreamCreate(&Stream));
  std::vector<double> In(N);
  for (int I = 0; I < N; ++I)
    In[I] = (I * 7919 % N) - N / 2;
  thrust::device_vector<double> A(In.begin(), In.end());
  thrust::sort(thrust::cuda::par.on(Stream), A.begin(), A.end(),
               thrust::greater<double>());
  check(cudaStreamSynchronize(Stream));
  std::sort(In.begin(), In.end(), std::greater<double>());
  same(host(A), In);
  check(cudaStreamDestroy(Stream));
}

int main() {
  elementwise();
  reductions();
  scans();
  selections();
  keys();
  onStream();
  return suite::finish();
}
