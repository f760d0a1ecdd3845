// Feature: half: Arithmetic, comparisons and conversions of cuda_fp16.h, rounded once, with special values.
#include <cuda_fp16.h>

#include "Inputs/suite.h"

#include <cmath>
#include <cstdint>
#include <cstring>

constexpr int Results = 14;

__device__ unsigned short bitsOf(__half H) { return __half_as_ushort(H); }

__global__ void compute(const unsigned short *In, unsigned *Out, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count * Count)
    return;
  __half A = __ushort_as_half(In[I / Count]);
  __half B = __ushort_as_half(In[I % Count]);
  __half C = __ushort_as_half(In[(I * 7 + 3) % Count]);
  unsigned *To = Out + Results * I;
  To[0] = bitsOf(__hadd(A, B));
  To[1] = bitsOf(__hsub(A, B));
  To[2] = bitsOf(__hmul(A, B));
  To[3] = bitsOf(__hfma(A, B, C));
  To[4] = __heq(A, B) | __hlt(A, B) << 1 | __hge(A, B) << 2 | __hne(A, B) << 3 |
          __hltu(A, B) << 4 | __hisnan(A) << 5 | __hisinf(A) * __hisinf(A) << 6;
  To[5] = bitsOf(__hmin(A, B));
  To[6] = bitsOf(__hmax(A, B));
  __half2 AB = __halves2half2(A, B);
  __half2 Sum = __hadd2(AB, __halves2half2(B, C));
  To[7] = bitsOf(__low2half(Sum)) | unsigned(bitsOf(__high2half(Sum))) << 16;
  To[8] = __float_as_uint(__half2float(A));
  To[9] = __half2int_rn(A);
  To[10] = __half2uint_rd(A);
  To[11] = bitsOf(__int2half_rn(int(In[I / Count]) * 3 - 70000));
  To[12] = bitsOf(__float2half_rz(__half2float(A) * 1.0003f));
  To[13] = bitsOf(__hadd_sat(A, B));
}

// The host's reference: exact in double or long double, rounded once.
static double value(unsigned short Bits) {
  int Exponent = Bits >> 10 & 31, Fraction = Bits & 1023;
  double X = Exponent == 31  ? (Fraction ? NAN : INFINITY)
             : Exponent == 0 ? std::ldexp(Fraction, -24)
                             : std::ldexp(Fraction + 1024, Exponent - 25);
  return Bits & 0x8000 ? -X : X;
}

static unsigned short rounded(long double X, bool TowardZero = false) {
  if (std::isnan(X))
    return 0x7fff;
  unsigned short Sign = std::signbit(X) ? 0x8000 : 0;
  long double M = std::fabs(X);
  int Exponent;
  std::frexp(M, &Exponent);
  int Step = std::max(Exponent - 11, -24);
  long double Steps = std::ldexp(M, -Step);
  Steps = TowardZero ? std::floor(Steps) : std::rint(Steps);
  long double R = std::isinf(M) ? M : std::ldexp(Steps, Step);
  if (R > 65504)
    return Sign | (TowardZero && !std::isinf(M) ? 0x7bff : 0x7c00);
  if (R < 0x1p-14L)
    return Sign | (unsigned short)(std::ldexp(R, 24));
  std::frexp(R, &Exponent);
  return Sign | (unsigned short)((Exponent + 14) * 1024 +
                                 std::ldexp(R, 11 - Exponent) - 1024);
}

static int integer(double X) {
  return std::isnan(X) ? 0
         : X >= 2147483648.0
             ? INT32_MAX
             : (X <= -2147483648.0 ? INT32_MIN : int(std::nearbyint(X)));
}

static unsigned natural(double X) {
  return std::isnan(X) || X < 0 ? 0
         : X >= 4294967296.0    ? UINT32_MAX
                                : unsigned(std::floor(X));
}

static unsigned short extreme(unsigned short A, unsigned short B, bool Less) {
  double X = value(A), Y = value(B);
  if (std::isnan(X))
    return std::isnan(Y) ? 0x7fff : B;
  if (std::isnan(Y))
    return A;
  if (X == Y)
    return Less ? A | B : A & B;
  return (X < Y) == Less ? A : B;
}

static void expected(unsigned short A, unsigned short B, unsigned short C,
                     std::vector<unsigned> &Out) {
  double X = value(A), Y = value(B), Z = value(C);
  bool Unordered = std::isnan(X) || std::isnan(Y);
  double Clamped = X + Y > 0 ? std::fmin(X + Y, 1) : 0;
  float Single = float(X);
  unsigned Word;
  std::memcpy(&Word, &Single, 4);
  float Scaled = Single * 1.0003f;
  Out.insert(Out.end(),
             {rounded((long double)X + Y), rounded((long double)X - Y),
              rounded((long double)X * Y), rounded((long double)X * Y + Z),
              unsigned(X == Y) | unsigned(X < Y) << 1 | unsigned(X >= Y) << 2 |
                  unsigned(!Unordered && X != Y) << 3 |
                  unsigned(Unordered || X < Y) << 4 |
                  unsigned(std::isnan(X)) << 5 | unsigned(std::isinf(X)) << 6,
              extreme(A, B, true), extreme(A, B, false),
              rounded((long double)X + Y) |
                  unsigned(rounded((long double)Y + Z)) << 16,
              Word, unsigned(integer(X)), natural(X),
              rounded(int(A) * 3 - 70000), rounded(Scaled, true),
              rounded(Clamped)});
}

int main() {
  std::vector<unsigned short> In = {0,      0x8000, 1,      0x8001, 0x03ff,
                                    0x0400, 0x3c00, 0xbc00, 0x3c01, 0x3555,
                                    0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00};
  unsigned Seed = 99;
  while (In.size() < 48) {
    Seed = Seed * 1664525 + 1013904223;
    In.push_back(Seed >> 16);
  }
  // NaNs have many bit patterns; one of them stands for all.
  for (unsigned short &H : In)
    if ((H & 0x7fff) > 0x7c00)
      H = 0x7fff;
  int Count = In.size();
  suite::Array<unsigned short> DeviceIn(In);
  suite::Array<unsigned> Out(Results * Count * Count);
  compute<<<(Count * Count + 127) / 128, 128>>>(DeviceIn, Out, Count);
  std::vector<unsigned> Got = Out.host(), Expected;
  for (int I = 0; I < Count * Count; ++I)
    expected(In[I / Count], In[I % Count], In[(I * 7 + 3) % Count], Expected);
  for (size_t I = 0; I < Got.size(); ++I)
    if (I % Results == 8 && Expected[I] << 1 > 0xff000000u)
      Got[I] = Expected[I]; // A NaN of single precision.
  same(Got, Expected);
  return suite::finish();
}
