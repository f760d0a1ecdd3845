// Feature: libraries: cuBLAS: vectors, matrices and their products in all four number types, numbers on
// host and device, in stream order with kernels, in captured graphs, results on the host.
// Needs: cublas
// Flags: -lcublas

#include <cmath>
#include <complex>
#include <cublas_v2.h>

#include "Inputs/blas.h"
#include "Inputs/suite.h"

using namespace reference;

namespace {

cublasHandle_t Handle;

__global__ void addOne(float *To, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    To[I] += 1;
}

#define okay(Call) expect((Call) == CUBLAS_STATUS_SUCCESS)

template <typename T> void near(const std::vector<T> &Got, const std::vector<T> &Expected, int Line) {
  suite::expectAt(close(Got, Expected), "close", Line);
}

void levelOne() {
  const std::vector<float> X = {1, -5, 2, 4}, Y = {10, 20, 30, 40};
  suite::Array<float> A(X), B(Y);
  const float Two = 2;
  okay(cublasSaxpy(Handle, 4, &Two, A, 1, B, 1));
  same(B.host(), std::vector<float>({12, 10, 34, 48}));
  okay(cublasSscal(Handle, 2, &Two, B, 2)); // Elements 0 and 2.
  same(B.host(), std::vector<float>({24, 10, 68, 48}));
  float Sum = 0, Norm = 0;
  int Largest = 0, Smallest = 0;
  okay(cublasSdot(Handle, 4, A, 1, B, -1, &Sum)); // B from its end.
  expect(Sum == 1 * 48 - 5 * 68 + 2 * 10 + 4 * 24);
  okay(cublasIsamax(Handle, 4, A, 1, &Largest));
  okay(cublasIsamin(Handle, 4, A, 1, &Smallest));
  expect(Largest == 2 && Smallest == 1);
  okay(cublasSasum(Handle, 4, A, 1, &Sum));
  expect(Sum == 12);
  okay(cublasSnrm2(Handle, 4, A, 1, &Norm));
  expect(std::fabs(Norm - std::sqrt(46.0f)) < 1e-5f);
  okay(cublasSswap(Handle, 4, A, 1, B, 1));
  same(A.host(), std::vector<float>({24, 10, 68, 48}));
  okay(cublasScopy(Handle, 4, A, 1, B, 1));
  same(B.host(), std::vector<float>({24, 10, 68, 48}));
  const float Cosine = 0, Sine = 1;
  okay(cublasSrot(Handle, 1, A, 1, B.get() + 1, 1, &Cosine, &Sine));
  expect(A.host()[0] == 10 && B.host()[1] == -24);
}

void levelOneComplex() {
  using C = std::complex<float>;
  const std::vector<C> X = {{1, 2}, {3, -4}}, Y = {{0, 1}, {2, 2}};
  suite::Array<C> A(X), B(Y);
  auto *PA = reinterpret_cast<cuComplex *>(A.get());
  auto *PB = reinterpret_cast<cuComplex *>(B.get());
  C Plain, Conjugated;
  okay(cublasCdotu(Handle, 2, PA, 1, PB, 1, reinterpret_cast<cuComplex *>(&Plain)));
  okay(cublasCdotc(Handle, 2, PA, 1, PB, 1, reinterpret_cast<cuComplex *>(&Conjugated)));
  expect(Plain == X[0] * Y[0] + X[1] * Y[1]);
  expect(Conjugated == std::conj(X[0]) * Y[0] + std::conj(X[1]) * Y[1]);
  int Largest = 0;
  okay(cublasIcamax(Handle, 2, PA, 1, &Largest));
  float Sum = 0;
  okay(cublasScasum(Handle, 2, PA, 1, &Sum));
  expect(Largest == 2 && Sum == 10);
  const float Half = 0.5f;
  okay(cublasCsscal(Handle, 2, &Half, PA, 1));
  expect(A.host()[1] == C(1.5f, -2));
}

template <typename T, typename Gemm> void products(Gemm Call, int Line) {
  const int M = 5, N = 4, K = 3, Lda = 7, Ldb = 6, Ldc = 8;
  for (int OpA = 0; OpA < 3; ++OpA)
    for (int OpB = 0; OpB < 3; ++OpB) {
      const std::vector<T> A = values<T>(Lda * 7, 1), B = values<T>(Ldb * 7, 2), C = values<T>(Ldc * N, 3);
      std::vector<T> Expected = C;
      gemm(Operation(OpA), Operation(OpB), M, N, K, T(2), A, Lda, B, Ldb, T(3), Expected, Ldc);
      suite::Array<T> OnA(A), OnB(B), OnC(C);
      const T Alpha(2), Beta(3);
      okay(Call(cublasOperation_t(OpA), cublasOperation_t(OpB), M, N, K, &Alpha, OnA.get(), Lda, OnB.get(), Ldb, &Beta,
                OnC.get(), Ldc));
      near(OnC.host(), Expected, Line);
    }
}

void allProducts() {
  products<float>([](auto... All) { return cublasSgemm(Handle, All...); }, __LINE__);
  products<double>([](auto... All) { return cublasDgemm(Handle, All...); }, __LINE__);
  products<std::complex<float>>(
      [](auto OpA, auto OpB, int M, int N, int K, auto Alpha, auto A, int Lda, auto B, int Ldb, auto Beta, auto C, int Ldc) {
        return cublasCgemm(Handle, OpA, OpB, M, N, K, (const cuComplex *)Alpha, (const cuComplex *)A, Lda, (const cuComplex *)B,
                           Ldb, (const cuComplex *)Beta, (cuComplex *)C, Ldc);
      },
      __LINE__);
  products<std::complex<double>>(
      [](auto OpA, auto OpB, int M, int N, int K, auto Alpha, auto A, int Lda, auto B, int Ldb, auto Beta, auto C, int Ldc) {
        return cublasZgemm(Handle, OpA, OpB, M, N, K, (const cuDoubleComplex *)Alpha, (const cuDoubleComplex *)A, Lda,
                           (const cuDoubleComplex *)B, Ldb, (const cuDoubleComplex *)Beta, (cuDoubleComplex *)C, Ldc);
      },
      __LINE__);
}

/// A symmetric matrix, triangles of it, and solutions, by what they have to give.
void levelTwoAndThree() {
  const int N = 6;
  std::vector<double> A = values<double>(N * N, 4), X = values<double>(N, 5);
  for (int I = 0; I < N; ++I)
    A[I * N + I] += 10;
  suite::Array<double> OnA(A), OnX(X), OnY(std::vector<double>(N, 1)), OnC(N * N);
  const double One = 1, Zero = 0, Two = 2;
  okay(cublasDgemv(Handle, CUBLAS_OP_T, N, N, &Two, OnA, N, OnX, 1, &One, OnY, 1));
  std::vector<double> Y(N, 1);
  gemm(T_, N_, N, 1, N, 2.0, A, N, X, N, 1.0, Y, N);
  near(OnY.host(), Y, __LINE__);
  okay(cublasDtrsv(Handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, N, OnA, N, OnY, 1));
  okay(cublasDtrmv(Handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, N, OnA, N, OnY, 1));
  near(OnY.host(), Y, __LINE__);
  okay(cublasDsyrk(Handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, N, N, &One, OnA, N, &Zero, OnC, N));
  std::vector<double> Square(N * N);
  gemm(N_, T_, N, N, N, 1.0, A, N, A, N, 0.0, Square, N);
  std::vector<double> Lower = OnC.host();
  for (int Column = 0; Column < N; ++Column)
    for (int Row = 0; Row < N; ++Row)
      expect(Row < Column ? Lower[Column * N + Row] == 0
                          : std::fabs(Lower[Column * N + Row] - Square[Column * N + Row]) < 1e-9);
  okay(cublasDsymv(Handle, CUBLAS_FILL_MODE_LOWER, N, &One, OnC, N, OnX, 1, &Zero, OnY, 1));
  std::vector<double> Product(N);
  gemm(N_, N_, N, 1, N, 1.0, Square, N, X, N, 0.0, Product, N);
  near(OnY.host(), Product, __LINE__);
  okay(cublasDger(Handle, N, N, &One, OnX, 1, OnX, 1, OnA, N));
  for (int I = 0; I < N * N; ++I)
    A[I] += X[I % N] * X[I / N];
  near(OnA.host(), A, __LINE__);
  suite::Array<double> OnB(A);
  okay(cublasDtrmm(Handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, N, N, &Two, OnA, N, OnB,
                   N, OnC, N));
  okay(cublasDtrsm(Handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, N, N, &One, OnA, N, OnC,
                   N));
  std::vector<double> Doubled = A;
  for (double &Each : Doubled)
    Each *= 2;
  near(OnC.host(), Doubled, __LINE__);
  okay(cublasDgeam(Handle, CUBLAS_OP_T, CUBLAS_OP_N, N, N, &One, OnA, N, &Zero, OnA, N, OnC, N));
  expect(OnC.host()[1] == A[N]);
  okay(cublasDdgmm(Handle, CUBLAS_SIDE_LEFT, N, N, OnA, N, OnX, 1, OnC, N));
  expect(OnC.host()[N + 1] == A[N + 1] * X[1]);
}

/// Numbers and results in memory of the device.
void pointerMode() {
  suite::Array<float> Alpha(std::vector<float>{3}), X(std::vector<float>{1, 2, 3}), Out(1);
  okay(cublasSetPointerMode(Handle, CUBLAS_POINTER_MODE_DEVICE));
  addOne<<<1, 32>>>(Alpha, 1); // 4, before the call reads it.
  okay(cublasSscal(Handle, 3, Alpha, X, 1));
  okay(cublasSdot(Handle, 3, X, 1, X, 1, Out));
  addOne<<<1, 32>>>(Out, 1);
  okay(cublasSetPointerMode(Handle, CUBLAS_POINTER_MODE_HOST));
  expect(Out.host()[0] == 16 * 14 + 1);
}

/// Kernels and products by turns, also as a graph that is launched twice.
void streams() {
  const int N = 16;
  cudaStream_t Stream;
  check(cudaStreamCreate(&Stream));
  okay(cublasSetStream(Handle, Stream));
  cudaStream_t Set;
  okay(cublasGetStream(Handle, &Set));
  expect(Set == Stream);
  suite::Array<float> A(N * N), B(N * N), C(N * N);
  check(cudaDeviceSynchronize());
  const float One = 1, Zero = 0;
  auto Step = [&] {
    addOne<<<N, N, 0, Stream>>>(A, N * N);
    addOne<<<N, N, 0, Stream>>>(B, N * N);
    okay(cublasSgemm(Handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &One, A, N, B, N, &Zero, C, N));
    addOne<<<N, N, 0, Stream>>>(C, N * N);
    okay(cublasSaxpy(Handle, N * N, &One, C, 1, A, 1));
  };
  Step();
  same(C.host(), std::vector<float>(N * N, N + 1));
  same(A.host(), std::vector<float>(N * N, N + 2));
  cudaGraph_t Graph;
  cudaGraphExec_t Exec;
  check(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeThreadLocal));
  Step();
  check(cudaStreamEndCapture(Stream, &Graph));
  check(cudaGraphInstantiate(&Exec, Graph, 0));
  same(C.host(), std::vector<float>(N * N, N + 1));
  float InA = N + 2, InB = 1, InC = 0;
  for (int I = 0; I < 2; ++I) {
    check(cudaGraphLaunch(Exec, Stream));
    InA += 1;
    InB += 1;
    InC = N * InA * InB + 1;
    InA += InC;
  }
  same(A.host(), std::vector<float>(N * N, InA));
  check(cudaGraphExecDestroy(Exec));
  check(cudaGraphDestroy(Graph));
  okay(cublasSetStream(Handle, nullptr));
  check(cudaStreamDestroy(Stream));
}

void transfers() {
  const std::vector<float> Host = values<float>(24, 6); // 6 x 4.
  suite::Array<float> On(24);
  okay(cublasSetMatrix(3, 4, sizeof(float), Host.data(), 6, On, 5));
  std::vector<float> Back(12);
  okay(cublasGetMatrix(3, 4, sizeof(float), On, 5, Back.data(), 3));
  for (int I = 0; I < 12; ++I)
    expect(Back[I] == Host[I / 3 * 6 + I % 3]);
  okay(cublasSetVector(4, sizeof(float), Host.data(), 6, On, 1)); // A row.
  okay(cublasGetVector(4, sizeof(float), On, 1, Back.data(), 2));
  expect(Back[2] == Host[6] && Back[6] == Host[18]);
}

} // namespace

int main() {
  okay(cublasCreate(&Handle));
  levelOne();
  levelOneComplex();
  allProducts();
  levelTwoAndThree();
  pointerMode();
  streams();
  transfers();
  okay(cublasDestroy(Handle));
  return suite::finish();
}
