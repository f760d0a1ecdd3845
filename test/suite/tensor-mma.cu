// Feature: tensor cores: mma.sync in inline PTX: every shape and type of number
// that GPUs up to sm_90 multiply, with the layouts of fragments that PTX gives.

#include <cstdint>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "Inputs/suite.h"

// A lane's registers of one product, as 32-bit words: A, B and C, then D.
constexpr int WordsOfA = 16, WordsOfB = 8, WordsOfC = 8, WordsOfD = 8;
constexpr int WordsIn = WordsOfA + WordsOfB + WordsOfC;

struct Registers {
  uint32_t A[WordsOfA], B[WordsOfB], C[WordsOfC];
};

__device__ float asFloat(uint32_t Bits) { return __uint_as_float(Bits); }
__device__ double asDouble(const uint32_t *Words) {
  return __hiloint2double(Words[1], Words[0]);
}

// How many registers an instruction takes, and of which type they are; every
// macro makes an asm statement of the instruction NAME.
#define IN_R1(X) "r"(X[0])
#define IN_R2(X) IN_R1(X), "r"(X[1])
#define IN_R4(X) IN_R2(X), "r"(X[2]), "r"(X[3])
#define IN_F4(X)                                                               \
  "f"(asFloat(X[0])), "f"(asFloat(X[1])), "f"(asFloat(X[2])), "f"(asFloat(X[3]))
#define IN_F8(X)                                                               \
  IN_F4(X), "f"(asFloat(X[4])), "f"(asFloat(X[5])), "f"(asFloat(X[6])),        \
      "f"(asFloat(X[7]))
#define IN_D1(X) "d"(asDouble(X))
#define IN_D2(X) IN_D1(X), "d"(asDouble(X + 2))
#define IN_D4(X) IN_D2(X), "d"(asDouble(X + 4)), "d"(asDouble(X + 6))
#define IN_D8(X)                                                               \
  IN_D4(X), "d"(asDouble(X + 8)), "d"(asDouble(X + 10)),                       \
      "d"(asDouble(X + 12)), "d"(asDouble(X + 14))

#define INTEGER11(NAME)                                                        \
  asm volatile(NAME " {%0,%1}, {%2}, {%3}, {%4,%5};"                           \
               : "=r"(D[0]), "=r"(D[1])                                        \
               : IN_R1(R.A), IN_R1(R.B), IN_R2(R.C))
#define INTEGER21(NAME)                                                        \
  asm volatile(NAME " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"           \
               : "=r"(D[0]), "=r"(D[1]), "=r"(D[2]), "=r"(D[3])                \
               : IN_R2(R.A), IN_R1(R.B), IN_R4(R.C))
#define INTEGER42(NAME)                                                        \
  asm volatile(NAME                                                            \
               " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"    \
               : "=r"(D[0]), "=r"(D[1]), "=r"(D[2]), "=r"(D[3])                \
               : IN_R4(R.A), IN_R2(R.B), IN_R4(R.C))
#define HALF21(NAME)                                                           \
  asm volatile(NAME " {%0,%1}, {%2,%3}, {%4}, {%5,%6};"                        \
               : "=r"(D[0]), "=r"(D[1])                                        \
               : IN_R2(R.A), IN_R1(R.B), IN_R2(R.C))
#define HALF42(NAME)                                                           \
  asm volatile(NAME " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};"               \
               : "=r"(D[0]), "=r"(D[1])                                        \
               : IN_R4(R.A), IN_R2(R.B), IN_R2(R.C))
#define SINGLE21(NAME)                                                         \
  asm volatile(NAME " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"           \
               : "=f"(F[0]), "=f"(F[1]), "=f"(F[2]), "=f"(F[3])                \
               : IN_R2(R.A), IN_R1(R.B), IN_F4(R.C))
