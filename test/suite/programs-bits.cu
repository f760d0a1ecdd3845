// Feature: programs: Integer work: SHA-256, CRC-32 by a constant table, AES-like boxes,
// a prime sieve, big numbers with carries, Gray codes, N queens by bit masks.

#include <cstdint>
#include <cstring>

#include "Inputs/suite.h"

__constant__ uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

__device__ __forceinline__ uint32_t right(uint32_t X, int N) { return __funnelshift_r(X, X, N); }

/// Texts of at most 55 bytes: one block of the hash.
__global__ void sha256(const char *Texts, int Stride, uint32_t *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const char *Text = Texts + I * Stride;
  uint32_t W[64] = {};
  int Length = 0;
  for (; Text[Length]; ++Length)
    W[Length / 4] |= static_cast<uint32_t>(static_cast<unsigned char>(Text[Length])) << (24 - Length % 4 * 8);
  W[Length / 4] |= 0x80u << (24 - Length % 4 * 8);
  W[15] = Length * 8;
#pragma unroll
  for (int T = 16; T < 64; ++T)
    W[T] = (right(W[T - 2], 17) ^ right(W[T - 2], 19) ^ W[T - 2] >> 10) + W[T - 7] +
           (right(W[T - 15], 7) ^ right(W[T - 15], 18) ^ W[T - 15] >> 3) + W[T - 16];
  const uint32_t Start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint32_t S[8];
  for (int J = 0; J < 8; ++J)
    S[J] = Start[J];
  for (int T = 0; T < 64; ++T) {
    const uint32_t T1 = S[7] + (right(S[4], 6) ^ right(S[4], 11) ^ right(S[4], 25)) +
                        ((S[4] & S[5]) ^ (~S[4] & S[6])) + K[T] + W[T];
    const uint32_t T2 = (right(S[0], 2) ^ right(S[0], 13) ^ right(S[0], 22)) +
                        ((S[0] & S[1]) ^ (S[0] & S[2]) ^ (S[1] & S[2]));
    for (int J = 7; J > 0; --J)
      S[J] = S[J - 1];
    S[4] += T1;
    S[0] = T1 + T2;
  }
  for (int J = 0; J < 8; ++J)
    Out[I * 8 + J] = Start[J] + S[J];
}

__constant__ uint32_t CrcTable[256];

__global__ void crc(const uint8_t *Data, int Each, uint32_t *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t C = ~0u;
  for (int J = 0; J < Each; ++J)
    C = CrcTable[(C ^ Data[I * Each + J]) & 255] ^ C >> 8;
  Out[I] = ~C;
}

__global__ void sieve(unsigned *Bits, int Limit) {
  const int P = blockIdx.x * blockDim.x + threadIdx.x + 2;
  if (P * P > Limit)
    return;
  for (int M = P * P; M <= Limit; M += P)
    atomicOr(&Bits[M / 32], 1u << M % 32);
}

__global__ void countZeros(const unsigned *Bits, int Words, int *Out) {
  int Sum = 0;
  for (int I = threadIdx.x; I < Words; I += blockDim.x)
    Sum += __popc(~Bits[I]);
  atomicAdd(Out, Sum);
}

/// 256-bit numbers: product modulo 2^256, and the square's top word.
__global__ void multiply(const uint32_t *A, const uint32_t *B, uint32_t *C) {
  const int I = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  uint32_t R[8] = {};
  for (int X = 0; X < 8; ++X) {
    uint64_t Carry = 0;
    for (int Y = 0; X + Y < 8; ++Y) {
      Carry += static_cast<uint64_t>(A[I + X]) * B[I + Y] + R[X + Y];
      R[X + Y] = static_cast<uint32_t>(Carry);
      Carry >>= 32;
    }
  }
  for (int X = 0; X < 8; ++X)
    C[I + X] = R[X];
}

