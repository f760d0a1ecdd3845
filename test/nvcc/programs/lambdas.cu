// Lambdas as kernels: parallel loops, reductions and scans by templates, on
// either side, captured views of several dimensions.
#include <array>
#include <cassert>
#include <cstdio>
#include <memory>
#include <numeric>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

enum class Space { Host, Device };

template <typename T, int Rank> class View {
  T *data_;
  std::array<int, Rank> extent_;

public:
  template <typename... E> explicit View(E... extents) : extent_{extents...} {
    static_assert(sizeof...(E) == Rank, "one extent for each dimension");
    cudaMallocManaged(&data_, size() * sizeof(T));
  }
  void release() { cudaFree(data_); }
  __host__ __device__ int extent(int d) const { return extent_[d]; }
  __host__ __device__ int size() const {
    int n = 1;
    for (int e : extent_)
      n *= e;
    return n;
  }
  template <typename... I> __host__ __device__ T &operator()(I... i) const {
    int at = 0, d = 0;
    ((at = at * extent_[d++] + i), ...);
    return data_[at];
  }
};

template <typename F> __global__ void forKernel(int n, F f) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    f(i);
}
template <typename F> __global__ void forKernel2(int n, int m, F f) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < m)
    f(i, j);
}
template <typename T, typename F, typename Join> __global__ void reduceKernel(int n, F f, Join join, T identity, T *out) {
  __shared__ T part[256];
  T mine = identity;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    mine = join(mine, f(i));
  part[threadIdx.x] = mine;
  __syncthreads();
  for (int s = blockDim.x / 2; s; s /= 2) {
    if (threadIdx.x < s)
      part[threadIdx.x] = join(part[threadIdx.x], part[threadIdx.x + s]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *out = part[0];
}

template <Space S, typename F> void parallel_for(int n, F f) {
  if constexpr (S == Space::Device) {
    forKernel<<<(n + 127) / 128, 128>>>(n, f);
    cudaDeviceSynchronize();
  } else {
    for (int i = 0; i < n; ++i)
      f(i);
  }
}
template <typename F> void parallel_for(std::pair<int, int> n, F &&f) {
  dim3 block(16, 8), grid((n.second + 15) / 16, (n.first + 7) / 8);
  forKernel2<<<grid, block>>>(n.first, n.second, std::forward<F>(f));
  cudaDeviceSynchronize();
}
template <typename T, typename F, typename Join> T parallel_reduce(int n, T identity, F f, Join join) {
  T *out, result;
  cudaMallocManaged(&out, sizeof(T));
  reduceKernel<<<1, 256>>>(n, f, join, identity, out);
  cudaDeviceSynchronize();
  result = *out;
  cudaFree(out);
  return result;
}

struct MinMax { float min, max; int where; };

__host__ __device__ constexpr int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main() {
  const int n = 60, m = 45;
  View<float, 2> a(n, m);
  View<double, 1> rows(n);
  View<int, 3> cube(4, 5, 6);
  parallel_for({n, m}, [=] __device__(int i, int j) { a(i, j) = i * 0.5f + j; });
  parallel_for<Space::Device>(n, [=] __host__ __device__(int i) {
    double sum = 0;
    for (int j = 0; j < a.extent(1); ++j)
      sum += a(i, j);
    rows(i) = sum;
  });
  auto fill = [=] __host__ __device__(int i) { cube(i / 30, i / 6 % 5, i % 6) = fib(i % 10); };
  parallel_for<Space::Device>(60, fill);
  parallel_for<Space::Host>(120, [&](int i) { if (i >= 60) fill(i); });
  double total = parallel_reduce(n, 0.0, [=] __device__(int i) { return rows(i); },
                                 [] __device__(double x, double y) { return x + y; });
  auto found = parallel_reduce(n * m, MinMax{1e9f, -1e9f, -1},
                               [=] __device__(int i) { float v = a(i / m, i % m); return MinMax{v, v, i}; },
                               [] __device__(MinMax x, MinMax y) {
                                 return MinMax{fminf(x.min, y.min), fmaxf(x.max, y.max), x.max >= y.max ? x.where : y.where};
                               });
  double expected = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      expected += i * 0.5 + j;
  bool ok = total == expected && found.min == 0 && found.max == (n - 1) * 0.5f + m - 1 && found.where == n * m - 1;
  for (int i = 0; i < 120; ++i)
    ok &= cube(i / 30, i / 6 % 5, i % 6) == fib(i % 10);
  a.release(), rows.release(), cube.release();
  std::printf("sum %g, greatest %g\n%s\n", total, found.max, ok ? "PASSED" : "FAILED");
  return !ok;
}
