// Feature: programs: Dynamic programming by wavefronts: sequence alignment in tiles by
// diagonals, longest common subsequence, knapsack with two rows, matrix chains.

#include <algorithm>
#include <string>

#include "Inputs/suite.h"

constexpr int Tile = 16;

/// Tiles of one diagonal of tiles; inside, diagonals of cells by barriers.
__global__ void align(const char *A, const char *B, int *Score, int Width, int Diagonal) {
  __shared__ int Cells[Tile + 1][Tile + 1];
  const int TileY = blockIdx.x, TileX = Diagonal - TileY, T = threadIdx.x;
  const int Tiles = (Width - 1) / Tile;
  if (TileX < 0 || TileX >= Tiles || TileY >= Tiles)
    return;
  const int X = TileX * Tile, Y = TileY * Tile;
  Cells[0][T + 1] = Score[Y * Width + X + T + 1];
  Cells[T + 1][0] = Score[(Y + T + 1) * Width + X];
  if (T == 0)
    Cells[0][0] = Score[Y * Width + X];
  __syncthreads();
  for (int D = 0; D < 2 * Tile - 1; ++D) {
    const int I = T + 1, J = D - T + 1;
    if (J >= 1 && J <= Tile) {
      const int Match = A[Y + I - 1] == B[X + J - 1] ? 3 : -1;
      Cells[I][J] = max(Cells[I - 1][J - 1] + Match, max(Cells[I - 1][J], Cells[I][J - 1]) - 2);
    }
    __syncthreads();
  }
  for (int I = 1; I <= Tile; ++I)
    Score[(Y + I) * Width + X + T + 1] = Cells[I][T + 1];
}

__global__ void commonLength(const char *A, const char *B, int N, int *Out) {
  __shared__ int Diagonals[3][129];
  const int T = threadIdx.x;
  for (int K = 0; K < 3; ++K)
    Diagonals[K][T] = 0;
  __syncthreads();
  for (int D = 2; D <= 2 * N; ++D) {
    int *Now = Diagonals[D % 3], *Last = Diagonals[(D + 2) % 3], *Before = Diagonals[(D + 1) % 3];
    const int I = T, J = D - T;
    if (I >= 1 && J >= 1 && J <= N)
      Now[I] = A[I - 1] == B[J - 1] ? Before[I - 1] + 1 : max(Last[I], Last[I - 1]);
    else
      Now[I] = 0;
    __syncthreads();
  }
  if (T == N)
    *Out = Diagonals[2 * N % 3][N];
}

__global__ void knapsack(const int *In, int *Out, int Capacity, int Weight, int Value) {
  const int C = blockIdx.x * blockDim.x + threadIdx.x;
  if (C <= Capacity)
    Out[C] = C >= Weight ? max(In[C], In[C - Weight] + Value) : In[C];
}

__global__ void chains(int N, int Length, const int *Size, int *Cost) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x, J = I + Length;
  if (J >= N)
    return;
  int Best = 0x7fffffff;
  for (int K = I; K < J; ++K)
    Best = min(Best, Cost[I * N + K] + Cost[(K + 1) * N + J] + Size[I] * Size[K + 1] * Size[J + 1]);
  Cost[I * N + J] = Best;
}

static std::vector<char> letters(int N, unsigned Seed) {
  std::vector<char> Out(N);
  for (char &C : Out)
    C = "ACGT"[(Seed = Seed * 1664525u + 1013904223u) >> 30];
  return Out;
}

int main() {
  constexpr int N = 64, Width = N + 1;
  const std::vector<char> A = letters(N, 1), B = letters(N, 2);
  std::vector<int> Score(Width * Width);
  for (int I = 0; I <= N; ++I)
    Score[I] = Score[I * Width] = -2 * I;
  suite::Array<char> DA(A), DB(B);
  suite::Array<int> DS(Score);
  for (int D = 0; D < 2 * N / Tile - 1; ++D)
    align<<<N / Tile, Tile>>>(DA, DB, DS, Width, D);
  for (int I = 1; I <= N; ++I)
    for (int J = 1; J <= N; ++J)
      Score[I * Width + J] = std::max(Score[(I - 1) * Width + J - 1] + (A[I - 1] == B[J - 1] ? 3 : -1),
                                      std::max(Score[(I - 1) * Width + J], Score[I * Width + J - 1]) - 2);
  same(DS.host(), Score);

  suite::Array<int> Length(1);
  commonLength<<<1, N + 1>>>(DA, DB, N, Length);
  std::vector<int> Common(Width * Width);
  for (int I = 1; I <= N; ++I)
    for (int J = 1; J <= N; ++J)
      Common[I * Width + J] = A[I - 1] == B[J - 1]
                                  ? Common[(I - 1) * Width + J - 1] + 1
                                  : std::max(Common[(I - 1) * Width + J], Common[I * Width + J - 1]);
  same(Length.host(), std::vector<int>{Common[N * Width + N]});

  constexpr int Capacity = 300;
  suite::Array<int> One(Capacity + 1), Two(Capacity + 1);
  std::vector<int> Best(Capacity + 1);
  int *From = One, *To = Two;
  for (int Item = 0; Item < 20; ++Item, std::swap(From, To)) {
    const int Weight = 5 + Item * 7 % 31, Value = 10 + Item * 13 % 47;
    knapsack<<<3, 128>>>(From, To, Capacity, Weight, Value);
    for (int C = Capacity; C >= Weight; --C)
      Best[C] = std::max(Best[C], Best[C - Weight] + Value);
  }
  same(One.host(), Best);

  constexpr int M = 24;
  std::vector<int> Size(M + 1), Cost(M * M);
  for (int I = 0; I <= M; ++I)
    Size[I] = 3 + I * 11 % 17;
  suite::Array<int> DSize(Size), DCost(Cost);
  for (int L = 1; L < M; ++L) {
    chains<<<1, 32>>>(M, L, DSize, DCost);
    for (int I = 0; I + L < M; ++I) {
      int &C = Cost[I * M + I + L] = 0x7fffffff;
      for (int K = I; K < I + L; ++K)
        C = std::min(C, Cost[I * M + K] + Cost[(K + 1) * M + I + L] + Size[I] * Size[K + 1] * Size[I + L + 1]);
    }
  }
  same(DCost.host(), Cost);
  return suite::finish();
}
