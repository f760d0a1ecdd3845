// Feature: libraries: cuFFT: complex and real transforms of one to three dimensions and batches, both precisions, in
// place and not, layouts of the program, in stream order with kernels, in captured graphs.
// Needs: cufft
// Flags: -lcufft

#include <cmath>
#include <complex>
#include <cufft.h>

#include "Inputs/suite.h"

namespace {

using Z = std::complex<double>;

#define okay(Call) expect((Call) == CUFFT_SUCCESS)

std::vector<Z> numbers(int Count, bool Real = false) {
  std::vector<Z> Out(Count);
  for (int I = 0; I < Count; ++I)
    Out[I] = {double(I * 7 % 11) - 5, Real ? 0 : double(I * 5 % 13) - 6};
  return Out;
}

/// The transform as it is defined, of X * Y * Z numbers in rows.
std::vector<Z> transformed(const std::vector<Z> &From, int X, int Y, int W, int Sign) {
  std::vector<Z> Out(From.size());
  const double Turn = Sign * 2 * std::acos(-1.0);
  for (int A = 0; A < X; ++A)
    for (int B = 0; B < Y; ++B)
      for (int C = 0; C < W; ++C) {
        Z Sum = 0;
        for (int I = 0; I < X; ++I)
          for (int J = 0; J < Y; ++J)
            for (int K = 0; K < W; ++K)
              Sum += From[(I * Y + J) * W + K] *
                     std::polar(1.0, Turn * (double(A * I) / X + double(B * J) / Y + double(C * K) / W));
        Out[(A * Y + B) * W + C] = Sum;
      }
  return Out;
}

template <typename To, typename From> std::vector<To> as(const std::vector<From> &Given) {
  std::vector<To> Out;
  for (const From &Each : Given)
    Out.push_back(To(Each));
  return Out;
}

std::vector<double> reals(const std::vector<Z> &Given) {
  std::vector<double> Out;
  for (const Z &Each : Given)
    Out.push_back(Each.real());
  return Out;
}

template <typename A, typename B> void near(const std::vector<A> &Got, const std::vector<B> &Expected, int Line) {
  bool Close = Got.size() == Expected.size();
  for (size_t I = 0; Close && I < Got.size(); ++I)
    Close = std::abs(Z(Got[I]) - Z(Expected[I])) <= 2e-4 * (1 + std::abs(Z(Expected[I])));
  suite::expectAt(Close, "near", Line);
}

/// Forward in place, and back to another place: Count times the numbers.
void complexLine() {
  using C = std::complex<float>;
  const int N = 12;
  const std::vector<Z> From = numbers(N);
  suite::Array<C> A(as<C>(From)), B(N);
  auto *PA = reinterpret_cast<cufftComplex *>(A.get());
  auto *PB = reinterpret_cast<cufftComplex *>(B.get());
  cufftHandle Plan;
  okay(cufftPlan1d(&Plan, N, CUFFT_C2C, 1));
  okay(cufftExecC2C(Plan, PA, PA, CUFFT_FORWARD));
  near(A.host(), transformed(From, 1, 1, N, -1), __LINE__);
  okay(cufftExecC2C(Plan, PA, PB, CUFFT_INVERSE));
  std::vector<Z> Scaled = From;
  for (Z &Each : Scaled)
    Each *= N;
  near(B.host(), Scaled, __LINE__);
  okay(cufftDestroy(Plan));
}

void complexSpaces() {
  const std::vector<Z> From = numbers(60);
  suite::Array<Z> A(From), B(60);
  auto *PA = reinterpret_cast<cufftDoubleComplex *>(A.get());
  auto *PB = reinterpret_cast<cufftDoubleComplex *>(B.get());
  cufftHandle Plane, Space;
  okay(cufftPlan2d(&Plane, 6, 10, CUFFT_Z2Z));
  okay(cufftExecZ2Z(Plane, PA, PB, CUFFT_INVERSE));
  near(B.host(), transformed(From, 1, 6, 10, 1), __LINE__);
  okay(cufftPlan3d(&Space, 3, 4, 5, CUFFT_Z2Z));
  okay(cufftExecZ2Z(Space, PA, PB, CUFFT_FORWARD));
  near(B.host(), transformed(From, 3, 4, 5, -1), __LINE__);
  okay(cufftDestroy(Plane));
  okay(cufftDestroy(Space));
}

std::vector<Z> halves(const std::vector<Z> &All, int Rows, int N) {
  std::vector<Z> Out;
  for (int Row = 0; Row < Rows; ++Row)
    Out.insert(Out.end(), All.begin() + Row * N, All.begin() + Row * N + N / 2 + 1);
  return Out;
}

/// A plane of real numbers, an odd number in a row; there and back.
void realPlane() {
  const int Rows = 4, N = 7, Half = N / 2 + 1;
  const std::vector<Z> From = numbers(Rows * N, true);
  suite::Array<double> In(reals(From)), Back(Rows * N);
  suite::Array<Z> Out(Rows * Half);
  cufftHandle There, Home;
  okay(cufftPlan2d(&There, Rows, N, CUFFT_D2Z));
  okay(cufftPlan2d(&Home, Rows, N, CUFFT_Z2D));
  okay(cufftExecD2Z(There, In, reinterpret_cast<cufftDoubleComplex *>(Out.get())));
  near(Out.host(), halves(transformed(From, 1, Rows, N, -1), Rows, N), __LINE__);
  okay(cufftExecZ2D(Home, reinterpret_cast<cufftDoubleComplex *>(Out.get()), Back));
  std::vector<double> Scaled = reals(From);
  for (double &Each : Scaled)
    Each *= Rows * N;
  near(Back.host(), Scaled, __LINE__);
  okay(cufftDestroy(There));
  okay(cufftDestroy(Home));
}

/// A batch of rows of real numbers, padded for a transform in place.
void realInPlace() {
  const int Batch = 3, N = 8, Half = N / 2 + 1;
  const std::vector<Z> From = numbers(Batch * N, true);
  std::vector<float> Padded(Batch * 2 * Half);
  std::vector<Z> Expected;
  for (int Row = 0; Row < Batch; ++Row) {
    for (int I = 0; I < N; ++I)
      Padded[Row * 2 * Half + I] = float(From[Row * N + I].real());
    const std::vector<Z> One = transformed({From.begin() + Row * N, From.begin() + (Row + 1) * N}, 1, 1, N, -1);
    Expected.insert(Expected.end(), One.begin(), One.begin() + Half);
  }
  suite::Array<float> Data(Padded);
  cufftHandle There, Home;
  okay(cufftPlan1d(&There, N, CUFFT_R2C, Batch));
  okay(cufftPlan1d(&Home, N, CUFFT_C2R, Batch));
  auto *AsComplex = reinterpret_cast<cufftComplex *>(Data.get());
  okay(cufftExecR2C(There, Data, AsComplex));
  const std::vector<float> Got = Data.host();
  std::vector<Z> Pairs;
  for (size_t I = 0; I < Got.size(); I += 2)
    Pairs.push_back({Got[I], Got[I + 1]});
  near(Pairs, Expected, __LINE__);
  okay(cufftExecC2R(Home, AsComplex, Data));
  const std::vector<float> Back = Data.host();
  for (int I = 0; I < Batch * N; ++I)
    expect(std::fabs(Back[I / N * 2 * Half + I % N] - N * From[I].real()) < 1e-3);
  okay(cufftDestroy(There));
  okay(cufftDestroy(Home));
}

/// The columns of a matrix: steps and distances of the program's.
void columns() {
  const int Rows = 6, Columns = 4;
  const std::vector<Z> From = numbers(Rows * Columns);
  suite::Array<Z> A(From), B(Rows * Columns);
  int Size[] = {Rows}, Embed[] = {Rows};
  cufftHandle Plan;
  size_t Work = 0;
  okay(cufftCreate(&Plan));
  okay(cufftMakePlanMany(Plan, 1, Size, Embed, Columns, 1, Embed, 1, Rows, CUFFT_Z2Z, Columns, &Work));
  okay(cufftExecZ2Z(Plan, reinterpret_cast<cufftDoubleComplex *>(A.get()), reinterpret_cast<cufftDoubleComplex *>(B.get()),
                    CUFFT_FORWARD));
  std::vector<Z> Expected;
  for (int Column = 0; Column < Columns; ++Column) {
    std::vector<Z> One;
    for (int Row = 0; Row < Rows; ++Row)
      One.push_back(From[Row * Columns + Column]);
    One = transformed(One, 1, 1, Rows, -1);
    Expected.insert(Expected.end(), One.begin(), One.end());
  }
  near(B.host(), Expected, __LINE__);
  okay(cufftDestroy(Plan));
}

__global__ void scale(cufftComplex *What, float By, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N) {
    What[I].x *= By;
    What[I].y *= By;
  }
}

