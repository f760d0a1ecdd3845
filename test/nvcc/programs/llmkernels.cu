// Kernels of a language model as one-file trainers have them: packed loads,
// streaming stores, reductions of cooperative groups, types by a macro.
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#define WARP_SIZE 32U
#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))
#define cudaCheck(err) (cudaCheck_(err, __FILE__, __LINE__))
inline void cudaCheck_(cudaError_t error, const char *file, int line) {
  if (error != cudaSuccess) {
    printf("[CUDA ERROR] at file %s:%d:\n%s\n", file, line, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
  }
};
typedef __nv_bfloat16 floatX;

template <class ElementType> struct alignas(16) Packed128 {
  Packed128() = default;
  __device__ explicit Packed128(int4 bits) {
    static_assert(sizeof(bits) == sizeof(payload), "Size mismatch.");
    memcpy(&payload, &bits, sizeof(bits));
  }
  __device__ static Packed128 constant(ElementType value) {
    Packed128 result;
    for (int k = 0; k < size; ++k)
      result.payload[k] = value;
    return result;
  }
  __device__ ElementType &operator[](int index) { return payload[index]; }
  __device__ const ElementType &operator[](int index) const { return payload[index]; }
  __device__ int4 get_bits() const {
    int4 bits;
    memcpy(&bits, &payload, sizeof(bits));
    return bits;
  }
  static constexpr const size_t size = sizeof(int4) / sizeof(ElementType);
  ElementType payload[size];
};
typedef Packed128<floatX> x128;
template <class E> __device__ Packed128<E> load128(const E *address) {
  return Packed128<E>{*reinterpret_cast<const int4 *>(address)};
}
template <class E> __device__ Packed128<E> load128cs(const E *address) {
  return Packed128<E>{__ldcs(reinterpret_cast<const int4 *>(address))};
}
template <class E> __device__ void store128(E *target, Packed128<E> value) {
  *reinterpret_cast<int4 *>(target) = value.get_bits();
}
template <class E> __device__ void store128cs(E *target, Packed128<E> value) {
  __stcs(reinterpret_cast<int4 *>(target), value.get_bits());
}
template <class E> __device__ void store128cg(E *target, Packed128<E> value) {
  __stcg(reinterpret_cast<int4 *>(target), value.get_bits());
}

__device__ inline float warpReduceSum(float val) {
  for (int offset = 16; offset > 0; offset /= 2)
    val += __shfl_xor_sync(0xFFFFFFFF, val, offset);
  return val;
}
__device__ inline float warpReduceMax(float val) {
  for (int offset = 16; offset > 0; offset /= 2)
    val = fmaxf(val, __shfl_xor_sync(0xFFFFFFFF, val, offset));
  return val;
}
using reduction_func_t = float (*)(float);
template <reduction_func_t warp_reduction>
__device__ inline float blockReduce(float val, bool final_sync = false, float out_of_bounds = 0.0f) {
  __shared__ float shared_val[WARP_SIZE];
  const int lane_id = threadIdx.x % WARP_SIZE;
  const int warp_id = threadIdx.x / WARP_SIZE;
  const int num_warps = blockDim.x / WARP_SIZE;
  float warp_val = warp_reduction(val);
  if (lane_id == 0)
    shared_val[warp_id] = warp_val;
  __syncthreads();
  warp_val = (lane_id < num_warps) ? shared_val[lane_id] : out_of_bounds;
  float block_val = warp_reduction(warp_val);
  if (final_sync)
    __syncthreads();
  return block_val;
}

__global__ void layernorm_forward_kernel3(floatX *__restrict__ out, float *__restrict__ mean, float *__restrict__ rstd,
                                          const floatX *__restrict__ inp, const floatX *__restrict__ weight,
                                          const floatX *__restrict__ bias, int N, int C) {
  namespace cg = cooperative_groups;
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int idx = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (idx >= N)
    return;
  const floatX *x = inp + idx * C;
  float sum = 0.0f;
  for (int i = warp.thread_rank(); i < C; i += warp.size())
    sum += (float)x[i];
  sum = cg::reduce(warp, sum, cg::plus<float>{});
  float m = sum / C;
  if (warp.thread_rank() == 0 && mean != nullptr)
    __stcs(mean + idx, m);
  sum = 0.0f;
  for (int i = warp.thread_rank(); i < C; i += warp.size()) {
    float diff = (float)x[i] - m;
    sum += diff * diff;
  }
  sum = cg::reduce(warp, sum, cg::plus<float>{});
  float s = rsqrtf(sum / C + 1e-5f);
  if (warp.thread_rank() == 0 && rstd != nullptr)
    __stcs(rstd + idx, s);
  floatX *o = out + idx * C;
  for (int c = warp.thread_rank(); c < C; c += warp.size()) {
    float n = s * ((float)__ldcs(x + c) - m);
    __stcs(o + c, (floatX)(n * (float)weight[c] + (float)bias[c]));
  }
}

#define GELU_SCALING_FACTOR sqrtf(2.0f / M_PI)
__global__ void gelu_forward_kernel2(floatX *out, const floatX *inp) {
  int idx = (blockIdx.x * blockDim.x + threadIdx.x) * x128::size;
  x128 packed_out;
  x128 packed_inp = load128cs(inp + idx);
  for (int k = 0; k < packed_inp.size; ++k) {
    float xi = (float)packed_inp[k];
    float cube = 0.044715f * xi * xi * xi;
    packed_out[k] = (floatX)(0.5f * xi * (1.0f + tanhf(GELU_SCALING_FACTOR * (xi + cube))));
  }
  store128(out + idx, packed_out);
}

__global__ void softmax_forward(float *probs, const float *logits, int V) {
  const float *row = logits + (size_t)blockIdx.x * V;
  float maxval = -FLT_MAX;
  for (int i = threadIdx.x; i < V; i += blockDim.x)
    maxval = fmaxf(maxval, row[i]);
  maxval = blockReduce<warpReduceMax>(maxval, true, -FLT_MAX);
  float sum = 0;
  for (int i = threadIdx.x; i < V; i += blockDim.x)
    sum += expf(row[i] - maxval);
  sum = blockReduce<warpReduceSum>(sum);
  for (int i = threadIdx.x; i < V; i += blockDim.x)
    __stcs(probs + (size_t)blockIdx.x * V + i, expf(row[i] - maxval) / sum);
}

__global__ void residual_forward(floatX *out, const floatX *a, const floatX *b) {
  int idx = (blockIdx.x * blockDim.x + threadIdx.x) * x128::size;
  x128 packed_out, pa = load128cs(a + idx), pb = load128(b + idx);
  for (int k = 0; k < pa.size; k++)
    packed_out[k] = (floatX)((float)pa[k] + (float)pb[k]);
  store128cs(out + idx, packed_out);
}

static float bf(float f) { return __bfloat162float(__float2bfloat16(f)); }

int main() {
  const int N = 12, C = 128;
  floatX *x, *w, *b, *o, *g, *r;
  float *mean, *rstd, *p, *l;
  cudaCheck(cudaMallocManaged(&x, N * C * sizeof(floatX)));
  cudaCheck(cudaMallocManaged(&o, N * C * sizeof(floatX)));
  cudaCheck(cudaMallocManaged(&g, N * C * sizeof(floatX)));
  cudaCheck(cudaMallocManaged(&r, N * C * sizeof(floatX)));
  cudaCheck(cudaMallocManaged(&w, C * sizeof(floatX)));
  cudaCheck(cudaMallocManaged(&b, C * sizeof(floatX)));
  cudaCheck(cudaMallocManaged(&mean, N * sizeof(float)));
  cudaCheck(cudaMallocManaged(&rstd, N * sizeof(float)));
  cudaCheck(cudaMallocManaged(&l, N * C * sizeof(float)));
  cudaCheck(cudaMallocManaged(&p, N * C * sizeof(float)));
  for (int i = 0; i < N * C; i++)
    x[i] = __float2bfloat16((float)((i * 37) % 101) / 50.0f - 1.0f), l[i] = sinf(i) * 5;
  for (int i = 0; i < C; i++)
    w[i] = __float2bfloat16(1.0f + i % 3), b[i] = __float2bfloat16(0.25f * (i % 5));
  layernorm_forward_kernel3<<<CEIL_DIV(N * 32, 128), 128>>>(o, mean, rstd, x, w, b, N, C);
  cudaCheck(cudaGetLastError());
  gelu_forward_kernel2<<<CEIL_DIV(N * C, 64 * (int)x128::size), 64>>>(g, x);
  residual_forward<<<CEIL_DIV(N * C, 64 * (int)x128::size), 64>>>(r, g, o);
  softmax_forward<<<N, 96>>>(p, l, C);
  cudaCheck(cudaDeviceSynchronize());
  int bad = 0;
  for (int n = 0; n < N; n++) {
    double m = 0, v = 0, top = -1e30, sum = 0;
    for (int c = 0; c < C; c++)
      m += (float)x[n * C + c] / C, top = fmax(top, l[n * C + c]);
    for (int c = 0; c < C; c++)
      v += pow((float)x[n * C + c] - m, 2) / C, sum += exp(l[n * C + c] - top);
    for (int c = 0; c < C; c++) {
      int i = n * C + c;
      float xi = x[i], norm = (xi - m) / sqrt(v + 1e-5) * (float)w[c] + (float)b[c];
      float gelu = 0.5 * xi * (1 + tanh(sqrt(2 / M_PI) * (xi + 0.044715 * xi * xi * xi)));
      bad += fabs((float)o[i] - norm) > 0.02 + fabs(norm) * 0.01;
      bad += fabs((float)g[i] - gelu) > 0.01;
      bad += fabs((float)r[i] - bf((float)g[i] + (float)o[i])) > 1e-6;
      bad += fabs(p[i] - exp(l[i] - top) / sum) > 1e-5;
    }
  }
  printf("%d differ: %s\n", bad, bad ? "FAILED" : "PASSED");
  return bad != 0;
}
