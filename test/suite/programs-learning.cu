// Feature: programs: Machine learning's kernels: softmax and layer norm by warps, attention
// with an online maximum, convolution, pooling, k-means, gradient descent, argmax by packing.

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "Inputs/suite.h"

__device__ float warpMax(float X) {
  for (int Step = 16; Step; Step /= 2)
    X = fmaxf(X, __shfl_xor_sync(0xffffffffu, X, Step));
  return X;
}
__device__ float warpSum(float X) {
  for (int Step = 16; Step; Step /= 2)
    X += __shfl_xor_sync(0xffffffffu, X, Step);
  return X;
}

__global__ void softmax(const float *In, float *Out, int Rows, int Columns) {
  const int Row = blockIdx.x * blockDim.y + threadIdx.y;
  if (Row >= Rows)
    return;
  const float *X = In + Row * Columns;
  float Most = -FLT_MAX, Sum = 0;
  for (int C = threadIdx.x; C < Columns; C += 32)
    Most = fmaxf(Most, X[C]);
  Most = warpMax(Most);
  for (int C = threadIdx.x; C < Columns; C += 32)
    Sum += expf(X[C] - Most);
  Sum = warpSum(Sum);
  for (int C = threadIdx.x; C < Columns; C += 32)
    Out[Row * Columns + C] = expf(X[C] - Most) / Sum;
}

template <int Threads>
__global__ void layerNorm(const float *In, const float *Gain, float *Out, int Columns) {
  __shared__ float Sums[2][Threads / 32];
  const float *X = In + blockIdx.x * Columns;
  float Sum = 0, Squares = 0;
  for (int C = threadIdx.x; C < Columns; C += Threads) {
    Sum += X[C];
    Squares += X[C] * X[C];
  }
  Sum = warpSum(Sum);
  Squares = warpSum(Squares);
  if (threadIdx.x % 32 == 0) {
    Sums[0][threadIdx.x / 32] = Sum;
    Sums[1][threadIdx.x / 32] = Squares;
  }
  __syncthreads();
  Sum = Squares = 0;
  for (int W = 0; W < Threads / 32; ++W) {
    Sum += Sums[0][W];
    Squares += Sums[1][W];
  }
  const float Mean = Sum / Columns, Scale = rsqrtf(Squares / Columns - Mean * Mean + 1e-5f);
  for (int C = threadIdx.x; C < Columns; C += Threads)
    Out[blockIdx.x * Columns + C] = (X[C] - Mean) * Scale * Gain[C];
}

/// One thread for each query; keys and values by tiles, the maximum as it grows.
template <int Width, int Tile>
__global__ void attention(const float *Q, const float *K, const float *V, float *Out, int N) {
  __shared__ float Keys[Tile][Width], Values[Tile][Width];
  const int I = blockIdx.x * Tile + threadIdx.x;
  float Query[Width], Sum[Width] = {}, Most = -FLT_MAX, Weight = 0;
  for (int D = 0; D < Width; ++D)
    Query[D] = Q[I * Width + D];
  for (int Base = 0; Base < N; Base += Tile) {
    __syncthreads();
    for (int D = 0; D < Width; ++D) {
      Keys[threadIdx.x][D] = K[(Base + threadIdx.x) * Width + D];
      Values[threadIdx.x][D] = V[(Base + threadIdx.x) * Width + D];
    }
    __syncthreads();
    for (int J = 0; J < Tile; ++J) {
      float Dot = 0;
      for (int D = 0; D < Width; ++D)
        Dot += Query[D] * Keys[J][D];
      const float New = fmaxf(Most, Dot), Old = expf(Most - New), P = expf(Dot - New);
      Weight = Weight * Old + P;
      for (int D = 0; D < Width; ++D)
        Sum[D] = Sum[D] * Old + P * Values[J][D];
      Most = New;
    }
  }
  for (int D = 0; D < Width; ++D)
    Out[I * Width + D] = Sum[D] / Weight;
}

