// Attention in tiles with running maxima, as kernels of transformers have it, against the plain formula; rotary positions, a layer norm and AdamW beside it.
#include <cassert>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_bf16.h>
#include <vector>
#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))
#define cudaCheck(err) (cuda_check((err), __FILE__, __LINE__))
void cuda_check(cudaError_t error, const char *file, int line) {
  if (error != cudaSuccess) {
    printf("[CUDA ERROR] at file %s:%d:\n%s\n", file, line, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
  }
}
template <int Br, int Bc, int D>
__global__ void flash(const float *__restrict__ Q, const float *__restrict__ K, const float *__restrict__ V, float *O, int N, float scale, bool causal) {
  extern __shared__ float sram[];
  float *Kj = sram, *Vj = sram + Bc * D;
  const int head = blockIdx.y, row = blockIdx.x * Br + threadIdx.x;
  const size_t base = (size_t)head * N * D;
  float q[D], acc[D] = {0.f}, m = -FLT_MAX, l = 0.f;
#pragma unroll
  for (int x = 0; x < D; x++) q[x] = row < N ? Q[base + row * D + x] * scale : 0.f;
  for (int j = 0; j < CEIL_DIV(N, Bc); j++) {
    __syncthreads();
    for (int i = threadIdx.x; i < Bc * D; i += Br) {
      bool in = j * Bc * D + i < N * D;
      Kj[i] = in ? K[base + j * Bc * D + i] : 0.f;
      Vj[i] = in ? V[base + j * Bc * D + i] : 0.f;
    }
    __syncthreads();
    if (row < N)
      for (int y = 0; y < Bc && j * Bc + y < N; y++) {
        if (causal && j * Bc + y > row) break;
        float s = 0.f;
#pragma unroll
        for (int x = 0; x < D; x++) s += q[x] * Kj[y * D + x];
        float m_new = fmaxf(m, s), corr = __expf(m - m_new), p = __expf(s - m_new);
        l = l * corr + p;
#pragma unroll
        for (int x = 0; x < D; x++) acc[x] = acc[x] * corr + p * Vj[y * D + x];
        m = m_new;
      }
  }
  if (row < N)
    for (int x = 0; x < D; x++) O[base + row * D + x] = acc[x] / l;
}
__global__ void rope(float *x, int N, int D) {
  int pos = blockIdx.x, i = threadIdx.x;
  float f = powf(10000.f, -2.f * i / D), s, c;
  sincosf(pos * f, &s, &c);
  float2 *p = reinterpret_cast<float2 *>(x + pos * D) + i, v = *p;
  *p = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
}
__device__ float warpReduceSum(float v) {
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xFFFFFFFF, v, o);
  return v;
}
__global__ void layernorm(float *out, __nv_bfloat16 *half, const float *inp, const float *w, int N, int C) {
  int lane = threadIdx.x % 32, idx = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (idx >= N) return;
  const float *x = inp + idx * C;
  float sum = 0, sum2 = 0;
  for (int i = lane; i < C; i += 32) sum += x[i], sum2 += x[i] * x[i];
  float mean = warpReduceSum(sum) / C, var = warpReduceSum(sum2) / C - mean * mean, rstd = rsqrtf(var + 1e-5f);
  for (int c = lane; c < C; c += 32) {
    float n = rstd * (__ldcs(x + c) - mean) * w[c];
    __stcs(out + idx * C + c, n);
    half[idx * C + c] = __float2bfloat16(n);
  }
}
template <typename Tp> __global__ void adamw(Tp *params, const float *grads, float *m, float *v, long n, float lr, float b1, float b2, float c1, float c2, float eps, float wd) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  float g = grads[i], mm = fmaf(b1, m[i], fmaf(-b1, g, g)), vv = fmaf(b2, v[i], fmaf(-b2, g * g, g * g));
  m[i] = mm, v[i] = vv;
  params[i] -= lr * (mm / c1 / (sqrtf(vv / c2) + eps) + wd * params[i]);
}
int main() {
  const int H = 3, N = 75, D = 32;
  std::vector<float> q(H * N * D), k(q.size()), v(q.size()), o(q.size());
  srand(1);
  for (auto *x : {&q, &k, &v})
    for (auto &e : *x) e = rand() / (float)RAND_MAX - 0.5f;
  float *d[5];
  for (auto &p : d) cudaCheck(cudaMalloc(&p, q.size() * sizeof(float)));
  cudaMemcpy(d[0], q.data(), q.size() * 4, cudaMemcpyHostToDevice), cudaMemcpy(d[1], k.data(), q.size() * 4, cudaMemcpyHostToDevice), cudaMemcpy(d[2], v.data(), q.size() * 4, cudaMemcpyHostToDevice);
  double worst = 0;
  for (int causal = 0; causal < 2; causal++) {
    const int smem = 2 * 16 * D * sizeof(float);
    flash<32, 16, D><<<dim3(CEIL_DIV(N, 32), H), 32, smem>>>(d[0], d[1], d[2], d[3], N, 1 / sqrtf(D), causal);
    cudaCheck(cudaGetLastError());
    cudaCheck(cudaMemcpy(o.data(), d[3], o.size() * 4, cudaMemcpyDeviceToHost));
    for (int h = 0; h < H; h++)
      for (int i = 0; i < N; i += 5) {
        std::vector<double> p(N, 0);
        double sum = 0;
        for (int j = 0; j < (causal ? i + 1 : N); j++) {
          for (int x = 0; x < D; x++) p[j] += q[(h * N + i) * D + x] * k[(h * N + j) * D + x] / sqrt(D);
          sum += p[j] = exp(p[j]);
        }
        for (int x = 0; x < D; x++) {
          double want = 0;
          for (int j = 0; j < N; j++) want += p[j] / sum * v[(h * N + j) * D + x];
          worst = fmax(worst, fabs(want - o[(h * N + i) * D + x]));
        }
      }
  }
  rope<<<N, D / 2>>>(d[0], N, D);
  __nv_bfloat16 *half;
  cudaCheck(cudaMalloc(&half, N * D * sizeof(*half)));
  layernorm<<<CEIL_DIV(N, 4), 128>>>(d[3], half, d[0], d[1], N, D);
  std::vector<float> n(N * D);
  cudaCheck(cudaMemcpy(n.data(), d[3], n.size() * 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; i += 9) {
    std::vector<double> x(D);
    double mean = 0, var = 0;
    for (int c = 0; c < D / 2; c++) {
      double a = i * pow(10000., -2. * c / D), e = q[i * D + 2 * c], f = q[i * D + 2 * c + 1];
      x[2 * c] = e * cos(a) - f * sin(a), x[2 * c + 1] = e * sin(a) + f * cos(a);
    }
    for (double e : x) mean += e / D;
    for (double e : x) var += (e - mean) * (e - mean) / D;
    for (int c = 0; c < D; c++) worst = fmax(worst, fabs((x[c] - mean) / sqrt(var + 1e-5) * k[c] - n[i * D + c]));
  }
  cudaMemset(d[3], 0, q.size() * 4), cudaMemset(d[4], 0, q.size() * 4);
  for (int t = 1; t <= 3; t++)
    adamw<<<CEIL_DIV(q.size(), 512), 512>>>(d[2], d[1], d[3], d[4], (long)q.size(), 1e-2f, 0.9f, 0.999f, 1 - powf(0.9f, t), 1 - powf(0.999f, t), 1e-8f, 0.1f);
  cudaCheck(cudaMemcpy(o.data(), d[2], o.size() * 4, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < q.size(); i += 101) {
    double p = v[i];
    for (int t = 0; t < 3; t++) p -= 1e-2 * (k[i] / (fabs(k[i]) + 1e-8) + 0.1 * p);
    worst = fmax(worst, fabs(p - o[i]) / 10);
  }
  printf("worst %g\n", worst);
  return worst > 1e-4;
}
