// Inline assembly of all kinds, as hand-tuned kernels have it.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

__device__ __forceinline__ uint32_t lop3_majority(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t d;
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ __forceinline__ uint32_t bfe(uint32_t x, int at, int bits) {
  uint32_t y;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(y) : "r"(x), "r"(at), "r"(bits));
  return y;
}
__device__ uint64_t mul_wide_carry(uint64_t a, uint64_t b, uint64_t *hi) {
  uint64_t lo;
  asm volatile("{\n\t"
               ".reg .u64 t;\n\t"
               "mul.lo.u64 t, %2, %3;\n\t"
               "mul.hi.u64 %1, %2, %3;\n\t"
               "add.cc.u64 %0, t, 1;\n\t"
               "addc.u64 %1, %1, 0;\n\t"
               "}"
               : "=l"(lo), "=&l"(*hi)
               : "l"(a), "l"(b));
  return lo;
}
__device__ __forceinline__ float4 ld_nc(const float4 *p) {
  float4 v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
  return v;
}
__device__ __forceinline__ void st_cs(float4 *p, float4 v) {
  asm volatile("st.global.cs.v4.f32 [%0], {%1,%2,%3,%4};" ::"l"(p), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
}
__device__ __forceinline__ uint32_t smem_addr(const void *p) {
  uint32_t a;
  asm("{ .reg .u64 u64addr; cvta.to.shared.u64 u64addr, %1; cvt.u32.u64 %0, u64addr; }" : "=r"(a) : "l"(p));
  return a;
}
__device__ __forceinline__ unsigned my_lane() {
  unsigned lane;
  asm volatile("mov.u32 %0, %laneid;" : "=r"(lane));
  return lane;
}
__device__ __forceinline__ unsigned long long timer() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}
__device__ __forceinline__ bool elect_one() {
  uint32_t pred = 0;
  asm volatile("{\n.reg .pred p;\nsetp.eq.u32 p, %1, 0;\n@p mov.u32 %0, 1;\n@!p mov.u32 %0, 0;\n}\n" : "=r"(pred) : "r"(my_lane()));
  return pred;
}

__global__ void mixed(const float4 *in, float4 *out, uint32_t *bits, uint64_t *wide, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long t0 = timer();
  uint32_t at = smem_addr(&tile[threadIdx.x]);
  if (i < n) {
    float4 v = ld_nc(in + i);
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(v.x + v.w) : "memory");
  }
  asm volatile("bar.sync 0;" ::: "memory");
  if (i < n) {
    float other, fast;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(other) : "r"(smem_addr(&tile[threadIdx.x ^ 1])));
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(fast) : "f"(other), "f"(2.0f), "f"(1.0f));
    st_cs(out + i, make_float4(other, fast, float(my_lane()), elect_one() ? 1.0f : 0.0f));
    uint32_t x = i * 2654435761u, y = x >> 7, z;
    asm("prmt.b32 %0, %1, %2, 0x3175;" : "=r"(z) : "r"(x), "r"(y));
    asm("{ .reg .u32 a; shf.l.wrap.b32 a, %1, %1, 5; xor.b32 %0, a, %2; }" : "=r"(z) : "r"(z), "r"(lop3_majority(x, y, ~x)));
    int leading, ones;
    asm("clz.b32 %0, %1;" : "=r"(leading) : "r"(x));
    asm("popc.b32 %0, %1;" : "=r"(ones) : "r"(x));
    bits[i] = z + bfe(x, 5, 9) + leading * 1000 + ones;
    uint64_t hi, lo = mul_wide_carry(x * 0x100000001ull, ~uint64_t(y), &hi);
    wide[2 * i] = lo, wide[2 * i + 1] = hi;
    if (timer() < t0)
      bits[i] = 0;
  }
}

int main() {
  const int n = 300;
  float4 *in, *out;
  uint32_t *bits;
  uint64_t *wide;
  cudaMallocManaged(&in, n * sizeof *in), cudaMallocManaged(&out, n * sizeof *out);
  cudaMallocManaged(&bits, n * sizeof *bits), cudaMallocManaged(&wide, 2 * n * sizeof *wide);
  for (int i = 0; i < n; i++)
    in[i] = make_float4(i, 1, 2, 0.5f * i);
  mixed<<<3, 128>>>(in, out, bits, wide, n);
  cudaError_t e = cudaDeviceSynchronize();
  int bad = e != cudaSuccess;
  for (int i = 0; i < n && !bad; i++) {
    uint32_t x = i * 2654435761u, y = x >> 7;
    uint8_t b[8];
    for (int k = 0; k < 4; k++)
      b[k] = x >> 8 * k, b[4 + k] = y >> 8 * k;
    uint32_t z = b[5] | b[7] << 8 | b[1] << 16 | uint32_t(b[3]) << 24;
    z = (z << 5 | z >> 27) ^ ((x & y) | (x & ~x) | (y & ~x));
    z += (x >> 5 & 511) + (x ? __builtin_clz(x) : 32) * 1000 + __builtin_popcount(x);
    unsigned __int128 p = (unsigned __int128)(x * 0x100000001ull) * ~uint64_t(y) + 1;
    int o = i ^ 1;
    bad += bits[i] != z || wide[2 * i] != uint64_t(p) || wide[2 * i + 1] != uint64_t(p >> 64);
    bad += out[i].x != 1.5f * o || out[i].y != 3.0f * o + 1 || out[i].z != i % 32 || out[i].w != (i % 32 == 0);
  }
  printf("%s: %s\n", cudaGetErrorString(e), bad ? "FAILED" : "PASSED");
  cudaFree(in), cudaFree(out), cudaFree(bits), cudaFree(wide);
  return bad != 0;
}
