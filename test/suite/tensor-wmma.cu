// Feature: tensor cores: nvcuda::wmma: fragments of every shape and type loaded
// by rows and by columns, filled, changed number by number, multiplied and
// stored.

#include <cstdint>
#include <cstring>
#include <mma.h>

#include "Inputs/suite.h"

using namespace nvcuda;
using wmma::experimental::precision::b1;
using wmma::experimental::precision::s4;
using wmma::experimental::precision::u4;
using wmma::precision::tf32;

// One product: its matrices by rows, as integers that every type has.
constexpr int Most = 16 * 128;
struct Matrices {
  int A[Most], B[Most], C[Most];
  double D[512];
};

// How a number of the type lies in memory: Each of them in an element.
template <typename T> struct Stored {
  using Element = T;
  static constexpr int Bits = sizeof(T) * 8;
};
template <> struct Stored<tf32> {
  using Element = float;
  static constexpr int Bits = 32;
};
template <int Width> struct StoredBits {
  using Element = uint32_t;
  static constexpr int Bits = Width;
};
template <> struct Stored<s4> : StoredBits<4> {};
template <> struct Stored<u4> : StoredBits<4> {};
template <> struct Stored<b1> : StoredBits<1> {};

// Puts Rows x Columns numbers into memory, a warp together; ByColumns as said.
template <typename T>
__device__ void put(const int *From, void *To, int Rows, int Columns,
                    bool ByColumns, int Stride) {
  using S = Stored<T>;
  auto *Out = static_cast<typename S::Element *>(To);
  constexpr int Each = sizeof(typename S::Element) * 8 / S::Bits;
  int Lines = ByColumns ? Columns : Rows, Along = ByColumns ? Rows : Columns;
  for (int I = threadIdx.x % 32; I < Lines * Along / Each; I += 32) {
    int Line = I / (Along / Each), At = I % (Along / Each) * Each;
    auto Number = [&](int N) {
      return ByColumns ? From[(At + N) * Columns + Line]
                       : From[Line * Columns + At + N];
    };
    if constexpr (Each == 1) {
      Out[Line * Stride + At] = typename S::Element(float(Number(0)));
    } else {
      uint32_t Word = 0;
      for (int N = 0; N < Each; ++N)
        Word |= (uint32_t(Number(N)) & ((1u << S::Bits) - 1)) << N * S::Bits;
      Out[(Line * Stride + At) / Each] = Word;
    }
  }
}

// Sums become 2 * (A * B + C) + 1: fragments are changed before and behind.
template <int M, int N, int K, typename T, typename Sum, typename LayoutA,
          typename LayoutB, bool ColumnsOfC, bool InShared, typename Multiply>
__device__ void product(Matrices *Of, char *Memory, Multiply Do) {
  constexpr int Pad = Stored<T>::Bits < 8 ? 128 : 16;
  constexpr bool ColumnsOfA = std::is_same_v<LayoutA, wmma::col_major>;
  constexpr bool ColumnsOfB = std::is_same_v<LayoutB, wmma::col_major>;
  constexpr int StrideA = (ColumnsOfA ? M : K) + Pad;
  constexpr int StrideB = (ColumnsOfB ? K : N) + Pad;
  constexpr int StrideC = (ColumnsOfC ? M : N) + 8;
  using Element = typename Stored<T>::Element;
  auto *A = reinterpret_cast<Element *>(Memory);
  auto *B = reinterpret_cast<Element *>(Memory + 4096);
  auto *C = reinterpret_cast<Sum *>(Memory + 8192);
  put<T>(Of->A, A, M, K, ColumnsOfA, StrideA);
  put<T>(Of->B, B, K, N, ColumnsOfB, StrideB);
  put<Sum>(Of->C, C, M, N, ColumnsOfC, StrideC);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> Left;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> Right;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> Start, Result;
  wmma::layout_t Order = ColumnsOfC ? wmma::mem_col_major : wmma::mem_row_major;
  wmma::load_matrix_sync(Left, A, StrideA);
  wmma::load_matrix_sync(Right, B, StrideB);
  wmma::load_matrix_sync(Start, C, StrideC, Order);
  if constexpr (std::is_same_v<T, tf32>)
    for (int I = 0; I < Left.num_elements; ++I)
      Left.x[I] = wmma::__float_to_tf32(Left.x[I]);
  wmma::fill_fragment(Result, Sum(0.0f));
  Do(Result, Left, Right, Start);
  for (int I = 0; I < Result.num_elements; ++I)
    Result.x[I] = Result.x[I] * Sum(2.0f) + Sum(1.0f);
  __syncwarp();
  wmma::store_matrix_sync(C, Result, StrideC, Order);
  __syncwarp();
  for (int I = threadIdx.x % 32; I < M * N; I += 32)
    Of->D[I] = double(float(ColumnsOfC ? C[I % N * StrideC + I / N]
                                       : C[I / N * StrideC + I % N]));
}

