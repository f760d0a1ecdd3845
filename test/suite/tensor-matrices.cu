// Feature: tensor cores: ldmatrix, stmatrix, movmatrix and wmma in inline PTX,
// and a product of larger matrices made with ldmatrix and mma by some warps of
// a block.

#include <cstdint>
#include <cuda_fp16.h>

#include "Inputs/suite.h"

constexpr int Matrices = 4, Stride = 24; // Rows of 8 numbers lie apart.

__device__ uint32_t sharedAddress(const void *Pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(Pointer));
}

// Where row Row of small matrix Number begins: in no particular order.
__host__ __device__ int startOf(int Number, int Row) {
  return (Number * 8 + (Row * 5 + Number) % 8) * Stride;
}

__device__ void load(int Which, uint32_t Address, uint32_t *R) {
#define ONE(NAME)                                                              \
  asm volatile("ldmatrix.sync.aligned.m8n8." NAME ".shared.b16 {%0}, [%1];"    \
               : "=r"(R[0])                                                    \
               : "r"(Address))
#define TWO(NAME)                                                              \
  asm volatile("ldmatrix.sync.aligned.m8n8." NAME ".shared.b16 {%0,%1}, [%2];" \
               : "=r"(R[0]), "=r"(R[1])                                        \
               : "r"(Address))
#define FOUR(NAME)                                                             \
  asm volatile("ldmatrix.sync.aligned.m8n8." NAME                              \
               ".shared.b16 {%0,%1,%2,%3}, [%4];"                              \
               : "=r"(R[0]), "=r"(R[1]), "=r"(R[2]), "=r"(R[3])                \
               : "r"(Address))
  switch (Which) {
  case 0:
    ONE("x1");
    break;
  case 1:
    TWO("x2");
    break;
  case 2:
    FOUR("x4");
    break;
  case 3:
    ONE("x1.trans");
    break;
  case 4:
    TWO("x2.trans");
    break;
  default:
    FOUR("x4.trans");
  }
}

__device__ void store(int Which, uint32_t Address, const uint32_t *R) {
  if (Which == 0)
    asm volatile(
        "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(Address),
        "r"(R[0])
        : "memory");
  else if (Which == 1)
    asm volatile(
        "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1,%2};" ::"r"(
            Address),
        "r"(R[0]), "r"(R[1])
        : "memory");
  else
    asm volatile(
        "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(
            Address),
        "r"(R[0]), "r"(R[1]), "r"(R[2]), "r"(R[3])
        : "memory");
}

constexpr int Words = Matrices * 8 * Stride;

// Loads[way][lane][register], Stores[way][number in shared memory], Moved[lane]
__global__ void small(uint32_t *Loads, uint16_t *Stores, uint32_t *Moved) {
  __shared__ __align__(16) uint16_t Numbers[Words];
  int Lane = threadIdx.x;
  uint32_t Address = sharedAddress(Numbers + startOf(Lane / 8, Lane % 8));
  for (int I = Lane; I < Words; I += 32)
    Numbers[I] = uint16_t(I);
  __syncwarp();
  for (int Which = 0; Which < 6; ++Which)
    load(Which, Address, Loads + (Which * 32 + Lane) * 4);
  for (int Which = 0; Which < 3; ++Which) {
    __syncwarp();
    for (int I = Lane; I < Words; I += 32)
      Numbers[I] = 0;
    __syncwarp();
    uint32_t R[4];
    for (int M = 0; M < 4; ++M)
      R[M] = (M * 32 + Lane) * 2 | ((M * 32 + Lane) * 2 + 1) << 16;
    store(Which, Address, R);
    __syncwarp();
    for (int I = Lane; I < Words; I += 32)
      Stores[Which * Words + I] = Numbers[I];
  }
  uint32_t Mine = Lane * 2 | (Lane * 2 + 1) << 16, Other;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
               : "=r"(Other)
               : "r"(Mine));
  Moved[Lane] = Other;
}

void testSmall() {
  suite::Array<uint32_t> Loads(6 * 32 * 4), Moved(32);
  suite::Array<uint16_t> Stores(3 * Words);
  small<<<1, 32>>>(Loads, Stores, Moved);
  std::vector<uint32_t> Loaded = Loads.host(), Turned = Moved.host();
  const int Counts[] = {1, 2, 4};
  for (int Which = 0; Which < 6; ++Which)
    for (int Lane = 0; Lane < 32; ++Lane)
      for (int M = 0; M < Counts[Which % 3]; ++M)
        for (int I : {0, 1}) {
          int Row = Lane / 4, Column = Lane % 4 * 2 + I;
          if (Which >= 3)
            std::swap(Row, Column);
          uint32_t Got = Loaded[(Which * 32 + Lane) * 4 + M] >> I * 16 & 0xffff;
          expect(int(Got) == startOf(M, Row) + Column);
        }
  std::vector<uint16_t> Right(3 * Words, 0);
  for (int Which = 0; Which < 3; ++Which)
    for (int M = 0; M < Counts[Which]; ++M)
      for (int Lane = 0; Lane < 32; ++Lane)
        for (int I : {0, 1}) {
          int Row = Lane / 4, Column = Lane % 4 * 2 + I;
          if (Which == 1)
            std::swap(Row, Column);
          Right[Which * Words + startOf(M, Row) + Column] =
              uint16_t((M * 32 + Lane) * 2 + I);
        }
  same(Stores.host(), Right);
  for (int Lane = 0; Lane < 32; ++Lane)
    for (int I : {0, 1}) {
      int Row = Lane % 4 * 2 + I, Column = Lane / 4;
      expect(int(Turned[Lane] >> I * 16 & 0xffff) == Row * 8 + Column);
    }
}

