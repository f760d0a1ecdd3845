// Spins on a lattice flipped by colours of a checkerboard, bits of random numbers from an own generator, magnetisation by warps; the whole sweep captured as a graph in the old way.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#define CUDACHECK(...) do { const cudaError_t e_ = (__VA_ARGS__); if (e_) { fprintf(stderr, "%s at %d: %s\n", #__VA_ARGS__, __LINE__, cudaGetErrorString(e_)); exit(2); } } while (false)
constexpr unsigned int tile = 16;
struct Xor { unsigned s; __host__ __device__ unsigned operator()() { s ^= s << 13, s ^= s >> 17; return s ^= s << 5; } };
template <bool black> __host__ __device__ void flip(signed char *mine, const signed char *other, unsigned *rng, int nx, int ny, int i, int j, const unsigned *limit) {
  int ipp = i + 1 < nx ? i + 1 : 0, inn = i - 1 >= 0 ? i - 1 : nx - 1, jpp = j + 1 < ny ? j + 1 : 0, jnn = j - 1 >= 0 ? j - 1 : ny - 1;
  int joff = black ? (i % 2 ? jpp : jnn) : (i % 2 ? jnn : jpp);
  int sum = other[inn * ny + j] + other[i * ny + j] + other[ipp * ny + j] + other[i * ny + joff];
  signed char l = mine[i * ny + j];
  Xor r = {rng[i * ny + j]};
  if (r() < limit[(sum * l + 4) / 2]) mine[i * ny + j] = -l;
  rng[i * ny + j] = r.s;
}
template <bool black> __global__ void update(signed char *mine, const signed char *__restrict__ other, unsigned *rng, const long long nx, const long long ny, const unsigned *limit) {
  const long long tid = static_cast<long long>(blockDim.x) * blockIdx.x + threadIdx.x;
  const int i = tid / ny, j = tid % ny;
  if (i >= nx || j >= ny) return;
  flip<black>(mine, other, rng, nx, ny, i, j, limit);
}
__global__ void magnet(const signed char *a, const signed char *b, int n, int *out) {
  int s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += a[i] + b[i];
  s = __reduce_add_sync(0xffffffff, s);
  if (threadIdx.x % warpSize == 0) atomicAdd(out, s);
}
int main(int argc, char **argv) {
  const int nx = 64, ny = 32, n = nx * ny, sweeps = 20;
  std::vector<signed char> b(n), w(n), gb(n), gw(n);
  std::vector<unsigned> rng(n);
  unsigned limit[5];
  for (int i = 0; i < 5; i++) limit[i] = i < 2 ? 0xffffffffu : 0xffffffffu >> (3 * (i - 1));
  Xor init = {12345};
  for (int i = 0; i < n; i++) b[i] = init() & 1 ? 1 : -1, w[i] = init() & 1 ? 1 : -1, rng[i] = init() | 1;
  signed char *d_b, *d_w; unsigned *d_r, *d_l; int *d_m, m = 0, want = 0;
  CUDACHECK(cudaMalloc(&d_b, n)); CUDACHECK(cudaMalloc(&d_w, n)); CUDACHECK(cudaMalloc(&d_r, n * sizeof(unsigned))); CUDACHECK(cudaMalloc(&d_l, sizeof(limit))); CUDACHECK(cudaMalloc(&d_m, sizeof(int)));
  CUDACHECK(cudaMemcpy(d_b, b.data(), n, cudaMemcpyHostToDevice)); CUDACHECK(cudaMemcpy(d_w, w.data(), n, cudaMemcpyHostToDevice)); CUDACHECK(cudaMemcpy(d_r, rng.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice)); CUDACHECK(cudaMemcpy(d_l, limit, sizeof(limit), cudaMemcpyHostToDevice));
  cudaStream_t s; cudaGraph_t graph; cudaGraphExec_t exec; cudaGraphNode_t errorNode; char log[64];
  CUDACHECK(cudaStreamCreate(&s));
  CUDACHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  update<true><<<(n + 127) / 128, 128, 0, s>>>(d_b, d_w, d_r, nx, ny, d_l);
  update<false><<<(n + 127) / 128, 128, 0, s>>>(d_w, d_b, d_r, nx, ny, d_l);
  CUDACHECK(cudaStreamEndCapture(s, &graph));
  CUDACHECK(cudaGraphInstantiate(&exec, graph, &errorNode, log, sizeof(log)));
  for (int i = 0; i < sweeps; i++) {
    CUDACHECK(cudaGraphLaunch(exec, s));
    for (int k = 0; k < n; k++) flip<true>(b.data(), w.data(), rng.data(), nx, ny, k / ny, k % ny, limit);
    for (int k = 0; k < n; k++) flip<false>(w.data(), b.data(), rng.data(), nx, ny, k / ny, k % ny, limit);
  }
  CUDACHECK(cudaMemsetAsync(d_m, 0, sizeof(int), s));
  magnet<<<4, 128, 0, s>>>(d_b, d_w, n, d_m);
  CUDACHECK(cudaMemcpyAsync(&m, d_m, sizeof(int), cudaMemcpyDeviceToHost, s));
  CUDACHECK(cudaStreamSynchronize(s));
  CUDACHECK(cudaMemcpy(gb.data(), d_b, n, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) want += b[i] + w[i];
  CUDACHECK(cudaGraphExecDestroy(exec)); CUDACHECK(cudaGraphDestroy(graph)); CUDACHECK(cudaStreamDestroy(s));
  printf("magnetisation %d %d\n", m, want);
  return m != want || memcmp(gb.data(), b.data(), n);
}
