// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the kernels of TransactionTest touch can be counted by hand.

extern "C" {

__global__ void strided(float *out, const float *in, int stride, int shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * stride + shift];
}

__global__ void wide(float4 *out, const float4 *in) {
  out[threadIdx.x] = in[threadIdx.x];
}

// Vectors of PTX, volatile as most of it is.
__global__ void wideByHand(uint4 *out, const uint4 *in) {
  uint4 V;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(V.x), "=r"(V.y), "=r"(V.z), "=r"(V.w)
               : "l"(in + threadIdx.x));
  asm volatile(
      "st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(out + threadIdx.x),
      "r"(V.x), "r"(V.y), "r"(V.z), "r"(V.w));
}

__global__ void wholeNumbers(float *out, const float *in) {
  out[threadIdx.x] = floorf(in[threadIdx.x]);
}

__global__ void broadcast(float *out, const float *in) {
  out[threadIdx.x] = in[0];
}

__global__ void row(float *out, const float *in, int width) {
  out[threadIdx.y * width + threadIdx.x] =
      in[threadIdx.y * width + threadIdx.x];
}

__global__ void guarded(float *out, const float *in, int n) {
  int i = threadIdx.x;
  if (i < n)
    out[i] = in[i];
}

__global__ void banks(float *out, int stride) {
  __shared__ float tile[1024];
  int i = threadIdx.x;
  tile[i * stride] = i;
  __syncthreads();
  out[i] = tile[0];
}

__global__ void wideBanks(float4 *out) {
  __shared__ float4 tile[64];
  tile[threadIdx.x] = make_float4(0, 1, 2, 3);
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

// The assembler places a tile of shared memory, so it knows that a row of eight
// floats is two accesses; of nine floats it does not.
__global__ void rows(float *out) {
  __shared__ float aligned[32][8], shifted[32][9];
  for (int i = threadIdx.x; i < 32 * 8; i += 32)
    aligned[i / 8][i % 8] = shifted[i / 8][i % 8] = 1;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 8; ++i)
    sum += aligned[threadIdx.x][i];
  for (int i = 0; i < 8; ++i)
    sum += shifted[threadIdx.x][i];
  out[threadIdx.x] = sum;
}

__global__ void ratios(float *out, int number) {
  out[threadIdx.x] = out[threadIdx.x + 32] / out[threadIdx.x + 64];
}

__global__ void roundedRatios(float *out, int number) {
  out[threadIdx.x] = __fdiv_rn(out[threadIdx.x + 32], out[threadIdx.x + 64]);
}

__global__ void remainders(int *out, int number) {
  out[threadIdx.x] = int(threadIdx.x) % number;
}

__global__ void reciprocals(float *out, int number) {
  float of;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(of) : "f"(out[threadIdx.x]));
  out[threadIdx.x] = -of;
}

// A float2 is one access; two floats are two, as no one says that they are
// aligned for more.
__global__ void pieces(float2 *out, float *three) {
  out[threadIdx.x].x = 1;
  out[threadIdx.x].y = 2;
  three[3 * threadIdx.x] = 1;
  three[3 * threadIdx.x + 1] = 2;
}

// The store between may change what the second load reads.
__global__ void apart(float2 *out, float2 *in) {
  float x = in[threadIdx.x].x;
  out[threadIdx.x].x = x;
  out[threadIdx.x].y = in[threadIdx.x].y;
}

__global__ void votes(int *out, int spread) {
  __shared__ int bins[32];
  bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x % spread], 1);
  __syncthreads();
  atomicAdd(&out[threadIdx.x % spread], bins[threadIdx.x]);
}

__global__ void sharedBins(int *out, const int *in, int count) {
  __shared__ int bins[32];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < count; ++i)
    atomicAdd(&bins[in[i * 32 + threadIdx.x] & 31], 1);
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x];
}

// Which numbers are added is known when their keys are read.
__global__ void sumOfEqual(float *out, const float *in, const int *keys) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (keys[i] == threadIdx.x)
      sum += in[i];
  out[threadIdx.x] = sum;
}

// The writes may change the keys behind them.
__global__ void countEqual(int *out, const int *keys) {
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (keys[i] == threadIdx.x)
      out[i] = 1;
}

