// PageRank on a graph in compressed rows, push by atomics and pull by rows, until it settles; connected components by hooking and jumping pointers.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>
#define CUDA_ERR_CHK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("CUDA error %d in %s line %d\n", e, __FILE__, __LINE__); return 1; } } while (0)
using vid_t = int; using real = float;
__global__ void contrib(int n, const real *rank, const vid_t *off, real *out) {
  for (int v = threadIdx.x + blockIdx.x * blockDim.x; v < n; v += blockDim.x * gridDim.x) {
    int deg = off[v + 1] - off[v];
    out[v] = deg ? rank[v] / deg : 0;
  }
}
__global__ void pull(int n, const vid_t *__restrict__ off, const vid_t *__restrict__ adj, const real *__restrict__ c, real *next) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (warp >= n) return;
  real sum = 0;
  for (int e = off[warp] + lane; e < off[warp + 1]; e += 32) sum += c[adj[e]];
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, o);
  if (lane == 0) next[warp] = 0.15f / n + 0.85f * sum;
}
__global__ void fill(int n, real *x, real v) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = v; }
__global__ void push(int n, const vid_t *off, const vid_t *adj, const real *c, real *next) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n) for (int e = off[v]; e < off[v + 1]; ++e) atomicAdd(&next[adj[e]], 0.85f * c[v]);
}
__global__ void error(int n, const real *a, const real *b, real *out) {
  extern __shared__ real s[];
  real x = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x += fabsf(a[i] - b[i]);
  s[threadIdx.x] = x;
  for (int w = blockDim.x >> 1; __syncthreads(), w; w >>= 1) if (threadIdx.x < w) s[threadIdx.x] += s[threadIdx.x + w];
  if (!threadIdx.x) atomicAdd(out, s[0]);
}
__global__ void hook(int m, const vid_t *src, const vid_t *dst, vid_t *comp, bool *changed) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= m) return;
  int cs = comp[src[e]], cd = comp[dst[e]];
  if (cs == cd) return;
  int hi = max(cs, cd), lo = cs + cd - hi;
  if (hi == comp[hi]) { *changed = true; comp[hi] = lo; }
}
__global__ void jump(int n, vid_t *comp) { int v = blockIdx.x * blockDim.x + threadIdx.x; if (v < n) while (comp[v] != comp[comp[v]]) comp[v] = comp[comp[v]]; }
int main() {
  const int n = 2000, m = 9000;
  std::mt19937 gen(7);
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i < m; ++i) { int a = gen() % n, b = gen() % n; edges.push_back({a, b}), edges.push_back({b, a}); }
  std::sort(edges.begin(), edges.end());
  std::vector<vid_t> off(n + 1), adj, src;
  for (auto &e : edges) off[e.first + 1]++, adj.push_back(e.second), src.push_back(e.first);
  std::partial_sum(off.begin(), off.end(), off.begin());
  vid_t *d_off, *d_adj, *d_src, *d_comp; real *r[3], *c, *err; bool *changed;
  CUDA_ERR_CHK(cudaMalloc(&d_off, (n + 1) * sizeof(vid_t))); CUDA_ERR_CHK(cudaMalloc(&d_adj, adj.size() * sizeof(vid_t))); CUDA_ERR_CHK(cudaMalloc(&d_src, adj.size() * sizeof(vid_t)));
  CUDA_ERR_CHK(cudaMalloc(&d_comp, n * sizeof(vid_t))); CUDA_ERR_CHK(cudaMalloc(&c, n * sizeof(real))); CUDA_ERR_CHK(cudaHostAlloc(&err, sizeof(real), cudaHostAllocMapped)); CUDA_ERR_CHK(cudaMallocManaged(&changed, sizeof(bool)));
  for (auto &x : r) CUDA_ERR_CHK(cudaMalloc(&x, n * sizeof(real)));
  cudaMemcpy(d_off, off.data(), off.size() * sizeof(vid_t), cudaMemcpyHostToDevice); cudaMemcpy(d_adj, adj.data(), adj.size() * sizeof(vid_t), cudaMemcpyHostToDevice); cudaMemcpy(d_src, src.data(), src.size() * sizeof(vid_t), cudaMemcpyHostToDevice);
  fill<<<(n + 255) / 256, 256>>>(n, r[0], 1.0f / n);
  int it = 0;
  for (; it < 100; ++it) {
    contrib<<<4, 128>>>(n, r[0], d_off, c);
    pull<<<(n * 32 + 255) / 256, 256>>>(n, d_off, d_adj, c, r[1]);
    *err = 0;
    error<<<8, 256, 256 * sizeof(real)>>>(n, r[0], r[1], err);
    CUDA_ERR_CHK(cudaDeviceSynchronize());
    std::swap(r[0], r[1]);
    if (*err < 1e-5f) break;
  }
  contrib<<<4, 128>>>(n, r[0], d_off, c);
  fill<<<(n + 255) / 256, 256>>>(n, r[2], 0.15f / n);
  push<<<(n + 255) / 256, 256>>>(n, d_off, d_adj, c, r[2]);
  *err = 0; error<<<8, 256, 256 * sizeof(real)>>>(n, r[0], r[2], err); CUDA_ERR_CHK(cudaDeviceSynchronize());
  std::vector<vid_t> comp(n); std::iota(comp.begin(), comp.end(), 0); cudaMemcpy(d_comp, comp.data(), n * sizeof(vid_t), cudaMemcpyHostToDevice);
  do { *changed = false; hook<<<(adj.size() + 255) / 256, 256>>>(adj.size(), d_src, d_adj, d_comp, changed); jump<<<(n + 255) / 256, 256>>>(n, d_comp); CUDA_ERR_CHK(cudaDeviceSynchronize()); } while (*changed);
  cudaMemcpy(comp.data(), d_comp, n * sizeof(vid_t), cudaMemcpyDeviceToHost);
  std::vector<int> root(n); std::iota(root.begin(), root.end(), 0);
  auto find = [&](int v) { while (root[v] != v) v = root[v] = root[root[v]]; return v; };
  for (auto &e : edges) root[find(e.first)] = find(e.second);
  int bad = 0;
  for (auto &e : edges) bad += comp[e.first] != comp[e.second];
  int k1 = 0, k2 = 0; for (int v = 0; v < n; ++v) k1 += comp[v] == v, k2 += find(v) == v;
  printf("iterations %d, push differs by %g, components %d %d, bad %d\n", it, *err, k1, k2, bad);
  return it >= 100 || *err > 1e-4f || k1 != k2 || bad;
}
