// Numbers of 16 and 8 bits: packed halves, conversions, dot products of four
// bytes, quantisation by blocks of 32.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include "helper_check.h"

#define QK8_0 32
typedef struct {
  half d;
  int8_t qs[QK8_0];
} block_q8_0;
static_assert(sizeof(block_q8_0) == sizeof(half) + QK8_0, "wrong q8_0 block size/padding");

static __device__ __forceinline__ int get_int_from_int8(const int8_t *x8, const int &i32) {
  const uint16_t *x16 = (const uint16_t *)(x8 + sizeof(int) * i32);
  int x32 = 0;
  x32 |= x16[0] << 0;
  x32 |= x16[1] << 16;
  return x32;
}

static __device__ __forceinline__ float warp_reduce_max(float x) {
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1)
    x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, mask, 32));
  return x;
}

static __global__ void quantize_q8_0(const float *__restrict__ x, void *__restrict__ vy, const int k) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  block_q8_0 *y = (block_q8_0 *)vy;
  const float xi = i < k ? x[i] : 0.0f;
  const float amax = warp_reduce_max(fabsf(xi));
  const float d = amax / 127;
  y[i / QK8_0].qs[i % QK8_0] = amax == 0.0f ? 0 : roundf(xi / d);
  if (i % QK8_0 == 0)
    reinterpret_cast<half &>(y[i / QK8_0].d) = __float2half(d);
}

static __global__ void vec_dot(const void *vx, const void *vy, float *out, int blocks) {
  const block_q8_0 *x = (const block_q8_0 *)vx, *y = (const block_q8_0 *)vy;
  float sum = 0;
  for (int b = threadIdx.x; b < blocks; b += blockDim.x) {
    int sumi = 0;
#pragma unroll
    for (int i = 0; i < QK8_0 / 4; i++)
      sumi = __dp4a(get_int_from_int8(x[b].qs, i), get_int_from_int8(y[b].qs, i), sumi);
    sum += __half2float(x[b].d) * __half2float(y[b].d) * sumi;
  }
  atomicAdd(out, sum);
}

static __global__ void axpy_half2(const half2 *x, half2 *y, half a, int n) {
  half2 a2 = __half2half2(a), low = __float2half2_rn(-2.0f);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    half2 v = __hfma2(a2, x[i], y[i]);
    y[i] = __hbgt2(v, low) ? v : __halves2half2(__hmax(__low2half(v), __low2half(low)), __hmax(__high2half(v), __high2half(low)));
  }
}

int main() {
  const int n = 64 * QK8_0;
  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; i++)
    a[i] = sinf(i * 0.13f) * (1 + i % 3), b[i] = cosf(i * 0.29f);
  float *d_x, *d_out, out, zero = 0;
  void *qa, *qb;
  checkCudaErrors(cudaMalloc(&d_x, n * 4)), checkCudaErrors(cudaMalloc(&d_out, 4));
  checkCudaErrors(cudaMalloc(&qa, n / QK8_0 * sizeof(block_q8_0))), checkCudaErrors(cudaMalloc(&qb, n / QK8_0 * sizeof(block_q8_0)));
  checkCudaErrors(cudaMemcpy(d_x, a.data(), n * 4, cudaMemcpyHostToDevice));
  quantize_q8_0<<<n / 256, 256>>>(d_x, qa, n);
  checkCudaErrors(cudaMemcpy(d_x, b.data(), n * 4, cudaMemcpyHostToDevice));
  quantize_q8_0<<<n / 256, 256>>>(d_x, qb, n);
  checkCudaErrors(cudaMemcpy(d_out, &zero, 4, cudaMemcpyHostToDevice));
  vec_dot<<<1, 64>>>(qa, qb, d_out, n / QK8_0);
  checkCudaErrors(cudaMemcpy(&out, d_out, 4, cudaMemcpyDeviceToHost));
  double expected = 0;
  for (int i = 0; i < n; i++)
    expected += a[i] * b[i];
  int bad = fabs(out - expected) > 0.5;
  printf("dot %f, expected %f\n", out, expected);

  std::vector<half> hx(n), hy(n), got(n);
  for (int i = 0; i < n; i++)
    hx[i] = __float2half(a[i]), hy[i] = __float2half(b[i]);
  half *d_hx, *d_hy;
  checkCudaErrors(cudaMalloc(&d_hx, n * 2)), checkCudaErrors(cudaMalloc(&d_hy, n * 2));
  checkCudaErrors(cudaMemcpy(d_hx, hx.data(), n * 2, cudaMemcpyHostToDevice));
  checkCudaErrors(cudaMemcpy(d_hy, hy.data(), n * 2, cudaMemcpyHostToDevice));
  axpy_half2<<<4, 128>>>((half2 *)d_hx, (half2 *)d_hy, __float2half(1.5f), n / 2);
  checkCudaErrors(cudaMemcpy(got.data(), d_hy, n * 2, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    float v = fmaxf(1.5f * __half2float(hx[i]) + __half2float(hy[i]), -2.0f);
    bad += fabsf(__half2float(got[i]) - v) > 0.002f * (1 + fabsf(v));
  }
  puts(bad ? "FAILED" : "PASSED");
  cudaFree(d_x), cudaFree(d_out), cudaFree(qa), cudaFree(qb), cudaFree(d_hx), cudaFree(d_hy);
  return bad;
}
