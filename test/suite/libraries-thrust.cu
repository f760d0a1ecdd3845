// Feature: libraries: Thrust: transform, gather and scatter, reduce with fancy iterators,
// scan, copy_if, stable_sort_by_key, reduce_by_key.
// Long: -O0

#include <algorithm>
#include <numeric>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

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
  std::vector<int> Expected(N);

  thrust::device_vector<float> X(N), Y(N, 1.5f);
  thrust::sequence(X.begin(), X.end());
  thrust::transform(X.begin(), X.end(), Y.begin(), Y.begin(), Saxpy{2.0f});
  std::vector<float> Line(N);
  for (int I = 0; I < N; ++I)
    Line[I] = 2.0f * I + 1.5f;
  same(host(Y), Line);

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
  expect(thrust::count_if(A.begin(), A.end(), Odd()) ==
         std::count_if(In.begin(), In.end(), Odd()));
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
}

static void selections() {
  const std::vector<int> In = numbers(N, 4, 50);
  thrust::device_vector<int> A(In.begin(), In.end()), B(N);
  std::vector<int> Expected;
  std::copy_if(In.begin(), In.end(), std::back_inserter(Expected), Odd());
  B.erase(thrust::copy_if(A.begin(), A.end(), B.begin(), Odd()), B.end());
  same(host(B), Expected);
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

int main() {
  elementwise();
  reductions();
  scans();
  selections();
  keys();
  return suite::finish();
}
