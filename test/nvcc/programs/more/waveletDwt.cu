// A wavelet transform of an image, forth and back: lifting in shared memory with borders mirrored, tiles by template arguments, readers as functors, pitched memory.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define DWT_CHECK(call) cudaDwtCheck((call), __LINE__)
static void cudaDwtCheck(cudaError_t s, int line) { if (s) { fprintf(stderr, "error %d at %d\n", s, line); exit(1); } }
namespace dwt_cuda {
struct Mirror {
  const float *p; size_t pitch; int w, h;
  __device__ static int fold(int i, int n) { return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i; }
  __device__ float operator()(int x, int y) const { return *((const float *)((const char *)p + fold(y, h) * pitch) + fold(x, w)); }
};
template <int N, bool Inverse> __device__ void lift(float *s, int stride, int count) {
  const int t = threadIdx.x;
  if (!Inverse) {
    for (int i = t; i < count; i += N) if (i & 1 && i + 1 < count && i > 0) s[i * stride] -= 0.5f * (s[(i - 1) * stride] + s[(i + 1) * stride]);
    __syncthreads();
    for (int i = t; i < count; i += N) if (!(i & 1) && i > 0 && i + 1 < count) s[i * stride] += 0.25f * (s[(i - 1) * stride] + s[(i + 1) * stride]);
  } else {
    for (int i = t; i < count; i += N) if (!(i & 1) && i > 0 && i + 1 < count) s[i * stride] -= 0.25f * (s[(i - 1) * stride] + s[(i + 1) * stride]);
    __syncthreads();
    for (int i = t; i < count; i += N) if (i & 1 && i + 1 < count && i > 0) s[i * stride] += 0.5f * (s[(i - 1) * stride] + s[(i + 1) * stride]);
  }
  __syncthreads();
}
template <int WIN, class Reader> __global__ void fdwtRows(Reader in, float *out, size_t pitch) {
  __shared__ float s[WIN + 5];
  const int x0 = blockIdx.x * WIN, y = blockIdx.y;
  for (int i = threadIdx.x; i < WIN + 5; i += WIN) s[i] = in(x0 + i - 2, y);
  __syncthreads();
  lift<WIN, false>(s, 1, WIN + 5);
  float *row = (float *)((char *)out + y * pitch);
  const int x = x0 + threadIdx.x, half = (in.w + 1) / 2;
  if (x < in.w) row[x & 1 ? half + x / 2 : x / 2] = s[threadIdx.x + 2];
}
struct Weave : Mirror {
  __device__ float operator()(int x, int y) const { x = fold(x, w); const float *row = (const float *)((const char *)p + y * pitch); return row[x & 1 ? (w + 1) / 2 + x / 2 : x / 2]; }
};
template <int WIN> __global__ void rdwtRows(Weave in, float *out, size_t pitch) {
  __shared__ float s[WIN + 5];
  const int x0 = blockIdx.x * WIN, y = blockIdx.y, x = x0 + threadIdx.x;
  for (int i = threadIdx.x; i < WIN + 5; i += WIN) s[i] = in(x0 + i - 2, y);
  __syncthreads();
  lift<WIN, true>(s, 1, WIN + 5);
  if (x < in.w) *((float *)((char *)out + y * pitch) + x) = s[threadIdx.x + 2];
}
}
int main(int argc, char **argv) {
  using namespace dwt_cuda;
  const int w = 101, h = 37;
  std::vector<float> img(w * h), low(w * h), back(w * h);
  for (int i = 0; i < w * h; i++) img[i] = sinf(i * 0.01f) * 100 + (i * 31 % 17);
  float *a, *b, *c; size_t pa, pb, pc;
  DWT_CHECK(cudaMallocPitch(&a, &pa, w * sizeof(float), h)); DWT_CHECK(cudaMallocPitch(&b, &pb, w * sizeof(float), h)); DWT_CHECK(cudaMallocPitch(&c, &pc, w * sizeof(float), h));
  DWT_CHECK(cudaMemcpy2D(a, pa, img.data(), w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice));
  dim3 g((w + 31) / 32, h);
  fdwtRows<32><<<g, 32>>>(Mirror{a, pa, w, h}, b, pb);
  Weave weave; weave.p = b, weave.pitch = pb, weave.w = w, weave.h = h;
  rdwtRows<32><<<g, 32>>>(weave, c, pc);
  DWT_CHECK(cudaGetLastError());
  DWT_CHECK(cudaMemcpy2D(low.data(), w * sizeof(float), b, pb, w * sizeof(float), h, cudaMemcpyDeviceToHost));
  DWT_CHECK(cudaMemcpy2D(back.data(), w * sizeof(float), c, pc, w * sizeof(float), h, cudaMemcpyDeviceToHost));
  double worst = 0, off = 0;
  auto at = [&](int x, int y) { return (double)img[y * w + (x < 0 ? -x : x >= w ? 2 * w - 2 - x : x)]; };
  auto high = [&](int x, int y) { return at(x, y) - 0.5 * (at(x - 1, y) + at(x + 1, y)); };
  for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {
    double want = x & 1 ? high(x, y) : at(x, y) + 0.25 * (high(x - 1, y) + high(x + 1, y));
    worst = fmax(worst, fabs(low[y * w + (x & 1 ? (w + 1) / 2 + x / 2 : x / 2)] - want));
    off = fmax(off, (x % 32 > 1 && x % 32 < 30) ? fabs(back[y * w + x] - img[y * w + x]) : 0);
  }
  printf("forward differs by %g, back by %g\n", worst, off);
  return worst > 1e-3 || off > 1e-3;
}
