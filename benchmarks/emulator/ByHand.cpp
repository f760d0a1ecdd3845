// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ByHand.h"

#include <algorithm>
#include <cmath>

namespace {

float *floats(Case &C, unsigned K) { return &C.Buffers[K][0].F; }
int *ints(Case &C, unsigned K) { return &C.Buffers[K][0].I; }

float normal(float X) {
  float L = std::fabs(X), K = 1.0f / (1.0f + 0.2316419f * L);
  float S =
      K * (0.31938153f +
           K * (-0.356563782f +
                K * (1.781477937f + K * (-1.821255978f + K * 1.330274429f))));
  float W = 1.0f - 0.39894228f * std::exp(-0.5f * L * L) * S;
  return X < 0 ? 1.0f - W : W;
}

} // namespace

void vectorAddByHand(Case &C, int First, int Last) {
  const float *A = floats(C, 0), *B = floats(C, 1);
  float *Out = floats(C, 2);
  for (int I = First; I < Last; ++I)
    Out[I] = A[I] + B[I];
}

void saxpyByHand(Case &C, int First, int Last) {
  const float *X = floats(C, 0), *Y = floats(C, 1);
  float *Out = floats(C, 2), A = C.Floats[0];
  for (int I = First; I < Last; ++I)
    Out[I] = A * X[I] + Y[I];
}

void stencilByHand(Case &C, int First, int Last) {
  const float *In = floats(C, 0);
  float *Out = floats(C, 1);
  int W = C.Ints[0], H = C.Ints[1];
  for (int Y = std::max(First, 1); Y < std::min(Last, H - 1); ++Y)
    for (int X = 1; X < W - 1; ++X) {
      int I = Y * W + X;
      Out[I] = 0.5f * In[I] +
               0.125f * (In[I - 1] + In[I + 1] + In[I - W] + In[I + W]);
    }
}

void convolutionByHand(Case &C, int First, int Last) {
  const float *In = floats(C, 0), *Taps = floats(C, 1);
  float *Out = floats(C, 2);
  for (int I = First; I < Last; ++I) {
    float Sum = 0;
    for (int K = 0; K < 17; ++K)
      Sum += Taps[K] * In[I + K];
    Out[I] = Sum;
  }
}

void nbodyByHand(Case &C, int First, int Last) {
  const float *P = floats(C, 0);
  float *Out = floats(C, 1);
  int N = C.Ints[0];
  for (int I = First; I < Last; ++I) {
    float X = P[I], Y = P[N + I], Z = P[2 * N + I], AX = 0, AY = 0, AZ = 0;
    for (int K = 0; K < N; ++K) {
      float DX = P[K] - X, DY = P[N + K] - Y, DZ = P[2 * N + K] - Z;
      float R = DX * DX + DY * DY + DZ * DZ + 0.01f;
      float S = 1.0f / (R * std::sqrt(R));
      AX += DX * S;
      AY += DY * S;
      AZ += DZ * S;
    }
    Out[I] = AX;
    Out[N + I] = AY;
    Out[2 * N + I] = AZ;
  }
}

void mandelbrotByHand(Case &C, int First, int Last) {
  int *Out = ints(C, 0), W = C.Ints[0], H = C.Ints[1], Most = C.Ints[2];
  for (int Y = First; Y < Last; ++Y)
    for (int X = 0; X < W; ++X) {
      float CX = -2.0f + 3.0f * X / W, CY = -1.5f + 3.0f * Y / H;
      float ZX = 0, ZY = 0;
      int K = 0;
      while (K < Most && ZX * ZX + ZY * ZY < 4.0f) {
        float T = ZX * ZX - ZY * ZY + CX;
        ZY = 2.0f * ZX * ZY + CY;
        ZX = T;
        ++K;
      }
      Out[Y * W + X] = K;
    }
}

void spmvByHand(Case &C, int First, int Last) {
  const int *Begin = ints(C, 0), *Column = ints(C, 1);
  const float *Value = floats(C, 2), *X = floats(C, 3);
  float *Y = floats(C, 4);
  for (int R = First; R < Last; ++R) {
    float Sum = 0;
    for (int K = Begin[R]; K < Begin[R + 1]; ++K)
      Sum += Value[K] * X[Column[K]];
    Y[R] = Sum;
  }
}

void blackScholesByHand(Case &C, int First, int Last) {
  const float *Price = floats(C, 0), *Strike = floats(C, 1),
              *Years = floats(C, 2);
  float *Call = floats(C, 3), Rate = C.Floats[0], Sigma = C.Floats[1];
  for (int I = First; I < Last; ++I) {
    float Root = std::sqrt(Years[I]);
    float D1 = (std::log(Price[I] / Strike[I]) +
                (Rate + 0.5f * Sigma * Sigma) * Years[I]) /
               (Sigma * Root);
    float D2 = D1 - Sigma * Root;
    Call[I] = Price[I] * normal(D1) -
              Strike[I] * std::exp(-Rate * Years[I]) * normal(D2);
  }
}

/// One row of 16 x 16 tiles after another; between the barriers of the kernel
/// there is one loop nest each.
void matmulTiledByHand(Case &C, int First, int Last) {
  const float *A = floats(C, 0), *B = floats(C, 1);
  float *Out = floats(C, 2);
  int N = C.Ints[0];
  for (int BY = First; BY < Last; ++BY)
    for (int BX = 0; BX < N / 16; ++BX) {
      float TA[16][16], TB[16][16], Sum[16][16] = {};
      for (int T = 0; T < N; T += 16) {
        for (int Y = 0; Y < 16; ++Y)
          for (int X = 0; X < 16; ++X) {
            TA[Y][X] = A[(BY * 16 + Y) * N + T + X];
            TB[Y][X] = B[(T + Y) * N + BX * 16 + X];
          }
        for (int Y = 0; Y < 16; ++Y)
          for (int X = 0; X < 16; ++X)
            for (int K = 0; K < 16; ++K)
              Sum[Y][X] += TA[Y][K] * TB[K][X];
      }
      for (int Y = 0; Y < 16; ++Y)
        for (int X = 0; X < 16; ++X)
          Out[(BY * 16 + Y) * N + BX * 16 + X] = Sum[Y][X];
    }
}

