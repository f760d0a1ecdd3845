// Radix sort with ballots and population counts, ranks within warps by
// match_any, and keys in their own class.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>
#include "helper_check.h"

namespace radix {
constexpr int RADIX_BITS = 4, BINS = 1 << RADIX_BITS, THREADS = 128;

template <typename Key> struct Traits;
template <> struct Traits<uint32_t> {
  static __host__ __device__ uint32_t in(uint32_t k) { return k; }
};
template <> struct Traits<int32_t> {
  static __host__ __device__ uint32_t in(int32_t k) { return uint32_t(k) ^ 0x80000000u; }
};
template <> struct Traits<float> {
  static __device__ uint32_t in(float f) {
    uint32_t bits = __float_as_uint(f);
    return bits ^ ((bits >> 31) ? 0xffffffffu : 0x80000000u);
  }
};

__device__ __forceinline__ unsigned laneMaskLt() {
  unsigned mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}
__device__ __forceinline__ unsigned laneId() {
  unsigned id;
  asm volatile("mov.u32 %0, %laneid;" : "=r"(id));
  return id;
}

template <typename Key> __global__ void count(const Key *keys, int n, int shift, int *counts) {
  __shared__ int bins[BINS];
  if (threadIdx.x < BINS)
    bins[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&bins[(Traits<Key>::in(keys[i]) >> shift) & (BINS - 1)], 1);
  __syncthreads();
  if (threadIdx.x < BINS)
    counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

__global__ void scanCounts(int *counts, int n) {
  __shared__ int warpSums[32];
  __shared__ int carry;
  if (threadIdx.x == 0)
    carry = 0;
  for (int base = 0; base < n; base += blockDim.x) {
    __syncthreads();
    int i = base + threadIdx.x, v = i < n ? counts[i] : 0, sum = v;
    unsigned lane = laneId(), warp = threadIdx.x / 32;
    for (int d = 1; d < 32; d *= 2) {
      int up = __shfl_up_sync(~0u, sum, d);
      if (lane >= d)
        sum += up;
    }
    if (lane == 31)
      warpSums[warp] = sum;
    __syncthreads();
    int before = carry;
    for (int w = 0; w < warp; ++w)
      before += warpSums[w];
    if (i < n)
      counts[i] = before + sum - v;
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1)
      carry = before + sum;
  }
}

template <typename Key>
__global__ void scatter(const Key *keys, Key *out, int n, int shift, const int *offsets) {
  __shared__ int warpCounts[THREADS / 32][BINS];
  for (int b = threadIdx.x; b < THREADS / 32 * BINS; b += blockDim.x)
    (&warpCounts[0][0])[b] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int warp = threadIdx.x / 32, digit = BINS;
  unsigned peers = 0;
  if (i < n)
    digit = (Traits<Key>::in(keys[i]) >> shift) & (BINS - 1);
  unsigned active = __ballot_sync(0xffffffff, i < n);
  if (i < n) {
    peers = __match_any_sync(active, digit);
    if ((peers & laneMaskLt()) == 0)
      warpCounts[warp][digit] = __popc(peers);
  }
  __syncthreads();
  if (i < n) {
    int at = offsets[digit * gridDim.x + blockIdx.x] + __popc(peers & laneMaskLt());
    for (int w = 0; w < warp; ++w)
      at += warpCounts[w][digit];
    out[at] = keys[i];
  }
}

template <typename Key> void sort(std::vector<Key> &host) {
  int n = static_cast<int>(host.size()), blocks = (n + THREADS - 1) / THREADS;
  Key *a, *b;
  int *counts;
  checkCudaErrors(cudaMalloc(&a, n * sizeof(Key)));
  checkCudaErrors(cudaMalloc(&b, n * sizeof(Key)));
  checkCudaErrors(cudaMalloc(&counts, blocks * BINS * sizeof(int)));
  checkCudaErrors(cudaMemcpy(a, host.data(), n * sizeof(Key), cudaMemcpyHostToDevice));
  for (int shift = 0; shift < 32; shift += RADIX_BITS) {
    count<<<blocks, THREADS>>>(a, n, shift, counts);
    scanCounts<<<1, 256>>>(counts, blocks * BINS);
    scatter<<<blocks, THREADS>>>(a, b, n, shift, counts);
    std::swap(a, b);
  }
  getLastCudaError("sort");
  checkCudaErrors(cudaMemcpy(host.data(), a, n * sizeof(Key), cudaMemcpyDeviceToHost));
  cudaFree(a), cudaFree(b), cudaFree(counts);
}
} // namespace radix

template <typename Key, typename Draw> bool test(const char *name, int n, Draw draw) {
  std::vector<Key> keys(n);
  for (auto &k : keys)
    k = draw();
  auto expected = keys;
  std::sort(expected.begin(), expected.end());
  radix::sort(keys);
  bool ok = keys == expected;
  std::printf("%-8s %d keys: %s\n", name, n, ok ? "sorted" : "NOT sorted");
  return ok;
}

int main() {
  std::mt19937 engine(42);
  std::normal_distribution<float> normal(0, 100);
  bool ok = test<uint32_t>("uint32_t", 3001, [&] { return engine(); });
  ok &= test<int32_t>("int32_t", 1000, [&] { return int32_t(engine()); });
  ok &= test<float>("float", 2048, [&] { return normal(engine); });
  std::puts(ok ? "PASSED" : "FAILED");
  return !ok;
}