#define SINGLE42(NAME)                                                         \
  asm volatile(NAME                                                            \
               " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"    \
               : "=f"(F[0]), "=f"(F[1]), "=f"(F[2]), "=f"(F[3])                \
               : IN_R4(R.A), IN_R2(R.B), IN_F4(R.C))
#define QUADS(NAME)                                                            \
  asm volatile(NAME " {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, "         \
                    "{%12,%13,%14,%15,%16,%17,%18,%19};"                       \
               : "=f"(F[0]), "=f"(F[1]), "=f"(F[2]), "=f"(F[3]), "=f"(F[4]),   \
                 "=f"(F[5]), "=f"(F[6]), "=f"(F[7])                            \
               : IN_R2(R.A), IN_R2(R.B), IN_F8(R.C))
#define QUADS_OF_HALVES(NAME)                                                  \
  asm volatile(NAME " {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%8,%9,%10,%11};"       \
               : "=r"(D[0]), "=r"(D[1]), "=r"(D[2]), "=r"(D[3])                \
               : IN_R2(R.A), IN_R2(R.B), IN_R4(R.C))
#define DOUBLE11(NAME)                                                         \
  asm volatile(NAME " {%0,%1}, {%2}, {%3}, {%4,%5};"                           \
               : "=d"(W[0]), "=d"(W[1])                                        \
               : IN_D1(R.A), IN_D1(R.B), IN_D2(R.C))
#define DOUBLE21(NAME)                                                         \
  asm volatile(NAME " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"           \
               : "=d"(W[0]), "=d"(W[1]), "=d"(W[2]), "=d"(W[3])                \
               : IN_D2(R.A), IN_D1(R.B), IN_D4(R.C))
#define DOUBLE42(NAME)                                                         \
  asm volatile(NAME                                                            \
               " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"    \
               : "=d"(W[0]), "=d"(W[1]), "=d"(W[2]), "=d"(W[3])                \
               : IN_D4(R.A), IN_D2(R.B), IN_D4(R.C))
#define DOUBLE84(NAME)                                                         \
  asm volatile(NAME " {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, "            \
                    "{%12,%13,%14,%15}, {%16,%17,%18,%19};"                    \
               : "=d"(W[0]), "=d"(W[1]), "=d"(W[2]), "=d"(W[3])                \
               : IN_D8(R.A), IN_D4(R.B), IN_D4(R.C))

enum Kind { F16, BF16, TF32, F32, F64, S8, U8, S4, U4, B1, E4M3, E5M2, S32 };

#define SAME(FORM, M, N, K, TYPE, A, B, C, FLAGS)                              \
  X(FORM, "mma.sync.aligned.m" #M "n" #N "k" #K ".row.col" TYPE, M, N, K, A,   \
    B, C, FLAGS)
#define INTEGERS(FORM, M, N, K, TA, TB, A, B)                                  \
  SAME(FORM, M, N, K, ".s32." TA "." TB ".s32", A, B, S32, 0)                  \
  SAME(FORM, M, N, K, ".satfinite.s32." TA "." TB ".s32", A, B, S32, Saturate)
#define BITS(FORM, M, N, K)                                                    \
  SAME(FORM, M, N, K, ".s32.b1.b1.s32.xor.popc", B1, B1, S32, Xor)             \
  SAME(FORM, M, N, K, ".s32.b1.b1.s32.and.popc", B1, B1, S32, 0)
#define EIGHTS(M, N, K, FORM, TA, TB, A, B)                                    \
  SAME(FORM, M, N, K, ".f32." TA "." TB ".f32", A, B, F32, 0)

enum Flag { Saturate = 1, Xor = 2, ColumnsOfA = 4, RowsOfB = 8, Quads = 16 };

