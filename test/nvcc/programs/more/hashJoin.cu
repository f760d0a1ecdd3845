// Two tables joined by hashes: open addressing with 64-bit compare and swap, matches counted and then written by offsets, results kept by cooperative groups that append together.
#include <algorithm>
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <map>
#include <thrust/device_vector.h>
#include <thrust/scan.h>
#include <vector>
namespace cg = cooperative_groups;
typedef unsigned long long u64;
static constexpr u64 EMPTY = ~0ull;
__host__ __device__ inline uint32_t murmur(uint32_t h) { h ^= h >> 16, h *= 0x85ebca6b, h ^= h >> 13, h *= 0xc2b2ae35; return h ^ h >> 16; }
template <typename K, typename V> struct Table {
  u64 *slots; uint32_t mask;
  __device__ void insert(K k, V v) const {
    u64 pair = (u64)k << 32 | (uint32_t)v;
    for (uint32_t s = murmur(k) & mask;; s = (s + 1) & mask)
      if (atomicCAS(slots + s, EMPTY, pair) == EMPTY) return;
  }
  template <class F> __device__ void each(K k, F f) const {
    for (uint32_t s = murmur(k) & mask; slots[s] != EMPTY; s = (s + 1) & mask)
      if (slots[s] >> 32 == k) f((V)(slots[s] & 0xffffffff));
  }
};
__global__ void build(Table<uint32_t, int> t, const uint32_t *keys, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) t.insert(keys[i], i); }
__global__ void count(Table<uint32_t, int> t, const uint32_t *keys, int n, int *out) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { int c = 0; t.each(keys[i], [&](int) { ++c; }); out[i] = c; } }
__global__ void write(Table<uint32_t, int> t, const uint32_t *keys, int n, const int *off, int2 *out) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { int at = off[i]; t.each(keys[i], [&](int v) { out[at++] = make_int2(i, v); }); } }
__device__ int atomicAggInc(int *ctr) { auto g = cg::coalesced_threads(); int warp_res; if (g.thread_rank() == 0) warp_res = atomicAdd(ctr, g.size()); return g.shfl(warp_res, 0) + g.thread_rank(); }
__global__ void filter(const int2 *in, int n, int *out, int *ctr) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n && (in[i].x + in[i].y) % 3 == 0) out[atomicAggInc(ctr)] = i; }
int main() {
  const int n = 3000, m = 4000;
  std::vector<uint32_t> a(n), b(m);
  for (int i = 0; i < n; i++) a[i] = murmur(i) % 2500;
  for (int i = 0; i < m; i++) b[i] = murmur(i + 77777) % 3000;
  thrust::device_vector<uint32_t> da = a, db = b;
  thrust::device_vector<u64> slots(8192, EMPTY);
  thrust::device_vector<int> c(m + 1), off(m + 1), ctr(1, 0);
  Table<uint32_t, int> t{thrust::raw_pointer_cast(slots.data()), 8191};
  build<<<8, 128>>>(t, da.data().get(), n);
  count<<<(m + 127) / 128, 128>>>(t, db.data().get(), m, c.data().get());
  thrust::exclusive_scan(c.begin(), c.end(), off.begin());
  int total = off[m];
  thrust::device_vector<int2> out(total);
  write<<<(m + 127) / 128, 128>>>(t, db.data().get(), m, off.data().get(), out.data().get());
  thrust::device_vector<int> kept(total);
  filter<<<(total + 127) / 128, 128>>>(out.data().get(), total, kept.data().get(), ctr.data().get());
  std::vector<int2> got(total);
  cudaMemcpy(got.data(), out.data().get(), total * sizeof(int2), cudaMemcpyDeviceToHost);
  std::multimap<uint32_t, int> ref;
  for (int i = 0; i < n; i++) ref.emplace(a[i], i);
  std::vector<std::pair<int, int>> want, have;
  for (int i = 0; i < m; i++) for (auto r = ref.equal_range(b[i]); r.first != r.second; ++r.first) want.emplace_back(i, r.first->second);
  for (auto &g : got) have.emplace_back(g.x, g.y);
  std::sort(want.begin(), want.end()), std::sort(have.begin(), have.end());
  int keep = 0; for (auto &w : want) keep += (w.first + w.second) % 3 == 0;
  std::vector<int> k(ctr[0]); cudaMemcpy(k.data(), kept.data().get(), k.size() * 4, cudaMemcpyDeviceToHost);
  std::sort(k.begin(), k.end()); bool twice = std::adjacent_find(k.begin(), k.end()) != k.end();
  printf("%d pairs, %d kept of %d\n", total, (int)ctr[0], keep);
  return want != have || keep != ctr[0] || twice;
}
