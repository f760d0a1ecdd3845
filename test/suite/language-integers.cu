// Feature: language: Integers of 8 to 128 bits: division and its corners, shifts, mixed
// signs, bit fields, unions and conversions.

#include "Inputs/suite.h"
#include <climits>
#include <cstdint>

template <typename T> struct Quotients {
  T Quotient, Remainder;
};

template <typename T> __host__ __device__ Quotients<T> divide(T A, T B) {
  return {static_cast<T>(A / B), static_cast<T>(A % B)};
}

template <typename T>
__global__ void divideAll(const T *A, const T *B, Quotients<T> *Out, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Out[I] = divide(A[I], B[I]);
}

template <typename T> void division(const std::vector<T> &Values) {
  std::vector<T> A, B;
  for (T X : Values)
    for (T Y : Values)
      if (Y != 0 && !(T(-1) < 0 && Y == T(-1) && X == Values[0])) {
        A.push_back(X);
        B.push_back(Y);
      }
  int N = A.size();
  suite::Array<T> DA(A), DB(B);
  suite::Array<Quotients<T>> Out(N);
  divideAll<T><<<(N + 63) / 64, 64>>>(DA, DB, Out, N);
  std::vector<Quotients<T>> Got = Out.host();
  for (int I = 0; I < N; ++I) {
    Quotients<T> Right = divide(A[I], B[I]);
    expect(Got[I].Quotient == Right.Quotient);
    expect(Got[I].Remainder == Right.Remainder);
  }
}

struct Fields {
  unsigned Low : 3;
  int Signed : 5;
  unsigned Middle : 11;
  uint64_t Wide : 45;
  bool Flag : 1;
};

union Views {
  float F;
  uint32_t U;
  uint8_t Bytes[4];
};

__host__ __device__ uint64_t mixed(int I) {
  Fields F{};
  F.Low = I;
  F.Signed = -I;
  F.Middle = I * 37;
  F.Wide = uint64_t(I) << 33 | 5;
  F.Flag = I & 1;
  Views V;
  V.F = I * 0.5f;
  V.Bytes[0] ^= 0x55;
  int8_t Small = I * 3;
  uint8_t Byte = I * 5;
  int16_t Short = Small * Byte;
  uint64_t Out = F.Low + F.Signed * 2 + F.Middle * 3 + F.Wide + F.Flag;
  Out = Out * 31 + V.U;
  Out = Out * 31 + uint16_t(Short) + (Small >> 2) + (Byte >> 1);
  Out ^= uint64_t(int64_t(I) - 500) >> (I % 64);
  Out ^= uint64_t((int64_t(I) - 500) >> (I % 64));
  return Out + (Out << (I % 63));
}

__global__ void mixedAll(uint64_t *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = mixed(I);
}

__host__ __device__ uint64_t wide(uint64_t A, uint64_t B) {
  unsigned __int128 P = (unsigned __int128)A * B + A;
  __int128 S = -(__int128)P;
  return uint64_t(P >> 64) ^ uint64_t(P) ^ uint64_t(S >> 70) ^ (S < 0);
}
__global__ void wideAll(uint64_t *Out) {
  uint64_t I = threadIdx.x;
  Out[I] = wide(I * 0x9e3779b97f4a7c15u, ~I * 0xc2b2ae3d27d4eb4fu);
}

int main() {
  division<int8_t>({INT8_MIN, -7, -1, 0, 1, 3, 100, INT8_MAX});
  division<uint8_t>({0, 1, 7, 200, 255});
  division<int16_t>({INT16_MIN, -300, -1, 0, 1, 7, INT16_MAX});
  division<int>({INT_MIN, INT_MIN + 1, -1000, -7, -1, 0, 1, 2, 7, 65536, INT_MAX});
  division<unsigned>({0, 1, 3, 10, 0x80000000u, 0xffffffffu});
  division<int64_t>({INT64_MIN, -1000000000000, -5, -1, 0, 1, 5, 1 << 30, INT64_MAX});
  division<uint64_t>({0, 1, 5, 1ull << 32, 1ull << 63, UINT64_MAX});

  const int N = 1024;
  suite::Array<uint64_t> Out(N);
  mixedAll<<<4, 256>>>(Out);
  std::vector<uint64_t> Expected(N);
  for (int I = 0; I < N; ++I)
    Expected[I] = mixed(I);
  same(Out.host(), Expected);

  suite::Array<uint64_t> Wide(128);
  wideAll<<<1, 128>>>(Wide);
  std::vector<uint64_t> ExpectedWide(128);
  for (uint64_t I = 0; I < 128; ++I)
    ExpectedWide[I] = wide(I * 0x9e3779b97f4a7c15u, ~I * 0xc2b2ae3d27d4eb4fu);
  same(Wide.host(), ExpectedWide);
  return suite::finish();
}