// X(FORM, NAME, M, N, K, A, B, C, FLAGS) for every instruction.
#define OF_FLOATS                                                              \
  SAME(SINGLE21, 16, 8, 8, ".f32.f16.f16.f32", F16, F16, F32, 0)               \
  SAME(SINGLE42, 16, 8, 16, ".f32.f16.f16.f32", F16, F16, F32, 0)              \
  SAME(HALF21, 16, 8, 8, ".f16.f16.f16.f16", F16, F16, F16, 0)                 \
  SAME(HALF42, 16, 8, 16, ".f16.f16.f16.f16", F16, F16, F16, 0)                \
  SAME(SINGLE21, 16, 8, 8, ".f32.bf16.bf16.f32", BF16, BF16, F32, 0)           \
  SAME(SINGLE42, 16, 8, 16, ".f32.bf16.bf16.f32", BF16, BF16, F32, 0)          \
  SAME(SINGLE21, 16, 8, 4, ".f32.tf32.tf32.f32", TF32, TF32, F32, 0)           \
  SAME(SINGLE42, 16, 8, 8, ".f32.tf32.tf32.f32", TF32, TF32, F32, 0)           \
  SAME(DOUBLE11, 8, 8, 4, ".f64.f64.f64.f64", F64, F64, F64, 0)                \
  SAME(DOUBLE21, 16, 8, 4, ".f64.f64.f64.f64", F64, F64, F64, 0)               \
  SAME(DOUBLE42, 16, 8, 8, ".f64.f64.f64.f64", F64, F64, F64, 0)               \
  SAME(DOUBLE84, 16, 8, 16, ".f64.f64.f64.f64", F64, F64, F64, 0)              \
  EIGHTS(16, 8, 32, SINGLE42, "e4m3", "e4m3", E4M3, E4M3)                      \
  EIGHTS(16, 8, 32, SINGLE42, "e4m3", "e5m2", E4M3, E5M2)                      \
  EIGHTS(16, 8, 32, SINGLE42, "e5m2", "e4m3", E5M2, E4M3)                      \
  EIGHTS(16, 8, 32, SINGLE42, "e5m2", "e5m2", E5M2, E5M2)                      \
  EIGHTS(16, 8, 16, SINGLE21, "e4m3", "e5m2", E4M3, E5M2)                      \
  SAME(HALF21, 16, 8, 16, ".f16.e5m2.e4m3.f16", E5M2, E4M3, F16, 0)            \
  SAME(HALF42, 16, 8, 32, ".f16.e4m3.e4m3.f16", E4M3, E4M3, F16, 0)            \
  X(QUADS, "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", 8, 8, 4, F16,    \
    F16, F32, Quads)                                                           \
  X(QUADS, "mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32", 8, 8, 4, F16,    \
    F16, F32, Quads | ColumnsOfA | RowsOfB)                                    \
  X(QUADS_OF_HALVES, "mma.sync.aligned.m8n8k4.row.row.f16.f16.f16.f16", 8, 8,  \
    4, F16, F16, F16, Quads | RowsOfB)                                         \
  X(QUADS_OF_HALVES, "mma.sync.aligned.m8n8k4.col.col.f16.f16.f16.f16", 8, 8,  \
    4, F16, F16, F16, Quads | ColumnsOfA)
#define OF_INTEGERS                                                            \
  INTEGERS(INTEGER11, 8, 8, 16, "s8", "s8", S8, S8)                            \
  INTEGERS(INTEGER11, 8, 8, 16, "u8", "s8", U8, S8)                            \
  INTEGERS(INTEGER21, 16, 8, 16, "u8", "u8", U8, U8)                           \
  INTEGERS(INTEGER21, 16, 8, 16, "s8", "u8", S8, U8)                           \
  INTEGERS(INTEGER42, 16, 8, 32, "s8", "s8", S8, S8)                           \
  INTEGERS(INTEGER42, 16, 8, 32, "u8", "s8", U8, S8)                           \
  INTEGERS(INTEGER11, 8, 8, 32, "s4", "u4", S4, U4)                            \
  INTEGERS(INTEGER21, 16, 8, 32, "s4", "s4", S4, S4)                           \
  INTEGERS(INTEGER42, 16, 8, 64, "u4", "u4", U4, U4)                           \
  INTEGERS(INTEGER42, 16, 8, 64, "u4", "s4", U4, S4)                           \
  BITS(INTEGER11, 8, 8, 128)                                                   \
  BITS(INTEGER21, 16, 8, 128)                                                  \
  BITS(INTEGER42, 16, 8, 256)

