// Feature: assembly: Inline PTX on integers: carries, wide products, fields, permutations, packed arithmetic.
#include "Inputs/suite.h"

#include <cstdint>

// 128-bit sum, by the carry flag within one statement.
__device__ void add128(const uint32_t *A, const uint32_t *B, uint32_t *Out) {
  asm("{ add.cc.u32 %0, %4, %8;\n\t"
      "addc.cc.u32 %1, %5, %9;\n\t"
      "addc.cc.u32 %2, %6, %10;\n\t"
      "addc.u32 %3, %7, %11; }"
      : "=r"(Out[0]), "=r"(Out[1]), "=r"(Out[2]), "=r"(Out[3])
      : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "r"(B[0]), "r"(B[1]),
        "r"(B[2]), "r"(B[3]));
}

__global__ void sums(const uint32_t *A, const uint32_t *B, uint32_t *Out) {
  int I = 4 * threadIdx.x;
  add128(A + I, B + I, Out + I);
}

__global__ void bits(const uint32_t *In, uint32_t *Out, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  uint32_t X = In[I], Y = In[(I + 1) % Count], R;
  uint32_t *To = Out + 12 * I;
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(R) : "r"(X), "r"(Y), "r"(X ^ 5));
  To[0] = R;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(R) : "r"(X), "r"(Y & 31), "n"(7));
  To[1] = R;
  asm("bfi.b32 %0, %1, %2, 4, 9;" : "=r"(R) : "r"(X), "r"(Y));
  To[2] = R;
  asm("prmt.b32 %0, %1, %2, 0x2507;" : "=r"(R) : "r"(X), "r"(Y));
  To[3] = R;
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(R) : "r"(X), "r"(Y), "r"(X));
  To[4] = R;
  asm("{ .reg .pred p; setp.gt.s32 p, %1, %2; mov.u32 %0, 1; @p mov.u32 %0, 2; }"
      : "=r"(R)
      : "r"(X), "r"(Y));
  To[5] = R;
  uint64_t Wide;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(Wide) : "r"(X), "r"(Y), "l"(7ull));
  To[6] = uint32_t(Wide);
  To[7] = uint32_t(Wide >> 32);
  asm("{ .reg .b16 lo, hi; mov.b32 {lo, hi}, %1; mov.b32 %0, {hi, lo}; }"
      : "=r"(R)
      : "r"(X));
  To[8] = R;
  To[9] = __vadd4(X, Y);
  To[10] = __vabsdiffu2(X, Y);
  To[11] = __vcmpgts2(X, Y);
}

static uint32_t half(uint32_t V, int N) { return V >> (16 * N) & 0xffff; }

static std::vector<uint32_t> expectedBits(uint32_t X, uint32_t Y) {
  uint32_t Z = X ^ 5, P = Y & 31;
  uint64_t Both = uint64_t(Y) << 32 | X, Wide = uint64_t(X) * Y + 7;
  uint32_t Permuted = 0, Sum = 0, Difference = 0, Greater = 0;
  for (int N = 0; N < 4; ++N) {
    Permuted |= uint32_t(Both >> 8 * (0x2507 >> 4 * N & 7) & 0xff) << 8 * N;
    Sum |= ((X >> 8 * N) + (Y >> 8 * N) & 0xff) << 8 * N;
  }
  for (int N = 0; N < 2; ++N) {
    int A = half(X, N), B = half(Y, N);
    Difference |= uint32_t(A > B ? A - B : B - A) << 16 * N;
    Greater |= (int16_t(A) > int16_t(B) ? 0xffffu : 0u) << 16 * N;
  }
  return {(X & Y) | (X & Z) | (Y & Z),
          X >> P & (P > 25 ? (1u << (32 - P)) - 1 : 0x7fu),
          (X & 0x1ff) << 4 | (Y & ~(0x1ffu << 4)),
          Permuted,
          uint32_t(Both << (X & 31) >> 32),
          int32_t(X) > int32_t(Y) ? 2u : 1u,
          uint32_t(Wide),
          uint32_t(Wide >> 32),
          X << 16 | X >> 16,
          Sum,
          Difference,
          Greater};
}

int main() {
  std::vector<uint32_t> A, B, In, Expected;
  uint32_t Seed = 12345;
  for (int I = 0; I < 256; ++I) {
    A.push_back(I % 3 ? Seed = Seed * 1664525 + 1013904223 : 0xffffffff);
    B.push_back(I % 4 ? Seed = Seed * 1664525 + 1013904223 : 1);
    In.push_back(Seed = Seed * 1664525 + 1013904223);
  }
  for (int I = 0; I < 256; I += 4) {
    unsigned __int128 X = 0, Y = 0;
    for (int N = 3; N >= 0; --N) {
      X = X << 32 | A[I + N];
      Y = Y << 32 | B[I + N];
    }
    for (int N = 0; N < 4; ++N)
      Expected.push_back(uint32_t(X + Y >> 32 * N));
  }
  suite::Array<uint32_t> DeviceA(A), DeviceB(B), Sums(256), DeviceIn(In),
      Bits(12 * 256);
  sums<<<1, 64>>>(DeviceA, DeviceB, Sums);
  same(Sums.host(), Expected);

  bits<<<2, 128>>>(DeviceIn, Bits, 256);
  Expected.clear();
  for (int I = 0; I < 256; ++I)
    for (uint32_t V : expectedBits(In[I], In[(I + 1) % 256]))
      Expected.push_back(V);
  same(Bits.host(), Expected);
  return suite::finish();
}
