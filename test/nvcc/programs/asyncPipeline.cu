// Tiles copied ahead of their use by the pipelines and barriers of libcu++, and
// the last block that finds itself so adds up.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cstdio>
#include <cmath>
#include <vector>
#include <helper_check.h>

namespace cg = cooperative_groups;
#define TILE 64
#define STAGES 2

__device__ unsigned int ticket = 0;

__global__ void dotPipeline(const float *__restrict__ a, const float *__restrict__ b, int tiles, double *partial, double *result) {
  __shared__ float sa[STAGES][TILE], sb[STAGES][TILE];
  __shared__ bool last;
  auto block = cg::this_thread_block();
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope::thread_scope_block, STAGES> state;
  auto pipeline = cuda::make_pipeline(block, &state);
  double sum = 0;
  int first = blockIdx.x, ahead = first;
  for (int t = first; t < tiles; t += gridDim.x) {
    for (; ahead < tiles && ahead < t + STAGES * (int)gridDim.x; ahead += gridDim.x) {
      int s = (ahead - first) / gridDim.x % STAGES;
      pipeline.producer_acquire();
      cuda::memcpy_async(block, sa[s], a + ahead * TILE, sizeof(float) * TILE, pipeline);
      cuda::memcpy_async(block, sb[s], b + ahead * TILE, sizeof(float) * TILE, pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    int s = (t - first) / gridDim.x % STAGES;
    sum += sa[s][threadIdx.x] * sb[s][threadIdx.x];
    pipeline.consumer_release();
  }
  __shared__ double sums[TILE];
  sums[threadIdx.x] = sum;
  block.sync();
  for (int d = TILE / 2; d; d /= 2) {
    if (threadIdx.x < d)
      sums[threadIdx.x] += sums[threadIdx.x + d];
    block.sync();
  }
  if (block.thread_rank() == 0) {
    partial[blockIdx.x] = sums[0];
    __threadfence();
    last = atomicInc(&ticket, gridDim.x) == gridDim.x - 1;
  }
  block.sync();
  if (last && threadIdx.x == 0) {
    double all = 0;
    for (int i = 0; i < gridDim.x; i++)
      all += ((volatile double *)partial)[i];
    *result = all;
    ticket = 0;
  }
}

__global__ void smooth(const float *in, float *out, int n) {
  __shared__ float tile[TILE + 2];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0)
    init(&bar, block.size());
  block.sync();
  int base = blockIdx.x * TILE;
  cuda::memcpy_async(block, tile + 1, in + base, sizeof(float) * TILE, bar);
  if (threadIdx.x == 0)
    tile[0] = base ? in[base - 1] : in[0];
  if (threadIdx.x == TILE - 1)
    tile[TILE + 1] = base + TILE < n ? in[base + TILE] : in[n - 1];
  bar.arrive_and_wait();
  out[base + threadIdx.x] = (tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2]) / 3.0f;
}

int main() {
  const int tiles = 20, n = tiles * TILE;
  std::vector<float> a(n), b(n), s(n);
  double expected = 0, got, *d_partial, *d_result;
  for (int i = 0; i < n; i++)
    a[i] = i % 7 - 3, b[i] = i % 5, expected += a[i] * b[i];
  float *d_a, *d_b, *d_s;
  checkCudaErrors(cudaMalloc(&d_a, n * 4)), checkCudaErrors(cudaMalloc(&d_b, n * 4)), checkCudaErrors(cudaMalloc(&d_s, n * 4));
  checkCudaErrors(cudaMalloc(&d_partial, 8 * sizeof(double))), checkCudaErrors(cudaMalloc(&d_result, sizeof(double)));
  checkCudaErrors(cudaMemcpy(d_a, a.data(), n * 4, cudaMemcpyHostToDevice));
  checkCudaErrors(cudaMemcpy(d_b, b.data(), n * 4, cudaMemcpyHostToDevice));
  int bad = 0;
  for (int again = 0; again < 2; again++) {
    dotPipeline<<<6, TILE>>>(d_a, d_b, tiles, d_partial, d_result);
    checkCudaErrors(cudaMemcpy(&got, d_result, sizeof got, cudaMemcpyDeviceToHost));
    bad += got != expected;
  }
  smooth<<<tiles, TILE>>>(d_a, d_s, n);
  checkCudaErrors(cudaMemcpy(s.data(), d_s, n * 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++)
    bad += fabsf(s[i] - (a[i ? i - 1 : 0] + a[i] + a[i < n - 1 ? i + 1 : i]) / 3.0f) > 1e-6f;
  printf("%g: %s\n", got, bad ? "FAILED" : "PASSED");
  cudaFree(d_a), cudaFree(d_b), cudaFree(d_s), cudaFree(d_partial), cudaFree(d_result);
  return bad != 0;
}