/// There, divided, and back, on a stream and as a graph.
void streams() {
  using C = std::complex<float>;
  const int N = 64;
  const std::vector<C> From = as<C>(numbers(N));
  suite::Array<C> A(From);
  auto *PA = reinterpret_cast<cufftComplex *>(A.get());
  cudaStream_t Stream;
  check(cudaStreamCreate(&Stream));
  check(cudaDeviceSynchronize());
  cufftHandle Plan;
  okay(cufftPlan1d(&Plan, N, CUFFT_C2C, 1));
  okay(cufftSetStream(Plan, Stream));
  auto Step = [&] {
    okay(cufftExecC2C(Plan, PA, PA, CUFFT_FORWARD));
    scale<<<4, 16, 0, Stream>>>(PA, 2.0f / N, N);
    okay(cufftExecC2C(Plan, PA, PA, CUFFT_INVERSE));
  };
  Step();
  cudaGraph_t Graph;
  cudaGraphExec_t Exec;
  check(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeThreadLocal));
  Step();
  check(cudaStreamEndCapture(Stream, &Graph));
  check(cudaGraphInstantiate(&Exec, Graph, 0));
  check(cudaGraphLaunch(Exec, Stream));
  check(cudaGraphLaunch(Exec, Stream));
  std::vector<C> Expected = From;
  for (C &Each : Expected)
    Each *= 8;
  near(A.host(), Expected, __LINE__);
  check(cudaGraphExecDestroy(Exec));
  check(cudaGraphDestroy(Graph));
  okay(cufftDestroy(Plan));
  check(cudaStreamDestroy(Stream));
}

void mistakes() {
  cufftHandle Plan;
  expect(cufftPlan1d(&Plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
  expect(cufftPlan1d(&Plan, 8, cufftType(1), 1) != CUFFT_SUCCESS);
  expect(cufftDestroy(12345) == CUFFT_INVALID_PLAN);
}

} // namespace

int main() {
  complexLine();
  complexSpaces();
  realPlane();
  realInPlace();
  columns();
  streams();
  mistakes();
  return suite::finish();
}