__device__ void keep(uint32_t *Out, const uint32_t *D, const float *F,
                     const double *W, Kind C) {
  for (int I = 0; I < WordsOfD; ++I)
    Out[I] = C == F32   ? __float_as_uint(F[I])
             : C == F64 ? uint32_t(__double_as_longlong(W[I / 2]) >> I % 2 * 32)
                        : D[I];
}

#define X(FORM, NAME, M, N, K, A, B, C, FLAGS)                                 \
  {                                                                            \
    const Registers &R = In[Number * 32 + threadIdx.x];                        \
    uint32_t D[8] = {};                                                        \
    float F[8] = {};                                                           \
    double W[4] = {};                                                          \
    FORM(NAME);                                                                \
    keep(Out + (Number * 32 + threadIdx.x) * WordsOfD, D, F, W, C);            \
    ++Number;                                                                  \
  }
__global__ void multiplyFloats(const Registers *In, uint32_t *Out) {
  int Number = 0;
  OF_FLOATS
}
__global__ void multiplyIntegers(const Registers *In, uint32_t *Out) {
  int Number = 0;
  OF_INTEGERS
}
#undef X

struct Product {
  const char *Name;
  int M, N, K;
  Kind A, B, C;
  int Flags;
};
#define X(FORM, NAME, M, N, K, A, B, C, FLAGS) {NAME, M, N, K, A, B, C, FLAGS},
const Product Floats[] = {OF_FLOATS};
const Product Integers[] = {OF_INTEGERS};
#undef X

int bitsOf(Kind Of) {
  const int Bits[] = {16, 16, 32, 32, 64, 8, 8, 4, 4, 1, 8, 8, 32};
  return Bits[Of];
}
int wordsPerNumber(Kind Of) { return Of == F64 ? 2 : 1; }
int perRegister(Kind Of) { return Of == F64 ? 1 : 32 / bitsOf(Of); }

// Numbers that every kind has, and their bits.
double numberOf(Kind Of, unsigned Random) {
  switch (Of) {
  case S8:
    return int(Random % 256) - 128;
  case U8:
    return Random % 256;
  case S4:
    return int(Random % 16) - 8;
  case U4:
    return Random % 16;
  case B1:
    return Random & 1;
  case S32:
    return int(Random * 2654435761u) / 3;
  case F16:
    return (int(Random % 17) - 8) * 0.25;
  case E4M3:
  case E5M2:
    return (int(Random % 9) - 4) * 0.5;
  default:
    return int(Random % 17) - 8;
  }
}
uint64_t smallFloat(double X, int Fraction, int Bias) {
  if (X == 0)
    return 0;
  uint64_t Bits;
  std::memcpy(&Bits, &X, 8);
  return (Bits >> 63) << 7 | ((Bits >> 52 & 0x7ff) - 1023 + Bias) << Fraction |
         (Bits & 0xfffffffffffff) >> (52 - Fraction);
}
uint64_t bitsOfNumber(Kind Of, double X) {
  uint64_t Bits = 0;
  float Single = float(X);
  switch (Of) {
  case F16:
    return __half_as_ushort(__float2half(Single));
  case BF16:
    return __bfloat16_as_ushort(__float2bfloat16(Single));
  case TF32:
  case F32:
    std::memcpy(&Bits, &Single, 4);
    return Bits;
  case F64:
    std::memcpy(&Bits, &X, 8);
    return Bits;
  case E4M3:
    return smallFloat(X, 3, 7);
  case E5M2:
    return smallFloat(X, 2, 15);
  default:
    return uint64_t(int64_t(X)) & ((uint64_t(1) << bitsOf(Of)) - 1);
  }
}
double numberFrom(Kind Of, uint64_t Bits) {
  float Single;
  double Double;
  switch (Of) {
  case F16:
    return __half2float(__ushort_as_half(static_cast<unsigned short>(Bits)));
  case F32:
    std::memcpy(&Single, &Bits, 4);
    return Single;
  case F64:
    std::memcpy(&Double, &Bits, 8);
    return Double;
  default:
    return int32_t(Bits);
  }
}