void stencilTiledByHand(Case &C, int First, int Last) {
  const float *In = floats(C, 0);
  float *Out = floats(C, 1);
  int W = C.Ints[0];
  for (int BY = First; BY < Last; ++BY)
    for (int BX = 0; BX < (W - 2) / 16; ++BX) {
      float Tile[18][18];
      const float *From = In + (BY * 16) * W + BX * 16;
      for (int Y = 0; Y < 16; ++Y)
        for (int X = 0; X < 16; ++X) {
          Tile[Y + 1][X + 1] = From[(Y + 1) * W + X + 1];
          if (X == 0)
            Tile[Y + 1][0] = From[(Y + 1) * W];
          if (X == 15)
            Tile[Y + 1][17] = From[(Y + 1) * W + 17];
          if (Y == 0)
            Tile[0][X + 1] = From[X + 1];
          if (Y == 15)
            Tile[17][X + 1] = From[17 * W + X + 1];
        }
      for (int Y = 0; Y < 16; ++Y)
        for (int X = 0; X < 16; ++X)
          Out[(BY * 16 + Y + 1) * W + BX * 16 + X + 1] =
              0.5f * Tile[Y + 1][X + 1] +
              0.125f * (Tile[Y + 1][X] + Tile[Y + 1][X + 2] + Tile[Y][X + 1] +
                        Tile[Y + 2][X + 1]);
    }
}

void transposeByHand(Case &C, int First, int Last) {
  const float *In = floats(C, 0);
  float *Out = floats(C, 1);
  int W = C.Ints[0], H = C.Ints[1];
  for (int Y = First; Y < Last; ++Y)
    for (int X = 0; X < W; ++X)
      Out[X * H + Y] = In[Y * W + X];
}

void reductionByHand(Case &C, int First, int Last) {
  const int *In = ints(C, 0);
  int *Out = ints(C, 1), N = C.Ints[0], Stride = C.Rows * 256;
  for (int B = First; B < Last; ++B) {
    int Sum = 0;
    for (int From = B * 256; From < N; From += Stride)
      for (int I = From; I < std::min(From + 256, N); ++I)
        Sum += In[I];
    Out[B] = Sum;
  }
}

void scanByHand(Case &C, int First, int Last) {
  const int *In = ints(C, 0);
  int *Out = ints(C, 1), N = C.Ints[0];
  for (int B = First; B < Last; ++B)
    for (int I = B * 256, Sum = 0; I < std::min(B * 256 + 256, N); ++I)
      Out[I] = Sum += In[I];
}

void histogramByHand(Case &C, int First, int Last) {
  const int *In = ints(C, 0);
  int *Out = ints(C, 1), N = C.Ints[0], Stride = C.Rows * 256;
  for (int B = First; B < Last; ++B) {
    std::fill(Out + B * 256, Out + B * 256 + 256, 0);
    for (int From = B * 256; From < N; From += Stride)
      for (int I = From; I < std::min(From + 256, N); ++I)
        ++Out[B * 256 + (In[I] & 255)];
  }
}

void bitonicByHand(Case &C, int First, int Last) {
  const int *In = ints(C, 0);
  int *Out = ints(C, 1);
  for (int B = First; B < Last; ++B) {
    std::copy(In + B * 512, In + B * 512 + 512, Out + B * 512);
    std::sort(Out + B * 512, Out + B * 512 + 512);
  }
}

void matvecByHand(Case &C, int First, int Last) {
  const float *A = floats(C, 0), *X = floats(C, 1);
  float *Y = floats(C, 2);
  int Columns = C.Ints[1];
  for (int R = First; R < Last; ++R) {
    const float *Row = A + size_t(R) * Columns;
    float Sums[32] = {};
    for (int From = 0; From < Columns; From += 32)
      for (int L = 0; L < std::min(32, Columns - From); ++L)
        Sums[L] += Row[From + L] * X[From + L];
    for (int S = 16; S > 0; S /= 2)
      for (int L = 0; L < S; ++L)
        Sums[L] += Sums[L + S];
    Y[R] = Sums[0];
  }
}

void softmaxByHand(Case &C, int First, int Last) {
  const float *In = floats(C, 0);
  float *Out = floats(C, 1);
  int Columns = C.Ints[0];
  for (int R = First; R < Last; ++R) {
    const float *Row = In + size_t(R) * Columns;
    float *Result = Out + size_t(R) * Columns;
    float Parts[256];
    std::fill_n(Parts, 256, -INFINITY);
    for (int From = 0; From < Columns; From += 256)
      for (int T = 0; T < std::min(256, Columns - From); ++T)
        Parts[T] = std::max(Parts[T], Row[From + T]);
    float Most = *std::max_element(Parts, Parts + 256);
    std::fill_n(Parts, 256, 0.0f);
    for (int From = 0; From < Columns; From += 256)
      for (int T = 0; T < std::min(256, Columns - From); ++T) {
        float E = std::exp(Row[From + T] - Most);
        Result[From + T] = E;
        Parts[T] += E;
      }
    for (int S = 128; S > 0; S /= 2)
      for (int T = 0; T < S; ++T)
        Parts[T] += Parts[T + S];
    for (int K = 0; K < Columns; ++K)
      Result[K] *= 1 / Parts[0];
  }
}
