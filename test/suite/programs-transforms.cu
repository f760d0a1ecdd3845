// Feature: programs: Fourier transforms in shared memory and over memory, a separable
// convolution with constant weights, Haar wavelets and a discrete cosine transform.

#include <cmath>
#include <cuComplex.h>

#include "Inputs/suite.h"

constexpr int N = 256;
constexpr double Pi = 3.14159265358979323846;

/// Stockham's form: in order, from one half of the buffer to the other.
__global__ void fourier(const float2 *In, float2 *Out, int Sign) {
  __shared__ float2 Buffer[2][N];
  const int T = threadIdx.x;
  for (int I = T; I < N; I += N / 2)
    Buffer[0][I] = In[blockIdx.x * N + I];
  int Now = 0;
  for (int Half = 1; Half < N; Half *= 2, Now = 1 - Now) {
    __syncthreads();
    const int K = T % Half;
    float S, C;
    sincospif(Sign * static_cast<float>(K) / Half, &S, &C);
    const float2 A = Buffer[Now][T], B = Buffer[Now][T + N / 2];
    const float2 R = make_float2(B.x * C - B.y * S, B.x * S + B.y * C);
    const int To = (T - K) * 2 + K;
    Buffer[1 - Now][To] = make_float2(A.x + R.x, A.y + R.y);
    Buffer[1 - Now][To + Half] = make_float2(A.x - R.x, A.y - R.y);
  }
  __syncthreads();
  for (int I = T; I < N; I += N / 2)
    Out[blockIdx.x * N + I] = Buffer[Now][I];
}

__global__ void reorder(const cuDoubleComplex *In, cuDoubleComplex *Out) {
  const unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[__brev(I) >> 24] = In[I];
}

__global__ void butterflies(cuDoubleComplex *Data, int Half) {
  const int T = blockIdx.x * blockDim.x + threadIdx.x;
  const int K = T % Half, I = T / Half * 2 * Half + K;
  double S, C;
  sincospi(-static_cast<double>(K) / Half, &S, &C);
  const cuDoubleComplex A = Data[I], B = cuCmul(Data[I + Half], make_cuDoubleComplex(C, S));
  Data[I] = cuCadd(A, B);
  Data[I + Half] = cuCsub(A, B);
}

constexpr int Radius = 4;
__constant__ float Weights[2 * Radius + 1];

__global__ void convolveRows(const float *In, float *Out, int Width) {
  extern __shared__ float Row[];
  const float *Line = In + blockIdx.x * Width;
  for (int I = threadIdx.x; I < Width + 2 * Radius; I += blockDim.x)
    Row[I] = Line[min(max(I - Radius, 0), Width - 1)];
  __syncthreads();
  for (int I = threadIdx.x; I < Width; I += blockDim.x) {
    float Sum = 0;
    for (int K = -Radius; K <= Radius; ++K)
      Sum += Weights[K + Radius] * Row[I + Radius + K];
    Out[I * gridDim.x + blockIdx.x] = Sum;
  }
}

__global__ void haar(const float *In, float *Out) {
  __shared__ float Low[N];
  const int T = threadIdx.x;
  Low[T] = In[T];
  for (int Half = N / 2; Half; Half /= 2) {
    __syncthreads();
    float A = 0, B = 0;
    if (T < Half) {
      A = Low[2 * T];
      B = Low[2 * T + 1];
    }
    __syncthreads();
    if (T < Half) {
      Low[T] = (A + B) * 0.5f;
      Out[Half + T] = (A - B) * 0.5f;
    }
  }
  if (T == 0)
    Out[0] = Low[0];
}

__global__ void cosine8(const float *In, float *Out) {
  __shared__ float Tile[8][8];
  Tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 8 + threadIdx.x];
  __syncthreads();
  float Sum = 0;
  for (int Y = 0; Y < 8; ++Y)
    for (int X = 0; X < 8; ++X)
      Sum += Tile[Y][X] * cospif((2 * X + 1) * threadIdx.x / 16.0f) *
             cospif((2 * Y + 1) * threadIdx.y / 16.0f);
  Out[threadIdx.y * 8 + threadIdx.x] = Sum;
}

static bool near(double A, double B, double Bound) { return std::fabs(A - B) <= Bound; }