__global__ void convolve(const float *In, const float *Filters, float *Out, int Channels, int Side) {
  const int X = threadIdx.x, Y = threadIdx.y, F = blockIdx.x, O = Side - 2;
  float Sum = 0;
  for (int C = 0; C < Channels; ++C)
    for (int DY = 0; DY < 3; ++DY)
      for (int DX = 0; DX < 3; ++DX)
        Sum += In[(C * Side + Y + DY) * Side + X + DX] * Filters[((F * Channels + C) * 3 + DY) * 3 + DX];
  Out[(F * O + Y) * O + X] = fmaxf(Sum, 0.0f);
}

__global__ void nearest(const float2 *Points, int N, const float2 *Centres, int Count, int *Label,
                        float *Sums, int *Counts) {
  extern __shared__ float2 Local[];
  for (int I = threadIdx.x; I < Count; I += blockDim.x)
    Local[I] = Centres[I];
  __syncthreads();
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  int Best = 0;
  float Least = FLT_MAX;
  for (int C = 0; C < Count; ++C) {
    const float DX = Points[I].x - Local[C].x, DY = Points[I].y - Local[C].y;
    if (DX * DX + DY * DY < Least) {
      Least = DX * DX + DY * DY;
      Best = C;
    }
  }
  Label[I] = Best;
  atomicAdd(&Sums[2 * Best], Points[I].x);
  atomicAdd(&Sums[2 * Best + 1], Points[I].y);
  atomicAdd(&Counts[Best], 1);
}

__global__ void average(float2 *Centres, const float *Sums, const int *Counts) {
  const int C = threadIdx.x;
  if (Counts[C])
    Centres[C] = make_float2(Sums[2 * C] / Counts[C], Sums[2 * C + 1] / Counts[C]);
}

__global__ void descend(const float *X, const float *Y, int N, float *Line, float Rate) {
  __shared__ float Gradient[2];
  if (threadIdx.x < 2)
    Gradient[threadIdx.x] = 0;
  __syncthreads();
  for (int I = threadIdx.x; I < N; I += blockDim.x) {
    const float Error = Line[0] * X[I] + Line[1] - Y[I];
    atomicAdd(&Gradient[0], Error * X[I]);
    atomicAdd(&Gradient[1], Error);
  }
  __syncthreads();
  if (threadIdx.x < 2)
    Line[threadIdx.x] -= Rate * Gradient[threadIdx.x] / N;
}

/// Order of floats as order of unsigned numbers, the index below.
__global__ void argmax(const float *In, int N, unsigned long long *Best) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  const unsigned Bits = __float_as_uint(In[I]);
  const unsigned Key = Bits & 0x80000000u ? ~Bits : Bits | 0x80000000u;
  atomicMax(Best, static_cast<unsigned long long>(Key) << 32 | (0xffffffffu - I));
}

static std::vector<float> numbers(int N, int Seed) {
  std::vector<float> Out(N);
  for (int I = 0; I < N; ++I)
    Out[I] = static_cast<float>(((I + Seed) * 7919 + I * I % 31) % 257 - 128) / 64.0f;
  return Out;
}

static void near(const std::vector<float> &Got, const std::vector<double> &Expected, double Bound,
                 const char *Name) {
  for (size_t I = 0; I < Got.size(); ++I)
    if (!(std::fabs(Got[I] - Expected[I]) <= Bound))
      suite::expectAt(false, Name, static_cast<int>(I));
}