// Where PTX says number I of a lane's fragment is.
struct Place {
  int Row, Column;
};
Place placeOfA(const Product &P, int Lane, int I) {
  int Group = Lane / 4, Thread = Lane % 4, Each = perRegister(P.A);
  if (P.Flags & Quads) {
    int Upper = Lane < 16 ? 0 : 4;
    return P.Flags & ColumnsOfA ? Place{Upper + I, Lane % 4}
                                : Place{Upper + Lane % 4, I};
  }
  int Register = I / Each;
  int Lower = P.M == 16 ? Register % 2 : 0,
      Run = P.M == 16 ? Register / 2 : Register;
  return {Group + 8 * Lower, Run * 4 * Each + Thread * Each + I % Each};
}
Place placeOfB(const Product &P, int Lane, int I) {
  int Group = Lane / 4, Thread = Lane % 4, Each = perRegister(P.B);
  if (P.Flags & Quads) {
    int Upper = Lane < 16 ? 0 : 4;
    return P.Flags & RowsOfB ? Place{Lane % 4, Upper + I}
                             : Place{I, Upper + Lane % 4};
  }
  return {I / Each * 4 * Each + Thread * Each + I % Each, Group};
}
Place placeOfC(const Product &P, int Lane, int I) {
  if (P.Flags & Quads) {
    int Upper = Lane < 16 ? 0 : 4;
    if (P.C == F16)
      return {Upper + Lane % 4, I};
    return {Upper + (Lane & 1) + (I & 2), (I & 4) + (Lane & 2) + (I & 1)};
  }
  return {Lane / 4 + (I < 2 ? 0 : 8), Lane % 4 * 2 + I % 2};
}

// The numbers of a lane in each part; of quads four products stand beside each
// other, that of lanes 4q..4q+3 and 4q+16..4q+19 in part q.
int numbersPerLane(const Product &P, int Rows, int Columns) {
  return Rows * Columns / (P.Flags & Quads ? 8 : 32);
}
int partOf(const Product &P, int Lane) {
  return P.Flags & Quads ? Lane % 16 / 4 : 0;
}

struct Matrices {
  std::vector<double> A, B, C;
};
Matrices makeMatrices(const Product &P, unsigned Seed) {
  int Parts = P.Flags & Quads ? 4 : 1;
  Matrices All;
  auto Fill = [&](std::vector<double> &To, Kind Of, int Count) {
    for (int I = 0; I < Count * Parts; ++I) {
      Seed = Seed * 1664525 + 1013904223;
      To.push_back(numberOf(Of, Seed >> 8));
    }
  };
  Fill(All.A, P.A, P.M * P.K);
  Fill(All.B, P.B, P.K * P.N);
  Fill(All.C, P.C, P.M * P.N);
  // So that some sums leave the range of 32 bits.
  if (P.C == S32)
    for (size_t I = 0; I < All.C.size(); I += 3)
      All.C[I] = I % 2 ? -2147483647.0 : 2147483647.0;
  return All;
}

void putNumber(uint32_t *Words, Kind Of, int I, double X) {
  uint64_t Bits = bitsOfNumber(Of, X);
  if (Of == F64) {
    Words[2 * I] = uint32_t(Bits);
    Words[2 * I + 1] = uint32_t(Bits >> 32);
  } else {
    int Each = perRegister(Of);
    Words[I / Each] |= uint32_t(Bits) << I % Each * bitsOf(Of);
  }
}
double getNumber(const uint32_t *Words, Kind Of, int I) {
  if (Of == F64)
    return numberFrom(Of, Words[2 * I] | uint64_t(Words[2 * I + 1]) << 32);
  int Each = perRegister(Of);
  return numberFrom(Of, Words[I / Each] >> I % Each * bitsOf(Of));
}