// The atomics may change what later iterations read.
__global__ void globalBins(int *out, const int *in, int count) {
  for (int i = 0; i < count; ++i)
    atomicAdd(&out[in[i * 32 + threadIdx.x] & 31], 1);
}

// In iteration k only lanes from k on read; in every one they are neighbours.
__global__ void triangle(float *out, const float *in) {
  float sum = 0;
  for (int k = 0; k < 32; ++k)
    if (k <= threadIdx.x)
      sum += in[k * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}

// The inner loop is as long as the lane and the outer iteration say.
__global__ void nested(float *out, const float *in) {
  float sum = 0;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 2; ++b)
      for (int c = 0; c < (threadIdx.x + a) % 2 + 1; ++c)
        sum += in[((a * 2 + b) * 2 + c) * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}

__global__ void generic(float *out, float *global, int which) {
  __shared__ float tile[32];
  tile[threadIdx.x] = 1;
  __syncthreads();
  float *p = threadIdx.x < which ? tile : global;
  out[threadIdx.x] = p[threadIdx.x];
}

// Threads of fibers: each exchange is a point where the warp waits.
__global__ void rotate(float *out, const float *in, int rounds) {
  float value = 0;
  for (int k = 0; k < rounds; ++k) {
    value += in[k * 64 + threadIdx.x];
    value = __shfl_xor_sync(~0u, value, 1);
    if (k % 2)
      __syncthreads();
  }
  out[threadIdx.x] = value;
}

__device__ __noinline__ float pick(const float *in, int at, int depth) {
  return depth ? pick(in, at, depth - 1) + in[at] : in[at];
}

// The same access three times without a loop.
__global__ void recursive(float *out, const float *in) {
  out[threadIdx.x] = pick(in, threadIdx.x, 2);
}

struct Particle {
  float values[12];
};

__global__ void moved(Particle *out, const Particle *in) {
  out[threadIdx.x] = in[threadIdx.x];
}

__global__ void classes(float *f, double *d, int *i) {
  int t = threadIdx.x;
  f[t] = f[t] * f[t] + 1.0f;
  d[t] = d[t] * d[t];
  f[t] = sqrtf(f[t]) / f[t];
  i[t] = __shfl_sync(~0u, i[t], 0) + (int)f[t];
}

// A loop of reads that nothing is written between.
__global__ void totals(float *out, const float *in, int count) {
  float sum = 0;
  for (int i = 0; i < count; ++i)
    sum += in[i * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}

// The same for each row.
__global__ void totalsOfRows(float *out, const float *in, int rows, int count) {
  for (int row = 0; row < rows; ++row) {
    float sum = 0;
    for (int i = 0; i < count; ++i)
      sum += in[i * 32 + threadIdx.x];
    out[row * 32 + threadIdx.x] = sum;
  }
}

// A read behind a write that may have changed what is read.
__global__ void behindWrite(float *out, const float *in) {
  out[threadIdx.x] = 1;
  out[threadIdx.x + 32] = in[threadIdx.x];
}

__global__ void wholes(float *out, int number) {
  out[threadIdx.x] = float(number);
}

__global__ void sums(int *out, int number) {
  out[threadIdx.x] = out[threadIdx.x + 32] + out[threadIdx.x + 64] +
                     out[threadIdx.x + 96] + out[threadIdx.x + 128];
}

__global__ void scaled(float *out, const float *in) {
  out[threadIdx.x] = in[size_t(threadIdx.x) * 32];
}

__global__ void powers(float *out, int number) {
  float one, other;
  float a = out[threadIdx.x], b = out[threadIdx.x + 32];
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(one) : "f"(a));
  out[threadIdx.x] = one * a;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(other) : "f"(b));
  out[threadIdx.x + 32] = other * b;
}

__global__ void manyReads(float *out, const float *in) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 32; ++i)
    sum += in[i * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}

// The sum needs what may have been read before; the last read does not.
__global__ void guardedPair(float *out, const float *in, int count) {
  float first = 0;
  if (threadIdx.x < count)
    first = in[threadIdx.x];
  out[threadIdx.x] = (first + 1) * in[threadIdx.x * 3];
}
}