struct Plain {
  template <typename D, typename A, typename B, typename C>
  __device__ void operator()(D &Result, const A &Left, const B &Right,
                             const C &Start) {
    wmma::mma_sync(Result, Left, Right, Start);
  }
};
struct Saturating {
  template <typename D, typename A, typename B, typename C>
  __device__ void operator()(D &Result, const A &Left, const B &Right,
                             const C &Start) {
    wmma::mma_sync(Result, Left, Right, Start, true);
  }
};
template <wmma::experimental::bmmaBitOp Op> struct OfBits {
  template <typename D, typename A, typename B, typename C>
  __device__ void operator()(D &Result, const A &Left, const B &Right,
                             const C &Start) {
    wmma::bmma_sync(Result, Left, Right, Start, Op);
  }
};
using Both = OfBits<wmma::experimental::bmmaBitOpAND>;
using Differ = OfBits<wmma::experimental::bmmaBitOpXOR>;
using Row = wmma::row_major;
using Col = wmma::col_major;

enum Range { Small, Bytes, Unsigned, Nibbles, UnsignedNibbles, Bits, BitsXor };

// X(M, N, K, type, sums, layouts of A and B, C by columns, in shared memory,
// how, range of the numbers)
#define PRODUCTS                                                               \
  X(16, 16, 16, half, float, Row, Col, false, true, Plain, Small)              \
  X(16, 16, 16, half, half, Col, Row, true, false, Plain, Small)               \
  X(32, 8, 16, half, float, Col, Col, true, true, Plain, Small)                \
  X(32, 8, 16, half, half, Row, Row, false, false, Plain, Small)               \
  X(8, 32, 16, half, float, Row, Row, false, false, Plain, Small)              \
  X(8, 32, 16, half, half, Col, Col, true, true, Plain, Small)                 \
  X(16, 16, 16, __nv_bfloat16, float, Row, Row, false, true, Plain, Small)     \
  X(32, 8, 16, __nv_bfloat16, float, Row, Col, true, false, Plain, Small)      \
  X(8, 32, 16, __nv_bfloat16, float, Col, Row, false, true, Plain, Small)      \
  X(16, 16, 8, tf32, float, Row, Col, false, true, Plain, Small)               \
  X(16, 16, 8, tf32, float, Col, Row, true, false, Plain, Small)               \
  X(8, 8, 4, double, double, Row, Col, false, true, Plain, Small)              \
  X(8, 8, 4, double, double, Col, Row, true, false, Plain, Small)              \
  X(16, 16, 16, signed char, int, Row, Col, false, true, Plain, Bytes)         \
  X(16, 16, 16, unsigned char, int, Col, Row, true, false, Saturating,         \
    Unsigned)                                                                  \
  X(32, 8, 16, signed char, int, Col, Row, false, true, Saturating, Bytes)     \
  X(32, 8, 16, unsigned char, int, Row, Col, true, true, Plain, Unsigned)      \
  X(8, 32, 16, signed char, int, Row, Row, true, false, Plain, Bytes)          \
  X(8, 32, 16, unsigned char, int, Col, Col, false, false, Plain, Unsigned)    \
  X(8, 8, 32, s4, int, Row, Col, false, true, Plain, Nibbles)                  \
  X(8, 8, 32, u4, int, Row, Col, true, false, Plain, UnsignedNibbles)          \
  X(8, 8, 128, b1, int, Row, Col, false, true, Differ, BitsXor)                \
  X(8, 8, 128, b1, int, Row, Col, true, true, Both, Bits)

#define X(M, N, K, T, SUM, A, B, COLUMNS, SHARED, HOW, RANGE) +1
constexpr int Products = 0 PRODUCTS;
#undef X
constexpr int MemoryBytes = 16384;

// A warp for each product; some of them in shared memory, the others in global.
#define X(M, N, K, T, SUM, A, B, COLUMNS, SHARED, HOW, RANGE)                  \
  if (Warp == Number++)                                                        \
    product<M, N, K, T, SUM, A, B, COLUMNS, SHARED>(                           \
        Of + Warp,                                                             \
        SHARED ? Shared[threadIdx.x / 32] : Global + Warp * MemoryBytes,       \
        HOW());
