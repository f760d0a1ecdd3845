// Feature: half: Arithmetic, comparisons and conversions of cuda_bf16.h, rounded once, with special values.
#include <cuda_bf16.h>

#include "Inputs/suite.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

constexpr int Results = 9;

__device__ unsigned bitsOf(__nv_bfloat16 B) { return __bfloat16_as_ushort(B); }

__global__ void compute(const unsigned short *In, unsigned *Out, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count * Count)
    return;
  __nv_bfloat16 A = __ushort_as_bfloat16(In[I / Count]);
  __nv_bfloat16 B = __ushort_as_bfloat16(In[I % Count]);
  __nv_bfloat16 C = __ushort_as_bfloat16(In[(I * 7 + 3) % Count]);
  unsigned *To = Out + Results * I;
  To[0] = bitsOf(__hadd(A, B));
  To[1] = bitsOf(__hmul(A, B));
  To[2] = bitsOf(__hfma(A, B, C));
  __nv_bfloat162 Fused =
      __hfma2(__halves2bfloat162(A, B), __halves2bfloat162(C, C),
              __halves2bfloat162(B, A));
  To[3] = bitsOf(__low2bfloat16(Fused)) | bitsOf(__high2bfloat16(Fused)) << 16;
  To[4] = __heq(A, B) | __hlt(A, B) << 1 | __hgeu(A, B) << 2;
  To[5] = bitsOf(__float2bfloat16_rn(__bfloat162float(A) * 1.003f));
  To[6] = bitsOf(__float2bfloat16_rd(__bfloat162float(B) * 1.003f));
  To[7] = bitsOf(__double2bfloat16(double(__bfloat162float(A)) / 3));
  To[8] = __bfloat162int_rz(A);
}

static float value(unsigned short Bits) {
  uint32_t Word = uint32_t(Bits) << 16;
  float X;
  std::memcpy(&X, &Word, 4);
  return X;
}

// Exact numbers come as two long doubles, a sum that is not evaluated.
static unsigned rounded(long double X, long double Rest = -0.0L,
                        bool Down = false) {
  if (std::isnan(X + Rest))
    return 0x7fff;
  long double Sum = X + Rest;
  if (!std::isinf(Sum)) {
    // Odd rounding: what the sum lost must not look like half way.
    long double Big = std::fabs(X) > std::fabs(Rest) ? X : Rest;
    long double Lost = (std::fabs(X) > std::fabs(Rest) ? Rest : X) - (Sum - Big);
    if (Lost != 0)
      Sum = std::nextafter(Sum, Lost > 0 ? INFINITY : -INFINITY);
  }
  unsigned Sign = std::signbit(Sum) ? 0x8000 : 0;
  long double M = std::fabs(Sum);
  if (std::isinf(M))
    return Sign | 0x7f80;
  int Exponent = -126;
  if (M >= 0x1p-126L)
    Exponent = std::ilogb(M);
  long double Steps = std::ldexp(M, 7 - Exponent);
  Steps = !Down ? std::rint(Steps) : Sign ? std::ceil(Steps) : std::floor(Steps);
  unsigned Bits = unsigned(Exponent + 126) * 128 + unsigned(Steps);
  if (Bits >= 0x7f80)
    return Sign | (Down && !Sign ? 0x7f7f : 0x7f80);
  return Sign | Bits;
}

static int integer(float X) {
  return std::isnan(X)          ? 0
         : X >= 2147483648.0f   ? INT32_MAX
         : X <= -2147483648.0f  ? INT32_MIN
                                : int(X);
}

int main() {
  std::vector<unsigned short> In = {0,      0x8000, 1,      0x8001, 0x007f,
                                    0x0080, 0x3f80, 0xbf80, 0x3f81, 0x3f88,
                                    0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fff};
  unsigned Seed = 7;
  while (In.size() < 44) {
    Seed = Seed * 1664525 + 1013904223;
    unsigned short Bits = Seed >> 16;
    In.push_back((Bits & 0x7fff) > 0x7f80 ? 0x4049 : Bits);
  }
  int Count = In.size();
  suite::Array<unsigned short> DeviceIn(In);
  suite::Array<unsigned> Out(Results * Count * Count);
  compute<<<(Count * Count + 127) / 128, 128>>>(DeviceIn, Out, Count);
  std::vector<unsigned> Expected;
  for (int I = 0; I < Count * Count; ++I) {
    long double A = value(In[I / Count]), B = value(In[I % Count]),
                C = value(In[(I * 7 + 3) % Count]);
    float Single = float(A) * 1.003f, Other = float(B) * 1.003f;
    Expected.insert(
        Expected.end(),
        {rounded(A, B), rounded(A * B), rounded(A * B, C),
         rounded(A * C, B) | rounded(B * C, A) << 16,
         unsigned(A == B) | unsigned(A < B) << 1 | unsigned(!(A < B)) << 2,
         rounded(Single), rounded(Other, -0.0L, true),
         rounded((long double)(double(A) / 3)), unsigned(integer(A))});
  }
  same(Out.host(), Expected);
  return suite::finish();
}
