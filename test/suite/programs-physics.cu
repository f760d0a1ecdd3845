// Feature: programs: Physics: heat by ping-pong launches, waves in three dimensions, N
// bodies by shared tiles, lattice gas, Ising by checkerboard, a particle histogram.

#include <algorithm>
#include <cmath>

#include "Inputs/suite.h"

__global__ void heat(int W, int H, const float *In, float *Out) {
  __shared__ float Tile[10][18];
  const int X = blockIdx.x * 16 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  for (int I = threadIdx.y * 16 + threadIdx.x; I < 180; I += 128) {
    const int TX = static_cast<int>(blockIdx.x) * 16 + I % 18 - 1;
    const int TY = static_cast<int>(blockIdx.y) * 8 + I / 18 - 1;
    Tile[I / 18][I % 18] = TX >= 0 && TX < W && TY >= 0 && TY < H ? In[TY * W + TX] : 0.0f;
  }
  __syncthreads();
  if (X >= W || Y >= H)
    return;
  const int TX = threadIdx.x + 1, TY = threadIdx.y + 1;
  Out[Y * W + X] = 0.5f * Tile[TY][TX] + 0.125f * (Tile[TY - 1][TX] + Tile[TY + 1][TX] +
                                                   Tile[TY][TX - 1] + Tile[TY][TX + 1]);
}

__global__ void wave(int3 Size, const double *Now, double *Next) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x, Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X == 0 || Y == 0 || X >= Size.x - 1 || Y >= Size.y - 1)
    return;
  const int Plane = Size.x * Size.y;
  int I = Plane + Y * Size.x + X;
  double Below = Now[I - Plane], Here = Now[I];
  for (int Z = 1; Z < Size.z - 1; ++Z, I += Plane) {
    const double Above = Now[I + Plane];
    Next[I] = 2 * Here - Next[I] + 0.1 * (Below + Above + Now[I - 1] + Now[I + 1] +
                                          Now[I - Size.x] + Now[I + Size.x] - 6 * Here);
    Below = Here;
    Here = Above;
  }
}

__global__ void forces(int N, const float4 *Bodies, float3 *Out) {
  extern __shared__ float4 Tile[];
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 Me = I < N ? Bodies[I] : make_float4(0, 0, 0, 0);
  float3 F = make_float3(0, 0, 0);
  for (int Base = 0; Base < N; Base += blockDim.x) {
    Tile[threadIdx.x] =
        Base + threadIdx.x < N ? Bodies[Base + threadIdx.x] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 4
    for (int J = 0; J < blockDim.x; ++J) {
      const float3 D = make_float3(Tile[J].x - Me.x, Tile[J].y - Me.y, Tile[J].z - Me.z);
      const float R = rsqrtf(D.x * D.x + D.y * D.y + D.z * D.z + 0.01f);
      const float S = Tile[J].w * R * R * R;
      F.x += D.x * S;
      F.y += D.y * S;
      F.z += D.z * S;
    }
    __syncthreads();
  }
  if (I < N)
    Out[I] = F;
}

__global__ void life(int W, int H, const unsigned char *In, unsigned char *Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x, Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= W || Y >= H)
    return;
  int Near = 0;
  for (int DY = -1; DY <= 1; ++DY)
    for (int DX = -1; DX <= 1; ++DX)
      if (DX || DY)
        Near += In[(Y + DY + H) % H * W + (X + DX + W) % W];
  Out[Y * W + X] = Near == 3 || (Near == 2 && In[Y * W + X]);
}

__host__ __device__ inline unsigned mix(unsigned X) {
  X ^= X >> 16;
  X *= 0x7feb352du;
  X ^= X >> 15;
  X *= 0x846ca68bu;
  return X ^ X >> 16;
}

__host__ __device__ inline signed char flip(const signed char *Spin, int Side, int X, int Y,
                                            unsigned Random) {
  const int Sum = Spin[(Y + 1) % Side * Side + X] + Spin[(Y + Side - 1) % Side * Side + X] +
                  Spin[Y * Side + (X + 1) % Side] + Spin[Y * Side + (X + Side - 1) % Side];
  const int Cost = 2 * Spin[Y * Side + X] * Sum;
  return Cost <= 0 || Random % 1000u < (Cost == 4 ? 170u : 30u) ? -Spin[Y * Side + X]
                                                                : Spin[Y * Side + X];
}

__global__ void ising(signed char *Spin, int Side, int Colour, unsigned Seed) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = I / (Side / 2), X = I % (Side / 2) * 2 + (Y + Colour) % 2;
  if (Y < Side)
    Spin[Y * Side + X] = flip(Spin, Side, X, Y, mix(Seed ^ (Y * Side + X)));
}

__global__ void histogram(int N, const float *In, unsigned *Out, int Bins) {
  extern __shared__ unsigned Local[];
  for (int I = threadIdx.x; I < Bins; I += blockDim.x)
    Local[I] = 0;
  __syncthreads();
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N; I += gridDim.x * blockDim.x)
    atomicAdd(&Local[min(static_cast<int>(In[I] * Bins), Bins - 1)], 1u);
  __syncthreads();
  for (int I = threadIdx.x; I < Bins; I += blockDim.x)
    if (Local[I])
      atomicAdd(&Out[I], Local[I]);
}