void putRegisters(const Product &P, const Matrices &All, Registers *To) {
  for (int Lane = 0; Lane < 32; ++Lane) {
    int Part = partOf(P, Lane);
    for (int I = 0; I < numbersPerLane(P, P.M, P.K); ++I) {
      Place At = placeOfA(P, Lane, I);
      putNumber(To[Lane].A, P.A, I,
                All.A[(Part * P.M + At.Row) * P.K + At.Column]);
    }
    for (int I = 0; I < numbersPerLane(P, P.K, P.N); ++I) {
      Place At = placeOfB(P, Lane, I);
      putNumber(To[Lane].B, P.B, I,
                All.B[(Part * P.K + At.Row) * P.N + At.Column]);
    }
    for (int I = 0; I < numbersPerLane(P, P.M, P.N); ++I) {
      Place At = placeOfC(P, Lane, I);
      putNumber(To[Lane].C, P.C, I,
                All.C[(Part * P.M + At.Row) * P.N + At.Column]);
    }
  }
}

// The exact sum; the numbers are so small that no order of adding rounds.
double expectedSum(const Product &P, const Matrices &All, int Part, int Row,
                   int Column) {
  double Sum = 0;
  for (int K = 0; K < P.K; ++K) {
    double A = All.A[(Part * P.M + Row) * P.K + K];
    double B = All.B[(Part * P.K + K) * P.N + Column];
    Sum += P.A == B1 ? (P.Flags & Xor ? A != B : A * B) : A * B;
  }
  Sum += All.C[(Part * P.M + Row) * P.N + Column];
  if (P.C != S32)
    return Sum;
  if (P.Flags & Saturate)
    return Sum > 2147483647.0    ? 2147483647.0
           : Sum < -2147483648.0 ? -2147483648.0
                                 : Sum;
  return int32_t(uint32_t(int64_t(Sum)));
}

void compare(const Product &P, const Matrices &All, const uint32_t *D) {
  int Wrong = 0;
  for (int Lane = 0; Lane < 32; ++Lane)
    for (int I = 0; I < numbersPerLane(P, P.M, P.N); ++I) {
      Place At = placeOfC(P, Lane, I);
      double Right = expectedSum(P, All, partOf(P, Lane), At.Row, At.Column);
      double Got = getNumber(D + Lane * WordsOfD, P.C, I);
      if (Got != Right && ++Wrong < 3)
        std::printf("%s: lane %d number %d is %g, expected %g\n", P.Name, Lane,
                    I, Got, Right);
    }
  expect(Wrong == 0);
}

template <size_t Count>
void test(const Product (&Products)[Count],
          void (*Kernel)(const Registers *, uint32_t *), unsigned Seed) {
  std::vector<Registers> In(Count * 32);
  std::vector<Matrices> All;
  for (size_t I = 0; I < Count; ++I) {
    All.push_back(makeMatrices(Products[I], Seed + I));
    putRegisters(Products[I], All[I], &In[I * 32]);
  }
  suite::Array<Registers> From(In);
  suite::Array<uint32_t> To(Count * 32 * WordsOfD);
  Kernel<<<1, 32>>>(From, To);
  std::vector<uint32_t> Out = To.host();
  for (size_t I = 0; I < Count; ++I)
    compare(Products[I], All[I], &Out[I * 32 * WordsOfD]);
}

int main() {
  for (unsigned Seed : {1u, 77u, 4242u}) {
    test(Floats, multiplyFloats, Seed);
    test(Integers, multiplyIntegers, Seed);
  }
  return suite::finish();
}
