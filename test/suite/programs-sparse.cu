// Feature: programs: Sparse matrix times vector: CSR by thread and by warp, ELL, COO with
// atomics, and a conjugate gradient solver on it.

#include <cmath>

#include "Inputs/suite.h"

struct Csr {
  std::vector<int> Start{0}, Column;
  std::vector<double> Value;
};

/// A five-point Laplacian of a Side x Side grid.
static Csr laplacian(int Side) {
  Csr M;
  for (int I = 0; I < Side * Side; ++I) {
    const int X = I % Side, Y = I / Side;
    const int Near[5][2] = {{X, Y - 1}, {X - 1, Y}, {X, Y}, {X + 1, Y}, {X, Y + 1}};
    for (const auto &P : Near)
      if (P[0] >= 0 && P[0] < Side && P[1] >= 0 && P[1] < Side) {
        M.Column.push_back(P[1] * Side + P[0]);
        M.Value.push_back(M.Column.back() == I ? 4.5 : -1.0);
      }
    M.Start.push_back(static_cast<int>(M.Column.size()));
  }
  return M;
}

__global__ void byThread(int Rows, const int *__restrict__ Start, const int *__restrict__ Column,
                         const double *__restrict__ Value, const double *__restrict__ X, double *Y) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  if (Row >= Rows)
    return;
  double Sum = 0;
  for (int K = Start[Row]; K < Start[Row + 1]; ++K)
    Sum += Value[K] * X[Column[K]];
  Y[Row] = Sum;
}

__global__ void byWarp(int Rows, const int *Start, const int *Column, const double *Value,
                       const double *X, double *Y) {
  const int Row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, Lane = threadIdx.x % 32;
  if (Row >= Rows)
    return;
  double Sum = 0;
  for (int K = Start[Row] + Lane; K < Start[Row + 1]; K += 32)
    Sum += Value[K] * X[Column[K]];
  for (int Step = 16; Step; Step /= 2)
    Sum += __shfl_down_sync(0xffffffffu, Sum, Step);
  if (Lane == 0)
    Y[Row] = Sum;
}

__global__ void byElement(int Count, const int *Row, const int *Column, const double *Value,
                          const double *X, double *Y) {
  for (int K = blockIdx.x * blockDim.x + threadIdx.x; K < Count; K += gridDim.x * blockDim.x)
    atomicAdd(&Y[Row[K]], Value[K] * X[Column[K]]);
}

__global__ void ell(int Rows, int Width, const int *Column, const double *Value, const double *X,
                    double *Y) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  if (Row >= Rows)
    return;
  double Sum = 0;
  for (int K = 0; K < Width; ++K)
    if (Column[K * Rows + Row] >= 0)
      Sum += Value[K * Rows + Row] * X[Column[K * Rows + Row]];
  Y[Row] = Sum;
}

__global__ void axpy(int N, double A, const double *X, double *Y) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Y[I] += A * X[I];
}
__global__ void xpay(int N, const double *X, double A, double *Y) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Y[I] = X[I] + A * Y[I];
}

__global__ void dot(int N, const double *X, const double *Y, double *Out) {
  __shared__ double Sums[128];
  double Sum = 0;
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N; I += gridDim.x * blockDim.x)
    Sum += X[I] * Y[I];
  Sums[threadIdx.x] = Sum;
  __syncthreads();
  for (int Step = blockDim.x / 2; Step; Step /= 2) {
    if (threadIdx.x < Step)
      Sums[threadIdx.x] += Sums[threadIdx.x + Step];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(Out, Sums[0]);
}

static bool close(const std::vector<double> &A, const std::vector<double> &B, double Bound) {
  for (size_t I = 0; I < A.size(); ++I)
    if (!(std::fabs(A[I] - B[I]) <= Bound))
      return false;
  return A.size() == B.size();
}

int main() {
  constexpr int Side = 24, N = Side * Side;
  const Csr M = laplacian(Side);
  const int Count = static_cast<int>(M.Value.size());
  std::vector<double> X(N), Y(N);
  for (int I = 0; I < N; ++I)
    X[I] = 1.0 + I % 7;
  std::vector<int> Row;
  std::vector<int> EllColumn(5 * N, -1);
  std::vector<double> EllValue(5 * N);
  for (int I = 0; I < N; ++I)
    for (int K = M.Start[I]; K < M.Start[I + 1]; ++K) {
      Y[I] += M.Value[K] * X[M.Column[K]];
      Row.push_back(I);
      EllColumn[(K - M.Start[I]) * N + I] = M.Column[K];
      EllValue[(K - M.Start[I]) * N + I] = M.Value[K];
    }

  suite::Array<int> Start(M.Start), Column(M.Column), Rows(Row), ColumnE(EllColumn);
  suite::Array<double> Value(M.Value), ValueE(EllValue), In(X), Out(N);
  byThread<<<(N + 127) / 128, 128>>>(N, Start, Column, Value, In, Out);
  expect(close(Out.host(), Y, 1e-12));
  check(cudaMemset(Out, 0, N * sizeof(double)));
  byWarp<<<(N + 3) / 4, 128>>>(N, Start, Column, Value, In, Out);
  expect(close(Out.host(), Y, 1e-12));
  check(cudaMemset(Out, 0, N * sizeof(double)));
  byElement<<<5, 128>>>(Count, Rows, Column, Value, In, Out);
  expect(close(Out.host(), Y, 1e-12));
  check(cudaMemset(Out, 0, N * sizeof(double)));
  ell<<<(N + 127) / 128, 128>>>(N, 5, ColumnE, ValueE, In, Out);
  expect(close(Out.host(), Y, 1e-12));

  // Out = M X is the right side; conjugate gradients find X again.
  suite::Array<double> Found(N), R(Y), P(Y), Q(N), Scalars(2);
  double Old = 0;
  for (double V : Y)
    Old += V * V;
  const dim3 Grid((N + 127) / 128), Block(128);
  for (int Step = 0; Step < 60 && Old > 1e-20; ++Step) {
    double Host[2] = {0, 0};
    check(cudaMemset(Scalars, 0, sizeof Host));
    byThread<<<Grid, Block>>>(N, Start, Column, Value, P, Q);
    dot<<<3, 128>>>(N, P, Q, Scalars);
    check(cudaMemcpy(Host, Scalars, sizeof(double), cudaMemcpyDeviceToHost));
    const double Alpha = Old / Host[0];
    axpy<<<Grid, Block>>>(N, Alpha, P, Found);
    axpy<<<Grid, Block>>>(N, -Alpha, Q, R);
    dot<<<3, 128>>>(N, R, R, Scalars + 1);
    check(cudaMemcpy(Host + 1, Scalars + 1, sizeof(double), cudaMemcpyDeviceToHost));
    xpay<<<Grid, Block>>>(N, R, Host[1] / Old, P);
    Old = Host[1];
  }
  expect(Old < 1e-18);
  expect(close(Found.host(), X, 1e-8));
  return suite::finish();
}