static void heats() {
  constexpr int W = 50, H = 30;
  std::vector<float> In(W * H), Next(W * H);
  In[15 * W + 20] = 1024;
  suite::Array<float> A(In), B(W * H);
  float *From = A, *To = B;
  for (int Step = 0; Step < 20; ++Step, std::swap(From, To))
    heat<<<dim3((W + 15) / 16, (H + 7) / 8), dim3(16, 8)>>>(W, H, From, To);
  const auto At = [&](int X, int Y) {
    return X >= 0 && X < W && Y >= 0 && Y < H ? In[Y * W + X] : 0.0f;
  };
  for (int Step = 0; Step < 20; ++Step, std::swap(In, Next))
    for (int I = 0; I < W * H; ++I) {
      const int X = I % W, Y = I / W;
      Next[I] = 0.5f * At(X, Y) + 0.125f * (At(X, Y - 1) + At(X, Y + 1) + At(X - 1, Y) + At(X + 1, Y));
    }
  const std::vector<float> Got = A.host();
  for (int I = 0; I < W * H; ++I)
    expect(std::fabs(Got[I] - In[I]) < 1e-4f);
}

static void waves() {
  const int3 Size = {20, 18, 16};
  const int Plane = Size.x * Size.y, N = Plane * Size.z;
  std::vector<double> A(N), B(N);
  A[8 * Plane + 9 * Size.x + 10] = B[8 * Plane + 9 * Size.x + 10] = 1;
  suite::Array<double> DA(A), DB(B);
  double *Now = DA, *Next = DB;
  for (int Step = 0; Step < 10; ++Step, std::swap(Now, Next), std::swap(A, B)) {
    wave<<<dim3(3, 5), dim3(8, 4)>>>(Size, Now, Next);
    for (int Z = 1; Z < Size.z - 1; ++Z)
      for (int Y = 1; Y < Size.y - 1; ++Y)
        for (int X = 1; X < Size.x - 1; ++X) {
          const int I = Z * Plane + Y * Size.x + X;
          B[I] = 2 * A[I] - B[I] + 0.1 * (A[I - Plane] + A[I + Plane] + A[I - 1] + A[I + 1] +
                                          A[I - Size.x] + A[I + Size.x] - 6 * A[I]);
        }
  }
  const std::vector<double> Got = DA.host();
  for (int I = 0; I < N; ++I)
    expect(std::fabs(Got[I] - A[I]) < 1e-12);
}

static void bodies() {
  constexpr int N = 150;
  std::vector<float4> P(N);
  for (int I = 0; I < N; ++I)
    P[I] = make_float4(I * 37 % 101 / 50.0f, I * 53 % 97 / 50.0f, I * 71 % 89 / 50.0f, 1.0f + I % 3);
  suite::Array<float4> A(P);
  suite::Array<float3> F(N);
  forces<<<3, 64, 64 * sizeof(float4)>>>(N, A, F);
  const std::vector<float3> Got = F.host();
  for (int I = 0; I < N; ++I) {
    double X = 0, Size = 0;
    for (int J = 0; J < N; ++J) {
      const double D[3] = {double(P[J].x) - P[I].x, double(P[J].y) - P[I].y, double(P[J].z) - P[I].z};
      const double S = P[J].w * std::pow(D[0] * D[0] + D[1] * D[1] + D[2] * D[2] + 0.01, -1.5);
      X += D[0] * S;
      Size += std::fabs(D[0] * S);
    }
    expect(std::fabs(Got[I].x - X) < 1e-5 * Size + 1e-5);
  }
}

static void cells() {
  constexpr int W = 40, H = 33;
  std::vector<unsigned char> In(W * H), Next(W * H);
  for (int I = 0; I < W * H; ++I)
    In[I] = mix(I) % 3 == 0;
  suite::Array<unsigned char> A(In), B(W * H);
  life<<<dim3(5, 5), dim3(8, 8)>>>(W, H, A, B);
  life<<<dim3(5, 5), dim3(8, 8)>>>(W, H, B, A);
  for (int Step = 0; Step < 2; ++Step, std::swap(In, Next))
    for (int I = 0; I < W * H; ++I) {
      int Near = 0;
      for (int K = 0; K < 9; ++K)
        if (K != 4)
          Near += In[(I / W + K / 3 - 1 + H) % H * W + (I % W + K % 3 - 1 + W) % W];
      Next[I] = Near == 3 || (Near == 2 && In[I]);
    }
  same(A.host(), In);

  constexpr int Side = 32;
  std::vector<signed char> Spin(Side * Side, 1);
  suite::Array<signed char> S(Spin);
  for (unsigned Step = 0; Step < 12; ++Step) {
    ising<<<8, 64>>>(S, Side, Step % 2, Step * 977);
    for (int Y = 0; Y < Side; ++Y)
      for (int X = (Y + Step) % 2; X < Side; X += 2)
        Spin[Y * Side + X] = flip(Spin.data(), Side, X, Y, mix(Step * 977 ^ (Y * Side + X)));
  }
  same(S.host(), Spin);
}

int main() {
  heats();
  waves();
  bodies();
  cells();
  constexpr int N = 5000, Bins = 37;
  std::vector<float> In(N);
  std::vector<unsigned> Counts(Bins);
  for (int I = 0; I < N; ++I) {
    In[I] = static_cast<float>(mix(I) >> 8) / (1 << 24);
    ++Counts[std::min(static_cast<int>(In[I] * Bins), Bins - 1)];
  }
  suite::Array<float> A(In);
  suite::Array<unsigned> Out(Bins);
  histogram<<<4, 96, Bins * sizeof(unsigned)>>>(N, A, Out, Bins);
  same(Out.host(), Counts);
  return suite::finish();
}
