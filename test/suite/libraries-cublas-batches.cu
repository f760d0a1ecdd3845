// Feature: libraries: cuBLAS: batches by strides and by pointers, mixed types (half, bfloat16, 8-bit integers), complex
// matrices of level 2 and 3, LU factorisations, sizes of int64_t, what calls say to wrong arguments.
// Needs: cublas
// Flags: -lcublas

#include <complex>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdint>

#include "Inputs/blas.h"
#include "Inputs/suite.h"

using namespace reference;

namespace {

cublasHandle_t Handle;

#define okay(Call) expect((Call) == CUBLAS_STATUS_SUCCESS)

template <typename T> void near(const std::vector<T> &Got, const std::vector<T> &Expected, int Line) {
  suite::expectAt(close(Got, Expected), "close", Line);
}

template <typename T> std::vector<T> slice(const std::vector<T> &From, int First, int Count) {
  return {From.begin() + First, From.begin() + First + Count};
}

/// A third of the matrices' memory is between them.
void batches() {
  const int M = 4, N = 3, K = 5, Batch = 3, SizeA = 30, SizeB = 25, SizeC = 20;
  const std::vector<float> A = values<float>(SizeA * Batch, 1), B = values<float>(SizeB, 2), C = values<float>(SizeC * Batch, 3);
  suite::Array<float> OnA(A), OnB(B), OnC(C), OnD(C);
  const float Alpha = 2, Beta = -1;
  std::vector<float> Expected = C;
  for (int I = 0; I < Batch; ++I) {
    std::vector<float> One = slice(C, I * SizeC, SizeC);
    gemm(N_, N_, M, N, K, Alpha, slice(A, I * SizeA, SizeA), M, B, K, Beta, One, M);
    std::copy(One.begin(), One.end(), Expected.begin() + I * SizeC);
  }
  okay(cublasSgemmStridedBatched(Handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &Alpha, OnA, M, SizeA, OnB, K, 0, &Beta, OnC, M,
                                 SizeC, Batch));
  near(OnC.host(), Expected, __LINE__);
  std::vector<float *> PA, PB, PD;
  for (int I = 0; I < Batch; ++I) {
    PA.push_back(OnA + I * SizeA);
    PB.push_back(OnB);
    PD.push_back(OnD + I * SizeC);
  }
  suite::Array<float *> ListA(PA), ListB(PB), ListD(PD);
  okay(cublasSgemmBatched(Handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &Alpha, ListA, M, ListB, K, &Beta, ListD, M, Batch));
  near(OnD.host(), Expected, __LINE__);
  okay(cublasSgemm_64(Handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &Alpha, OnA, M, OnB, K, &Beta, OnD, M));
  std::vector<float> Twice = slice(Expected, 0, SizeC);
  gemm(N_, N_, M, N, K, Alpha, A, M, B, K, Beta, Twice, M);
  near(slice(OnD.host(), 0, SizeC), Twice, __LINE__);
}

float wide(__half Value) { return __half2float(Value); }
float wide(__nv_bfloat16 Value) { return __bfloat162float(Value); }
float wide(float Value) { return Value; }

template <typename T> std::vector<T> narrow(const std::vector<float> &From) {
  std::vector<T> Out;
  for (float Each : From)
    Out.push_back(T(Each));
  return Out;
}

/// Small whole numbers, so that all types hold the results exactly.
template <typename T, typename R> void mixed(cudaDataType Type, cudaDataType Result, int Line) {
  const int N = 4;
  const std::vector<float> A = values<float>(N * N, 7), B = values<float>(N * N, 8);
  suite::Array<T> OnA(narrow<T>(A)), OnB(narrow<T>(B));
  suite::Array<R> OnC(N * N);
  const float One = 1, Zero = 0;
  okay(cublasGemmEx(Handle, CUBLAS_OP_T, CUBLAS_OP_N, N, N, N, &One, OnA, Type, N, OnB, Type, N, &Zero, OnC, Result, N,
                    CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  std::vector<float> Expected(N * N), Got;
  gemm(T_, N_, N, N, N, 1.0f, A, N, B, N, 0.0f, Expected, N);
  for (R Each : OnC.host())
    Got.push_back(wide(Each));
  near(Got, Expected, Line);
}

void integers() {
  const int N = 4;
  std::vector<int8_t> A, B;
  for (int I = 0; I < N * N; ++I) {
    A.push_back(int8_t(I * 37 % 256 - 128));
    B.push_back(int8_t(I * 91 % 256 - 128));
  }
  suite::Array<int8_t> OnA(A), OnB(B);
  suite::Array<int32_t> OnC(std::vector<int32_t>(N * N, 5));
  const int32_t Two = 2, Three = 3;
  okay(cublasGemmEx(Handle, CUBLAS_OP_T, CUBLAS_OP_N, N, N, N, &Two, OnA, CUDA_R_8I, N, OnB, CUDA_R_8I, N, &Three, OnC,
                    CUDA_R_32I, N, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT));
  std::vector<int32_t> Expected(N * N);
  for (int Column = 0; Column < N; ++Column)
    for (int Row = 0; Row < N; ++Row) {
      int Sum = 0;
      for (int I = 0; I < N; ++I)
        Sum += A[Row * N + I] * B[Column * N + I];
      Expected[Column * N + Row] = 2 * Sum + 15;
    }
  same(OnC.host(), Expected);
}

/// Hermitian and complex symmetric matrices, by products with all of them.
void complexMatrices() {
  using C = std::complex<float>;
  const int N = 5;
  std::vector<C> Hermitian = values<C>(N * N, 9), Symmetric = Hermitian, B = values<C>(N * N, 10), X = values<C>(N, 11);
  for (int Column = 0; Column < N; ++Column)
    for (int Row = 0; Row <= Column; ++Row) {
      if (Row == Column)
        Hermitian[Column * N + Row].imag(0);
      Hermitian[Column * N + Row] = std::conj(Hermitian[Row * N + Column]);
      Symmetric[Column * N + Row] = Symmetric[Row * N + Column];
    }
  suite::Array<C> OnH(Hermitian), OnS(Symmetric), OnB(B), OnX(X), OnC(N * N), OnY(N);
  auto P = [](const suite::Array<C> &Of) { return reinterpret_cast<cuComplex *>(Of.get()); };
  const cuComplex One = {1, 0}, Zero = {0, 0};
  std::vector<C> Expected(N * N), Line(N);
  okay(cublasChemm(Handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, N, N, &One, P(OnH), N, P(OnB), N, &Zero, P(OnC), N));
  gemm(N_, N_, N, N, N, C(1), B, N, Hermitian, N, C(0), Expected, N);
  near(OnC.host(), Expected, __LINE__);
  okay(cublasCsymm(Handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, N, N, &One, P(OnS), N, P(OnB), N, &Zero, P(OnC), N));
  gemm(N_, N_, N, N, N, C(1), Symmetric, N, B, N, C(0), Expected, N);
  near(OnC.host(), Expected, __LINE__);
  okay(cublasChemv(Handle, CUBLAS_FILL_MODE_LOWER, N, &One, P(OnH), N, P(OnX), 1, &Zero, P(OnY), 1));
  gemm(N_, N_, N, 1, N, C(1), Hermitian, N, X, N, C(0), Line, N);
  near(OnY.host(), Line, __LINE__);
  okay(cublasCsymv(Handle, CUBLAS_FILL_MODE_UPPER, N, &One, P(OnS), N, P(OnX), -1, &Zero, P(OnY), -1));
  std::vector<C> Back(X.rbegin(), X.rend());
  gemm(N_, N_, N, 1, N, C(1), Symmetric, N, Back, N, C(0), Line, N);
  near(OnY.host(), std::vector<C>(Line.rbegin(), Line.rend()), __LINE__);
  const float Real = 1, Nothing = 0;
  okay(cublasCherk(Handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_C, N, N, &Real, P(OnB), N, &Nothing, P(OnC), N));
  gemm(C_, N_, N, N, N, C(1), B, N, B, N, C(0), Expected, N);
  const std::vector<C> Upper = OnC.host();
  for (int Column = 0; Column < N; ++Column)
    for (int Row = 0; Row <= Column; ++Row)
      expect(std::abs(Upper[Column * N + Row] - Expected[Column * N + Row]) < 1e-3f);
}

/// A X = B by factors, and the inverse.
void factors() {
  const int N = 4, Batch = 2;
  std::vector<double> A = values<double>(N * N * Batch, 12), X = values<double>(N * Batch, 13), B(N * Batch);
  for (int I = 0; I < Batch; ++I) {
    for (int J = 0; J < N; ++J)
      A[I * N * N + J * N + (J + 1) % N] += 9; // The diagonal is not the pivots.
    std::vector<double> One(N);
    gemm(N_, N_, N, 1, N, 1.0, slice(A, I * N * N, N * N), N, slice(X, I * N, N), N, 0.0, One, N);
    std::copy(One.begin(), One.end(), B.begin() + I * N);
  }
  suite::Array<double> OnA(A), OnB(B), OnC(N * N * Batch), OnD(N * N);
  suite::Array<int> Pivots(N * Batch), Info(Batch);
  suite::Array<double *> ListA({OnA.get(), OnA + N * N}), ListB({OnB.get(), OnB + N}), ListC({OnC.get(), OnC + N * N});
  okay(cublasDgetrfBatched(Handle, N, ListA, N, Pivots, Info, Batch));
  same(Info.host(), std::vector<int>(Batch));
  int Wrong = 1;
  okay(cublasDgetrsBatched(Handle, CUBLAS_OP_N, N, 1, ListA, N, Pivots, ListB, N, &Wrong, Batch));
  expect(Wrong == 0);
  near(OnB.host(), X, __LINE__);
  okay(cublasDgetriBatched(Handle, N, ListA, N, Pivots, ListC, N, Info, Batch));
  suite::Array<double> Original(A);
  const double One = 1, Zero = 0;
  okay(cublasDgemm(Handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &One, Original, N, OnC, N, &Zero, OnD, N));
  std::vector<double> Unit(N * N);
  for (int I = 0; I < N; ++I)
    Unit[I * N + I] = 1;
  near(OnD.host(), Unit, __LINE__);
}

void mistakes() {
  suite::Array<float> A(16);
  const float One = 1;
  float Out = 0;
  expect(cublasSaxpy(nullptr, 4, &One, A, 1, A, 1) == CUBLAS_STATUS_NOT_INITIALIZED);
  expect(cublasSgemm(Handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &One, A, 3, A, 4, &One, A, 4) == CUBLAS_STATUS_INVALID_VALUE);
  expect(cublasSgemm(Handle, CUBLAS_OP_N, CUBLAS_OP_N, -1, 4, 4, &One, A, 4, A, 4, &One, A, 4) == CUBLAS_STATUS_INVALID_VALUE);
  expect(cublasSgemv(Handle, CUBLAS_OP_N, 4, 4, &One, A, 3, A, 1, &One, A, 1) == CUBLAS_STATUS_INVALID_VALUE);
  okay(cublasSgemm(Handle, CUBLAS_OP_N, CUBLAS_OP_N, 0, 4, 4, &One, A, 4, A, 4, &One, A, 4));
  expect(cublasGemmEx(Handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &One, A, CUDA_R_32F, 4, A, CUDA_R_64F, 4, &One, A, CUDA_R_32F, 4,
                      CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
  okay(cublasSnrm2(Handle, 0, A, 1, &Out));
  expect(Out == 0);
}

} // namespace

int main() {
  okay(cublasCreate(&Handle));
  batches();
  mixed<__half, __half>(CUDA_R_16F, CUDA_R_16F, __LINE__);
  mixed<__half, float>(CUDA_R_16F, CUDA_R_32F, __LINE__);
  mixed<__nv_bfloat16, __nv_bfloat16>(CUDA_R_16BF, CUDA_R_16BF, __LINE__);
  mixed<__nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_32F, __LINE__);
  integers();
  complexMatrices();
  factors();
  mistakes();
  okay(cublasDestroy(Handle));
  return suite::finish();
}