/// One thread for each place of the first two queens; a stack of masks.
__global__ void queens(int N, int *Count) {
  const int First = threadIdx.x, Second = blockIdx.x;
  unsigned Columns[16], Left[16], Right[16], Free[16];
  const unsigned All = (1u << N) - 1, A = 1u << First, B = 1u << Second;
  if (B & (A | A << 1 | A >> 1))
    return;
  int Depth = 2, Mine = 0;
  Columns[2] = A | B;
  Left[2] = (A << 1 | B) << 1 & All;
  Right[2] = (A >> 1 | B) >> 1;
  Free[2] = All & ~(Columns[2] | Left[2] | Right[2]);
  while (Depth >= 2) {
    if (!Free[Depth]) {
      --Depth;
      continue;
    }
    const unsigned Bit = Free[Depth] & -Free[Depth];
    Free[Depth] ^= Bit;
    if (Depth == N - 1) {
      ++Mine;
      continue;
    }
    Columns[Depth + 1] = Columns[Depth] | Bit;
    Left[Depth + 1] = (Left[Depth] | Bit) << 1 & All;
    Right[Depth + 1] = (Right[Depth] | Bit) >> 1;
    ++Depth;
    Free[Depth] = All & ~(Columns[Depth] | Left[Depth] | Right[Depth]);
  }
  if (Mine)
    atomicAdd(Count, Mine);
}

int main() {
  std::vector<char> Texts(4 * 64);
  std::strcpy(&Texts[64], "abc");
  std::strcpy(&Texts[128], "The quick brown fox jumps over the lazy dog");
  std::strcpy(&Texts[192], "0123456789012345678901234567890123456789012345678901234");
  suite::Array<char> T(Texts);
  suite::Array<uint32_t> Hashes(32);
  sha256<<<2, 2>>>(T, 64, Hashes);
  const std::vector<uint32_t> H = Hashes.host();
  expect(H[0] == 0xe3b0c442 && H[7] == 0x7852b855);
  expect(H[8] == 0xba7816bf && H[9] == 0x8f01cfea && H[15] == 0xf20015ad);
  expect(H[16] == 0xd7a8fbb3 && H[23] == 0x37c9e592);

  std::vector<uint32_t> Table(256);
  for (uint32_t I = 0; I < 256; ++I) {
    uint32_t C = I;
    for (int J = 0; J < 8; ++J)
      C = C & 1 ? 0xedb88320u ^ C >> 1 : C >> 1;
    Table[I] = C;
  }
  check(cudaMemcpyToSymbol(CrcTable, Table.data(), 1024));
  std::vector<uint8_t> Digits(9 * 4);
  for (int I = 0; I < 36; ++I)
    Digits[I] = '1' + I % 9;
  suite::Array<uint8_t> D(Digits);
  suite::Array<uint32_t> Crcs(4);
  crc<<<1, 4>>>(D, 9, Crcs);
  same(Crcs.host(), std::vector<uint32_t>(4, 0xcbf43926));

  constexpr int Words = 320, Limit = Words * 32 - 1;
  suite::Array<unsigned> Bits(Words);
  suite::Array<int> Primes(1);
  sieve<<<2, 64>>>(Bits, Limit);
  countZeros<<<1, 64>>>(Bits, Words, Primes);
  int Expected = 0;
  for (int P = 2; P <= Limit; ++P) {
    bool Prime = true;
    for (int Q = 2; Q * Q <= P && Prime; ++Q)
      Prime = P % Q != 0;
    Expected += Prime;
  }
  same(Primes.host(), std::vector<int>{Expected + 2});

  std::vector<uint32_t> X(32 * 8), Y(32 * 8), Z(32 * 8);
  for (int I = 0; I < 256; ++I) {
    X[I] = I * 2654435761u;
    Y[I] = ~(I * 40503u << 13);
  }
  for (int I = 0; I < 32; ++I)
    for (int A = 0; A < 8; ++A) {
      unsigned __int128 Carry = 0;
      for (int B = 0; A + B < 8; ++B) {
        Carry += static_cast<unsigned __int128>(X[I * 8 + A]) * Y[I * 8 + B] + Z[I * 8 + A + B];
        Z[I * 8 + A + B] = static_cast<uint32_t>(Carry);
        Carry >>= 32;
      }
    }
  suite::Array<uint32_t> DX(X), DY(Y), DZ(256);
  multiply<<<2, 16>>>(DX, DY, DZ);
  same(DZ.host(), Z);

  suite::Array<int> Solutions(1);
  queens<<<8, 8>>>(8, Solutions);
  same(Solutions.host(), std::vector<int>{92});
  return suite::finish();
}