__global__ void multiply(Matrices *Of, char *Global) {
  __shared__ __align__(128) char Shared[2][MemoryBytes];
  int Warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, Number = 0;
  PRODUCTS
}
#undef X

struct Shape {
  int M, N, K;
  Range Of;
};
#define X(M, N, K, T, SUM, A, B, COLUMNS, SHARED, HOW, RANGE) {M, N, K, RANGE},
const Shape Shapes[] = {PRODUCTS};
#undef X

int numberOf(Range Of, unsigned Random) {
  switch (Of) {
  case Small:
    return int(Random % 7) - 3;
  case Bytes:
    return int(Random % 256) - 128;
  case Unsigned:
    return Random % 256;
  case Nibbles:
    return int(Random % 16) - 8;
  case UnsignedNibbles:
    return Random % 16;
  default:
    return Random % 2;
  }
}

void fill(Matrices &To, const Shape &S, unsigned Seed) {
  auto Next = [&] { return (Seed = Seed * 1664525 + 1013904223) >> 8; };
  for (int &A : To.A)
    A = numberOf(S.Of, Next());
  for (int &B : To.B)
    B = numberOf(S.Of, Next());
  for (int &C : To.C)
    C = int(Next() % 201) - 100;
}

double expectedSum(const Matrices &All, const Shape &S, int Row, int Column) {
  double Sum = All.C[Row * S.N + Column];
  for (int K = 0; K < S.K; ++K) {
    int A = All.A[Row * S.K + K], B = All.B[K * S.N + Column];
    Sum += S.Of == BitsXor ? A != B : A * B;
  }
  return 2 * Sum + 1;
}

void testProducts() {
  std::vector<Matrices> All(Products);
  for (int I = 0; I < Products; ++I)
    fill(All[I], Shapes[I], 17 + I);
  suite::Array<Matrices> Of(All);
  suite::Array<char> Global(size_t(Products + 1) * MemoryBytes);
  multiply<<<(Products + 1) / 2, 64>>>(Of, Global);
  std::vector<Matrices> Got = Of.host();
  for (int P = 0; P < Products; ++P)
    for (int I = 0; I < Shapes[P].M * Shapes[P].N; ++I) {
      double Right =
          expectedSum(All[P], Shapes[P], I / Shapes[P].N, I % Shapes[P].N);
      if (Got[P].D[I] != Right && suite::Failures < 20)
        std::printf("product %d [%d] is %g, expected %g\n", P, I, Got[P].D[I],
                    Right);
      expect(Got[P].D[I] == Right);
    }
}

// Real numbers: what a sum may lose is bounded by the size of what is added.
constexpr int Size = 64;
__global__ void tiles(const half *A, const half *B, float *C) {
  int Tile = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int Row = Tile / (Size / 16) * 16, Column = Tile % (Size / 16) * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> Left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> Right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> Sum;
  wmma::fill_fragment(Sum, 0.0f);
  for (int K = 0; K < Size; K += 16) {
    wmma::load_matrix_sync(Left, A + Row * Size + K, Size);
    wmma::load_matrix_sync(Right, B + K * Size + Column, Size);
    wmma::mma_sync(Sum, Left, Right, Sum);
  }
  wmma::store_matrix_sync(C + Row * Size + Column, Sum, Size,
                          wmma::mem_row_major);
}

void testTiles() {
  std::vector<half> A, B;
  unsigned Seed = 99;
  for (int I = 0; I < Size * Size; ++I) {
    A.push_back(__float2half(
        ((Seed = Seed * 1664525 + 1013904223) >> 8) / 16777216.0f - 0.5f));
    B.push_back(__float2half(
        ((Seed = Seed * 1664525 + 1013904223) >> 8) / 16777216.0f - 0.5f));
  }
  suite::Array<half> Left(A), Right(B);
  suite::Array<float> Sum(Size * Size);
  tiles<<<4, 128>>>(Left, Right, Sum);
  std::vector<float> Got = Sum.host();
  for (int I = 0; I < Size * Size; ++I) {
    double Exact = 0, Added = 0;
    for (int K = 0; K < Size; ++K) {
      double P = double(__half2float(A[I / Size * Size + K])) *
                 double(__half2float(B[K * Size + I % Size]));
      Exact += P;
      Added += P < 0 ? -P : P;
    }
    double Off = Got[I] - Exact;
    expect((Off < 0 ? -Off : Off) <= Added * 1e-5);
  }
}

int main() {
  testProducts();
  testTiles();
  return suite::finish();
}