int main() {
  constexpr int Rows = 10, Columns = 75;
  const std::vector<float> In = numbers(Rows * Columns, 1), Gain = numbers(Columns, 2);
  suite::Array<float> A(In), G(Gain), Out(Rows * Columns);
  softmax<<<3, dim3(32, 4)>>>(A, Out, Rows, Columns);
  std::vector<double> Expected(Rows * Columns);
  for (int R = 0; R < Rows; ++R) {
    double Sum = 0;
    for (int C = 0; C < Columns; ++C)
      Sum += std::exp(double(In[R * Columns + C]));
    for (int C = 0; C < Columns; ++C)
      Expected[R * Columns + C] = std::exp(double(In[R * Columns + C])) / Sum;
  }
  near(Out.host(), Expected, 1e-6, "softmax");
  layerNorm<64><<<Rows, 64>>>(A, G, Out, Columns);
  for (int R = 0; R < Rows; ++R) {
    double Sum = 0, Squares = 0;
    for (int C = 0; C < Columns; ++C) {
      Sum += In[R * Columns + C];
      Squares += double(In[R * Columns + C]) * In[R * Columns + C];
    }
    const double Mean = Sum / Columns, Scale = 1 / std::sqrt(Squares / Columns - Mean * Mean + 1e-5);
    for (int C = 0; C < Columns; ++C)
      Expected[R * Columns + C] = (In[R * Columns + C] - Mean) * Scale * Gain[C];
  }
  near(Out.host(), Expected, 1e-4, "layer norm");

  constexpr int N = 64, Width = 8;
  const std::vector<float> Q = numbers(N * Width, 3), K = numbers(N * Width, 4), V = numbers(N * Width, 5);
  suite::Array<float> DQ(Q), DK(K), DV(V), DO(N * Width);
  attention<Width, 32><<<N / 32, 32>>>(DQ, DK, DV, DO, N);
  Expected.assign(N * Width, 0);
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int J = 0; J < N; ++J) {
      double Dot = 0;
      for (int D = 0; D < Width; ++D)
        Dot += double(Q[I * Width + D]) * K[J * Width + D];
      Sum += std::exp(Dot);
      for (int D = 0; D < Width; ++D)
        Expected[I * Width + D] += std::exp(Dot) * V[J * Width + D];
    }
    for (int D = 0; D < Width; ++D)
      Expected[I * Width + D] /= Sum;
  }
  near(DO.host(), Expected, 1e-4, "attention");

  constexpr int Channels = 3, Side = 12, Filters = 4, O = Side - 2;
  const std::vector<float> Image = numbers(Channels * Side * Side, 6), F = numbers(Filters * Channels * 9, 7);
  suite::Array<float> DI(Image), DF(F), DR(Filters * O * O);
  convolve<<<Filters, dim3(O, O)>>>(DI, DF, DR, Channels, Side);
  Expected.assign(Filters * O * O, 0);
  for (int I = 0; I < Filters * O * O; ++I) {
    for (int C = 0; C < Channels * 9; ++C)
      Expected[I] += double(Image[(C / 9 * Side + I / O % O + C % 9 / 3) * Side + I % O + C % 3]) *
                     F[I / (O * O) * Channels * 9 + C];
    Expected[I] = std::max(Expected[I], 0.0);
  }
  near(DR.host(), Expected, 1e-4, "convolution");

  constexpr int Points = 300, Count = 3;
  std::vector<float2> P(Points), Centres{{0, 0}, {5, 5}, {9, 0}};
  for (int I = 0; I < Points; ++I)
    P[I] = {I % 3 * 4.0f + I * 37 % 16 / 16.0f, I % 3 == 1 ? 6.0f + I * 11 % 8 / 8.0f : I * 5 % 8 / 8.0f};
  suite::Array<float2> DP(P), DC(Centres);
  suite::Array<int> Label(Points), Counts(Count);
  suite::Array<float> Sums(2 * Count);
  for (int Round = 0; Round < 4; ++Round) {
    check(cudaMemset(Sums, 0, 2 * Count * sizeof(float)));
    check(cudaMemset(Counts, 0, Count * sizeof(int)));
    nearest<<<5, 64, Count * sizeof(float2)>>>(DP, Points, DC, Count, Label, Sums, Counts);
    average<<<1, Count>>>(DC, Sums, Counts);
  }
  const std::vector<int> Labels = Label.host();
  for (int I = 0; I < Points; ++I)
    expect(Labels[I] == I % 3);
  same(Counts.host(), std::vector<int>(3, 100));

  std::vector<float> X(200), Y(200);
  for (int I = 0; I < 200; ++I) {
    X[I] = I / 100.0f - 1;
    Y[I] = 3 * X[I] - 0.5f;
  }
  suite::Array<float> DX(X), DY(Y), Line(2);
  for (int Step = 0; Step < 200; ++Step)
    descend<<<1, 64>>>(DX, DY, 200, Line, 0.5f);
  near(Line.host(), {3, -0.5}, 1e-3, "line");

  suite::Array<unsigned long long> Best(1);
  argmax<<<6, 128>>>(A, Rows * Columns, Best);
  const int At = static_cast<int>(0xffffffffu - (Best.host()[0] & 0xffffffffu));
  expect(At == std::max_element(In.begin(), In.end()) - In.begin());
  return suite::finish();
}
