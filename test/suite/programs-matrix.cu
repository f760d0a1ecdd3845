// Feature: programs: Dense matrices: tiled product in float and double at odd sizes,
// transposition with padded tiles, LU with pivots, Cholesky, Floyd and Warshall.

#include <algorithm>
#include <cmath>

#include "Inputs/suite.h"

template <typename T, int Tile>
__global__ void multiply(int M, int N, int K, const T *A, const T *B, T *C) {
  __shared__ T As[Tile][Tile], Bs[Tile][Tile + 1];
  const int Row = blockIdx.y * Tile + threadIdx.y, Column = blockIdx.x * Tile + threadIdx.x;
  T Sum = 0;
  for (int Base = 0; Base < K; Base += Tile) {
    As[threadIdx.y][threadIdx.x] =
        Row < M && Base + threadIdx.x < K ? A[Row * K + Base + threadIdx.x] : T(0);
    Bs[threadIdx.y][threadIdx.x] =
        Base + threadIdx.y < K && Column < N ? B[(Base + threadIdx.y) * N + Column] : T(0);
    __syncthreads();
#pragma unroll
    for (int I = 0; I < Tile; ++I)
      Sum += As[threadIdx.y][I] * Bs[I][threadIdx.x];
    __syncthreads();
  }
  if (Row < M && Column < N)
    C[Row * N + Column] = Sum;
}

__global__ void transpose(int Width, int Height, const int *In, int *Out) {
  __shared__ int Tile[32][33];
  int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 32 + threadIdx.y;
  for (int J = 0; J < 32; J += 8)
    if (X < Width && Y + J < Height)
      Tile[threadIdx.y + J][threadIdx.x] = In[(Y + J) * Width + X];
  __syncthreads();
  X = blockIdx.y * 32 + threadIdx.x;
  Y = blockIdx.x * 32 + threadIdx.y;
  for (int J = 0; J < 32; J += 8)
    if (X < Height && Y + J < Width)
      Out[(Y + J) * Height + X] = Tile[threadIdx.x][threadIdx.y + J];
}

/// Solves A x = b in place by one block with a thread for each row.
__global__ void solve(int N, double *A, double *B) {
  __shared__ int Pivot;
  const int Row = threadIdx.x;
  for (int K = 0; K < N; ++K) {
    if (Row == 0) {
      Pivot = K;
      for (int I = K + 1; I < N; ++I)
        if (fabs(A[I * N + K]) > fabs(A[Pivot * N + K]))
          Pivot = I;
    }
    __syncthreads();
    if (Pivot != K) {
      const double X = A[K * N + Row];
      A[K * N + Row] = A[Pivot * N + Row];
      A[Pivot * N + Row] = X;
      if (Row == 0) {
        const double Y = B[K];
        B[K] = B[Pivot];
        B[Pivot] = Y;
      }
    }
    __syncthreads();
    if (Row > K) {
      const double Factor = A[Row * N + K] / A[K * N + K];
      for (int J = K; J < N; ++J)
        A[Row * N + J] -= Factor * A[K * N + J];
      B[Row] -= Factor * B[K];
    }
    __syncthreads();
  }
  for (int K = N - 1; K >= 0; --K) {
    if (Row == K)
      B[K] /= A[K * N + K];
    __syncthreads();
    if (Row < K)
      B[Row] -= A[Row * N + K] * B[K];
    __syncthreads();
  }
}

__global__ void choleskyStep(int N, int K, double *A) {
  const int I = K + blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  double Diagonal = A[K * N + K], Sum = A[I * N + K];
  for (int J = 0; J < K; ++J) {
    Diagonal -= A[N * N + K * N + J] * A[N * N + K * N + J];
    Sum -= A[N * N + I * N + J] * A[N * N + K * N + J];
  }
  Diagonal = sqrt(Diagonal);
  A[N * N + I * N + K] = I == K ? Diagonal : Sum / Diagonal;
}

__global__ void through(int N, int K, int *D) {
  const int I = blockIdx.y * blockDim.y + threadIdx.y, J = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N && J < N && D[I * N + K] + D[K * N + J] < D[I * N + J])
    D[I * N + J] = D[I * N + K] + D[K * N + J];
}

template <typename T> static void products(double Bound) {
  constexpr int M = 45, N = 70, K = 33, Tile = 16;
  std::vector<T> A(M * K), B(K * N);
  for (size_t I = 0; I < A.size(); ++I)
    A[I] = T(int(I * 7 % 19) - 9) / 4;
  for (size_t I = 0; I < B.size(); ++I)
    B[I] = T(int(I * 5 % 23) - 11) / 8;
  suite::Array<T> DA(A), DB(B), DC(M * N);
  multiply<T, Tile><<<dim3((N + 15) / 16, (M + 15) / 16), dim3(Tile, Tile)>>>(M, N, K, DA, DB, DC);
  const std::vector<T> C = DC.host();
  for (int I = 0; I < M; ++I)
    for (int J = 0; J < N; ++J) {
      double Sum = 0;
      for (int L = 0; L < K; ++L)
        Sum += double(A[I * K + L]) * B[L * N + J];
      expect(std::fabs(C[I * N + J] - Sum) <= Bound);
    }
}

int main() {
  products<float>(1e-4);
  products<double>(1e-12);

  constexpr int Width = 75, Height = 41;
  std::vector<int> In(Width * Height), Expected(Width * Height);
  for (int I = 0; I < Width * Height; ++I) {
    In[I] = I;
    Expected[I % Width * Height + I / Width] = I;
  }
  suite::Array<int> A(In), B(Width * Height);
  transpose<<<dim3(3, 2), dim3(32, 8)>>>(Width, Height, A, B);
  same(B.host(), Expected);

  constexpr int N = 48;
  std::vector<double> Matrix(N * N), Right(N), Positive(2 * N * N);
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      Matrix[I * N + J] = (I * 13 + J * 29 + I * J) % 31 - 15.0 + (I == N - 1 - J ? 60 : 0);
      Right[I] += Matrix[I * N + J] * (J + 1);
      Positive[I * N + J] = std::min(I, J) + 1.0;
    }
  suite::Array<double> DM(Matrix), DR(Right), DP(Positive);
  solve<<<1, N>>>(N, DM, DR);
  const std::vector<double> X = DR.host();
  for (int I = 0; I < N; ++I)
    expect(std::fabs(X[I] - (I + 1)) < 1e-8);

  for (int K = 0; K < N; ++K)
    choleskyStep<<<2, 32>>>(N, K, DP);
  const std::vector<double> L = DP.host();
  for (int I = 0; I < N; ++I)
    for (int J = 0; J <= I; ++J)
      expect(std::fabs(L[N * N + I * N + J] - 1.0) < 1e-10);

  std::vector<int> D(N * N);
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J)
      D[I * N + J] = I == J ? 0 : 1 + (I * 37 + J * 91) % 97;
  suite::Array<int> DD(D);
  for (int K = 0; K < N; ++K)
    through<<<dim3(3, 6), dim3(16, 8)>>>(N, K, DD);
  for (int K = 0; K < N; ++K)
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < N; ++J)
        D[I * N + J] = std::min(D[I * N + J], D[I * N + K] + D[K * N + J]);
  same(DD.host(), D);
  return suite::finish();
}