int main() {
  std::vector<float2> In(2 * N);
  std::vector<cuDoubleComplex> InD(N);
  for (int I = 0; I < 2 * N; ++I)
    In[I] = {static_cast<float>(I * 37 % 41) / 8, static_cast<float>(I * 11 % 17) / 4};
  for (int I = 0; I < N; ++I)
    InD[I] = {In[I].x, In[I].y};
  suite::Array<float2> A(In), B(2 * N), C(2 * N);
  fourier<<<2, N / 2>>>(A, B, -1);
  fourier<<<2, N / 2>>>(B, C, 1);
  suite::Array<cuDoubleComplex> D(InD), E(N);
  reorder<<<2, N / 2>>>(D, E);
  for (int Half = 1; Half < N; Half *= 2)
    butterflies<<<2, N / 4>>>(E, Half);
  const std::vector<float2> Once = B.host(), Twice = C.host();
  const std::vector<cuDoubleComplex> Double = E.host();
  for (int K = 0; K < N; ++K) {
    double X = 0, Y = 0;
    for (int I = 0; I < N; ++I) {
      const double Co = std::cos(2 * Pi * (I * K % N) / N), Si = -std::sin(2 * Pi * (I * K % N) / N);
      X += In[I].x * Co - In[I].y * Si;
      Y += In[I].x * Si + In[I].y * Co;
    }
    expect(near(Once[K].x, X, 2e-3) && near(Once[K].y, Y, 2e-3));
    expect(near(Double[K].x, X, 1e-10) && near(Double[K].y, Y, 1e-10));
  }
  for (int I = 0; I < 2 * N; ++I)
    expect(near(Twice[I].x / N, In[I].x, 1e-4) && near(Twice[I].y / N, In[I].y, 1e-4));

  constexpr int Width = 90, Height = 37;
  std::vector<float> Image(Width * Height), W(2 * Radius + 1);
  for (int I = 0; I < Width * Height; ++I)
    Image[I] = static_cast<float>(I * 29 % 64);
  for (int K = -Radius; K <= Radius; ++K)
    W[K + Radius] = 1.0f / static_cast<float>(1 << std::abs(K));
  check(cudaMemcpyToSymbol(Weights, W.data(), W.size() * sizeof(float)));
  suite::Array<float> Img(Image), Turned(Width * Height), Back(Width * Height);
  convolveRows<<<Height, 32, (Width + 2 * Radius) * sizeof(float)>>>(Img, Turned, Width);
  convolveRows<<<Width, 32, (Height + 2 * Radius) * sizeof(float)>>>(Turned, Back, Height);
  const std::vector<float> Smooth = Back.host();
  for (int Y = 0; Y < Height; ++Y)
    for (int X = 0; X < Width; ++X) {
      float Sum = 0;
      for (int V = -Radius; V <= Radius; ++V)
        for (int U = -Radius; U <= Radius; ++U)
          Sum += W[V + Radius] * W[U + Radius] *
                 Image[std::min(std::max(Y + V, 0), Height - 1) * Width +
                       std::min(std::max(X + U, 0), Width - 1)];
      expect(near(Smooth[Y * Width + X], Sum, 1e-2));
    }

  std::vector<float> Signal(N), Wave(N);
  for (int I = 0; I < N; ++I)
    Signal[I] = static_cast<float>(I * 13 % 32);
  suite::Array<float> S(Signal), H(N), Cosines(64);
  haar<<<1, N>>>(S, H);
  std::vector<float> Low = Signal;
  for (int Half = N / 2; Half; Half /= 2)
    for (int T = 0; T < Half; ++T) {
      const float L = Low[2 * T], R = Low[2 * T + 1];
      Wave[Half + T] = (L - R) * 0.5f;
      Low[T] = (L + R) * 0.5f;
    }
  Wave[0] = Low[0];
  same(H.host(), Wave);

  cosine8<<<1, dim3(8, 8)>>>(S, Cosines);
  const std::vector<float> Got = Cosines.host();
  for (int V = 0; V < 8; ++V)
    for (int U = 0; U < 8; ++U) {
      double Sum = 0;
      for (int I = 0; I < 64; ++I)
        Sum += Signal[I] * std::cos((2 * (I % 8) + 1) * U * Pi / 16) *
               std::cos((2 * (I / 8) + 1) * V * Pi / 16);
      expect(near(Got[V * 8 + U], Sum, 1e-3));
    }
  return suite::finish();
}
