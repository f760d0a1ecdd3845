// Feature: math: The intrinsics that round in a given direction, exactly as IEEE arithmetic does, and conversions to integers.
#include "Inputs/suite.h"

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

constexpr int Modes = 4, Operations = 5;

// Operation by operation, each in the four directions.
#define SINGLE(Mode, Suffix)                                                   \
  To[Mode * Operations + 0] = __fadd_##Suffix(X, Y);                           \
  To[Mode * Operations + 1] = __fmul_##Suffix(X, Y);                           \
  To[Mode * Operations + 2] = __fdiv_##Suffix(X, Y);                           \
  To[Mode * Operations + 3] = __fsqrt_##Suffix(fabsf(X));                      \
  To[Mode * Operations + 4] = __fmaf_##Suffix(X, Y, X);
#define DOUBLE(Mode, Suffix)                                                   \
  To[Mode * Operations + 0] = __dadd_##Suffix(X, Y);                           \
  To[Mode * Operations + 1] = __dmul_##Suffix(X, Y);                           \
  To[Mode * Operations + 2] = __ddiv_##Suffix(X, Y);                           \
  To[Mode * Operations + 3] = __dsqrt_##Suffix(fabs(X));                       \
  To[Mode * Operations + 4] = __fma_##Suffix(X, Y, X);

__global__ void singles(const float *In, float *Out, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count * Count)
    return;
  float X = In[I / Count], Y = In[I % Count];
  float *To = Out + Modes * Operations * I;
  SINGLE(0, rn) SINGLE(1, rz) SINGLE(2, rd) SINGLE(3, ru)
}

__global__ void doubles(const double *In, double *Out, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count * Count)
    return;
  double X = In[I / Count], Y = In[I % Count];
  double *To = Out + Modes * Operations * I;
  DOUBLE(0, rn) DOUBLE(1, rz) DOUBLE(2, rd) DOUBLE(3, ru)
}

__global__ void integers(const float *In, long long *Out, int Count) {
  int I = threadIdx.x;
  if (I >= Count)
    return;
  float X = In[I];
  long long *To = Out + 8 * I;
  To[0] = __float2int_rn(X);
  To[1] = __float2int_rd(X);
  To[2] = __float2uint_ru(X);
  To[3] = __float2ll_rz(X);
  To[4] = __double2int_ru(double(X));
  To[5] = __double2ll_rd(double(X));
  To[6] = __float_as_int(__ll2float_ru(__float2ll_rn(X)));
  To[7] = __double_as_longlong(__ull2double_rd(__float2ull_rn(X)));
}

template <typename T>
void expectedOf(T A, T B, std::vector<T> &Out) {
  static const int Rounding[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                                 FE_UPWARD};
  for (int Mode : Rounding) {
    volatile T X = A, Y = B, M = std::fabs(A);
    std::fesetround(Mode);
    volatile T Sum = X + Y, Product = X * Y, Quotient = X / Y;
    volatile T Root = std::sqrt(M), Fused = std::fma(X, Y, X);
    std::fesetround(FE_TONEAREST);
    Out.insert(Out.end(), {Sum, Product, Quotient, Root, Fused});
  }
}

/// NaN is not equal to itself, and here all are alike.
template <typename T> std::vector<T> tamed(std::vector<T> Values) {
  for (T &V : Values)
    if (std::isnan(V))
      V = T(12345);
  return Values;
}

template <typename T> std::vector<T> numbers() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> Out = {T(0),          T(-0.0),        T(1),
                        T(-1),         T(0.1),         T(3),
                        Limits::max(), -Limits::max(), Limits::min(),
                        Limits::denorm_min(), -3 * Limits::denorm_min(),
                        Limits::infinity()};
  T X = T(0.7);
  for (int I = 0; I < 20; ++I)
    Out.push_back(X = X * T(-1.37) + T(I) / 7);
  return Out;
}

static long long clamped(double X, double Low, double High) {
  return X != X ? 0 : (long long)std::fmin(std::fmax(X, Low), High);
}

int main() {
  std::vector<float> In = numbers<float>(), Expected;
  std::vector<double> InDouble = numbers<double>(), ExpectedDouble;
  int Count = In.size();
  for (int I = 0; I < Count * Count; ++I) {
    expectedOf(In[I / Count], In[I % Count], Expected);
    expectedOf(InDouble[I / Count], InDouble[I % Count], ExpectedDouble);
  }
  suite::Array<float> DeviceIn(In), Out(Expected.size());
  suite::Array<double> DeviceDouble(InDouble), OutDouble(Expected.size());
  singles<<<(Count * Count + 63) / 64, 64>>>(DeviceIn, Out, Count);
  doubles<<<(Count * Count + 63) / 64, 64>>>(DeviceDouble, OutDouble, Count);
  std::vector<float> Got = tamed(Out.host());
  std::vector<double> GotDouble = tamed(OutDouble.host());
  same(Got, tamed(Expected));
  same(GotDouble, tamed(ExpectedDouble));
  for (size_t I = 0; I < Got.size(); ++I)
    expect(Got[I] != 0 || std::signbit(Got[I]) == std::signbit(Expected[I]));

  std::vector<float> Convert = {0,    1.5f,  2.5f,   -1.5f, -2.25f, 3e9f, -3e9f,
                                1e19f, -1e19f, 16777217.f, 0.3f, -0.3f, NAN};
  suite::Array<float> DeviceConvert(Convert);
  suite::Array<long long> Integers(8 * Convert.size());
  integers<<<1, 32>>>(DeviceConvert, Integers, int(Convert.size()));
  std::vector<long long> GotIntegers = Integers.host(), Whole;
  for (float F : Convert) {
    double X = F;
    bool Nan = X != X;
    auto Long = [&](double V) {
      return Nan || V < -9.3e18  ? INT64_MIN
             : V >= 0x1p63 ? INT64_MAX
                           : (long long)V;
    };
    auto Natural = [&](double V) {
      return Nan           ? 1ull << 63
             : V < 0       ? 0
             : V >= 0x1p64 ? ~0ull
                           : (unsigned long long)V;
    };
    double High = 2147483647.0, Low = -2147483648.0;
    volatile long long Rounded = Long(std::rint(X));
    volatile unsigned long long RoundedUp = Natural(std::rint(X));
    std::fesetround(FE_UPWARD);
    volatile float Single = float(Rounded);
    std::fesetround(FE_DOWNWARD);
    volatile double UpperHalf = double(uint32_t(RoundedUp >> 32)) * 0x1p32;
    volatile double Double = UpperHalf + double(uint32_t(RoundedUp));
    std::fesetround(FE_TONEAREST);
    float S = Single;
    double D = Double;
    int SBits;
    long long DBits;
    memcpy(&SBits, &S, 4);
    memcpy(&DBits, &D, 8);
    Whole.insert(Whole.end(),
                 {clamped(std::rint(X), Low, High),
                  clamped(std::floor(X), Low, High),
                  clamped(std::ceil(X), 0, 4294967295.0), Long(X),
                  Nan ? INT32_MIN : clamped(std::ceil(X), Low, High),
                  Long(std::floor(X)), SBits, DBits});
  }
  expect(GotIntegers == Whole);
  for (size_t I = 0; I < Whole.size(); ++I)
    if (GotIntegers[I] != Whole[I])
      std::printf("[%zu] is %lld, expected %lld\n", I, GotIntegers[I], Whole[I]);
  return suite::finish();
}