// 16x16x16 by wmma in assembly; the layout of the fragments does not matter.
__global__ void fragments(const half *A, const half *B, float *C) {
  asm volatile("{\n"
               ".reg .b32 a<8>, b<8>;\n"
               ".reg .f32 c<8>, d<8>;\n"
               ".reg .u32 ld;\n"
               "mov.u32 ld, 16;\n"
               "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 "
               "{a0,a1,a2,a3,a4,a5,a6,a7}, [%0], ld;\n"
               "wmma.load.b.sync.aligned.col.m16n16k16.f16 "
               "{b0,b1,b2,b3,b4,b5,b6,b7}, [%1];\n"
               "wmma.load.c.sync.aligned.row.m16n16k16.f32 "
               "{c0,c1,c2,c3,c4,c5,c6,c7}, [%2];\n"
               "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 "
               "{d0,d1,d2,d3,d4,d5,d6,d7}, {a0,a1,a2,a3,a4,a5,a6,a7}, "
               "{b0,b1,b2,b3,b4,b5,b6,b7}, {c0,c1,c2,c3,c4,c5,c6,c7};\n"
               "wmma.store.d.sync.aligned.row.m16n16k16.f32 [%2], "
               "{d0,d1,d2,d3,d4,d5,d6,d7}, ld;\n"
               "}\n" ::"l"(A),
               "l"(B), "l"(C)
               : "memory");
}

// A tile of 16x8 for each warp of the upper half of the block; the warps of
// the lower half do something else in the meantime.
constexpr int Rows = 32, Columns = 16, Inner = 64;
__global__ void tiles(const half *A, const half *B, float *C, int *Others) {
  __shared__ __align__(16) half Left[Rows][Inner + 8];
  __shared__ __align__(16) half Right[Inner][Columns + 8];
  for (int I = threadIdx.x; I < Rows * Inner; I += blockDim.x)
    Left[I / Inner][I % Inner] = A[I];
  for (int I = threadIdx.x; I < Inner * Columns; I += blockDim.x)
    Right[I / Columns][I % Columns] = B[I];
  __syncthreads();
  int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  if (Warp >= 4) {
    atomicAdd(Others, __reduce_add_sync(~0u, Lane) / 31);
    return;
  }
  int Row = Warp / 2 * 16, Column = Warp % 2 * 8;
  float D[4] = {};
  for (int K = 0; K < Inner; K += 16) {
    uint32_t X[4], Y[2];
    load(2, sharedAddress(&Left[Row + Lane % 16][K + Lane / 16 * 8]), X);
    load(4, sharedAddress(&Right[K + Lane % 16][Column]), Y);
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(D[0]), "+f"(D[1]), "+f"(D[2]), "+f"(D[3])
                 : "r"(X[0]), "r"(X[1]), "r"(X[2]), "r"(X[3]), "r"(Y[0]),
                   "r"(Y[1]));
  }
  for (int I = 0; I < 4; ++I)
    C[blockIdx.x * Rows * Columns + (Row + Lane / 4 + I / 2 * 8) * Columns +
      Column + Lane % 4 * 2 + I % 2] = D[I];
}

std::vector<half> numbers(int Count, unsigned Seed) {
  std::vector<half> All;
  for (int I = 0; I < Count; ++I) {
    Seed = Seed * 1664525 + 1013904223;
    All.push_back(__float2half(float(int(Seed >> 8) % 9 - 4)));
  }
  return All;
}

void testProducts() {
  std::vector<half> A = numbers(Rows * Inner, 3),
                    B = numbers(Inner * Columns, 5);
  suite::Array<half> Left(A), Right(B);
  suite::Array<float> C(3 * Rows * Columns);
  suite::Array<int> Others(1);
  tiles<<<3, 256>>>(Left, Right, C, Others);
  std::vector<float> Got = C.host(), Expected;
  for (int I = 0; I < 3 * Rows * Columns; ++I) {
    float Sum = 0;
    for (int K = 0; K < Inner; ++K)
      Sum += __half2float(A[I % (Rows * Columns) / Columns * Inner + K]) *
             __half2float(B[K * Columns + I % Columns]);
    Expected.push_back(Sum);
  }
  same(Got, Expected);
  same(Others.host(), std::vector<int>{3 * 128 * 16});

  suite::Array<float> D(std::vector<float>(256, 1.0f));
  fragments<<<1, 32>>>(Left, Right, D);
  std::vector<float> Small;
  for (int I = 0; I < 256; ++I) {
    float Sum = 1;
    for (int K = 0; K < 16; ++K)
      Sum +=
          __half2float(A[I / 16 * 16 + K]) * __half2float(B[I % 16 * 16 + K]);
    Small.push_back(Sum);
  }
  same(D.host(), Small);
}

int main() {
  testSmall();
  testProducts();
  return suite::finish();
}
