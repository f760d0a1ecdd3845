// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The kernels of Cases.h in CUDA. Kernels.cl has the same in OpenCL.

#define KERNEL extern "C" __global__ void

KERNEL vectorAdd(const float *A, const float *B, float *C, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    C[I] = A[I] + B[I];
}

KERNEL saxpy(const float *X, float *Y, float *Out, int N, float A) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Out[I] = A * X[I] + Y[I];
}

KERNEL stencil(const float *In, float *Out, int W, int H) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X < 1 || Y < 1 || X >= W - 1 || Y >= H - 1)
    return;
  int I = Y * W + X;
  Out[I] =
      0.5f * In[I] + 0.125f * (In[I - 1] + In[I + 1] + In[I - W] + In[I + W]);
}

KERNEL convolution(const float *In, const float *Taps, float *Out, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  float Sum = 0;
  for (int K = 0; K < 17; ++K)
    Sum += Taps[K] * In[I + K];
  Out[I] = Sum;
}

KERNEL nbody(const float *P, float *Out, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  float X = P[I], Y = P[N + I], Z = P[2 * N + I], AX = 0, AY = 0, AZ = 0;
  for (int K = 0; K < N; ++K) {
    float DX = P[K] - X, DY = P[N + K] - Y, DZ = P[2 * N + K] - Z;
    float R = DX * DX + DY * DY + DZ * DZ + 0.01f;
    float S = 1.0f / (R * sqrtf(R));
    AX += DX * S;
    AY += DY * S;
    AZ += DZ * S;
  }
  Out[I] = AX;
  Out[N + I] = AY;
  Out[2 * N + I] = AZ;
}

KERNEL mandelbrot(int *Out, int W, int H, int Most) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= W || Y >= H)
    return;
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

KERNEL spmv(const int *Begin, const int *Column, const float *Value,
            const float *X, float *Y, int Rows) {
  int R = blockIdx.x * blockDim.x + threadIdx.x;
  if (R >= Rows)
    return;
  float Sum = 0;
  for (int K = Begin[R]; K < Begin[R + 1]; ++K)
    Sum += Value[K] * X[Column[K]];
  Y[R] = Sum;
}

__device__ float normal(float X) {
  float L = fabsf(X), K = 1.0f / (1.0f + 0.2316419f * L);
  float S =
      K * (0.31938153f +
           K * (-0.356563782f +
                K * (1.781477937f + K * (-1.821255978f + K * 1.330274429f))));
  float W = 1.0f - 0.39894228f * expf(-0.5f * L * L) * S;
  return X < 0 ? 1.0f - W : W;
}

KERNEL blackScholes(const float *Price, const float *Strike, const float *Years,
                    float *Call, int N, float Rate, float Sigma) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  float Root = sqrtf(Years[I]);
  float D1 =
      (logf(Price[I] / Strike[I]) + (Rate + 0.5f * Sigma * Sigma) * Years[I]) /
      (Sigma * Root);
  float D2 = D1 - Sigma * Root;
  Call[I] =
      Price[I] * normal(D1) - Strike[I] * expf(-Rate * Years[I]) * normal(D2);
}

KERNEL matmulTiled(const float *A, const float *B, float *C, int N) {
  __shared__ float TA[16][16], TB[16][16];
  int TX = threadIdx.x, TY = threadIdx.y;
  int Row = blockIdx.y * 16 + TY, Column = blockIdx.x * 16 + TX;
  float Sum = 0;
  for (int T = 0; T < N; T += 16) {
    TA[TY][TX] = A[Row * N + T + TX];
    TB[TY][TX] = B[(T + TY) * N + Column];
    __syncthreads();
    for (int K = 0; K < 16; ++K)
      Sum += TA[TY][K] * TB[K][TX];
    __syncthreads();
  }
  C[Row * N + Column] = Sum;
}

KERNEL stencilTiled(const float *In, float *Out, int W, int H) {
  __shared__ float Tile[18][18];
  int TX = threadIdx.x, TY = threadIdx.y;
  int X = blockIdx.x * 16 + TX + 1, Y = blockIdx.y * 16 + TY + 1;
  Tile[TY + 1][TX + 1] = In[Y * W + X];
  if (TX == 0)
    Tile[TY + 1][0] = In[Y * W + X - 1];
  if (TX == 15)
    Tile[TY + 1][17] = In[Y * W + X + 1];
  if (TY == 0)
    Tile[0][TX + 1] = In[(Y - 1) * W + X];
  if (TY == 15)
    Tile[17][TX + 1] = In[(Y + 1) * W + X];
  __syncthreads();
  Out[Y * W + X] = 0.5f * Tile[TY + 1][TX + 1] +
                   0.125f * (Tile[TY + 1][TX] + Tile[TY + 1][TX + 2] +
                             Tile[TY][TX + 1] + Tile[TY + 2][TX + 1]);
}

KERNEL transpose(const float *In, float *Out, int W, int H) {
  __shared__ float Tile[32][33];
  int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 32 + threadIdx.y;
  for (int K = 0; K < 32; K += 8)
    Tile[threadIdx.y + K][threadIdx.x] = In[(Y + K) * W + X];
  __syncthreads();
  X = blockIdx.y * 32 + threadIdx.x;
  Y = blockIdx.x * 32 + threadIdx.y;
  for (int K = 0; K < 32; K += 8)
    Out[(Y + K) * H + X] = Tile[threadIdx.x][threadIdx.y + K];
}

KERNEL reduction(const int *In, int *Out, int N) {
  __shared__ int Sums[256];
  int T = threadIdx.x, Sum = 0;
  for (int I = blockIdx.x * 256 + T; I < N; I += gridDim.x * 256)
    Sum += In[I];
  Sums[T] = Sum;
  __syncthreads();
  for (int S = 128; S > 0; S /= 2) {
    if (T < S)
      Sums[T] += Sums[T + S];
    __syncthreads();
  }
  if (T == 0)
    Out[blockIdx.x] = Sums[0];
}

KERNEL scan(const int *In, int *Out, int N) {
  __shared__ int Sums[2][256];
  int T = threadIdx.x, I = blockIdx.x * 256 + T, From = 0;
  Sums[0][T] = I < N ? In[I] : 0;
  __syncthreads();
  for (int S = 1; S < 256; S *= 2) {
    Sums[1 - From][T] = Sums[From][T] + (T >= S ? Sums[From][T - S] : 0);
    From = 1 - From;
    __syncthreads();
  }
  if (I < N)
    Out[I] = Sums[From][T];
}

KERNEL histogram(const int *In, int *Out, int N) {
  __shared__ int Bins[256];
  int T = threadIdx.x;
  Bins[T] = 0;
  __syncthreads();
  for (int I = blockIdx.x * 256 + T; I < N; I += gridDim.x * 256)
    atomicAdd(&Bins[In[I] & 255], 1);
  __syncthreads();
  Out[blockIdx.x * 256 + T] = Bins[T];
}

KERNEL bitonic(const int *In, int *Out, int N) {
  __shared__ int Keys[512];
  int T = threadIdx.x, First = blockIdx.x * 512;
  Keys[T] = In[First + T];
  Keys[T + 256] = In[First + T + 256];
  for (int Size = 2; Size <= 512; Size *= 2)
    for (int Step = Size / 2; Step > 0; Step /= 2) {
      __syncthreads();
      int A = 2 * T - (T & (Step - 1)), B = A + Step;
      bool Up = (A & Size) == 0;
      int KA = Keys[A], KB = Keys[B];
      if ((KA > KB) == Up) {
        Keys[A] = KB;
        Keys[B] = KA;
      }
    }
  __syncthreads();
  Out[First + T] = Keys[T];
  Out[First + T + 256] = Keys[T + 256];
}

__device__ float warpSum(float V) {
  for (int S = 16; S > 0; S /= 2)
    V += __shfl_down_sync(0xffffffff, V, S);
  return V;
}

__device__ float warpMost(float V) {
  for (int S = 16; S > 0; S /= 2)
    V = fmaxf(V, __shfl_xor_sync(0xffffffff, V, S));
  return V;
}

// A warp for each row.
KERNEL matvec(const float *A, const float *X, float *Y, int Rows, int Columns) {
  int Row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int Lane = threadIdx.x % 32;
  if (Row >= Rows)
    return;
  float Sum = 0;
  for (int K = Lane; K < Columns; K += 32)
    Sum += A[Row * Columns + K] * X[K];
  Sum = warpSum(Sum);
  if (Lane == 0)
    Y[Row] = Sum;
}

// A block for each row.
KERNEL softmax(const float *In, float *Out, int Columns) {
  __shared__ float Parts[8];
  int T = threadIdx.x, Lane = T % 32, Warp = T / 32;
  const float *Row = In + blockIdx.x * Columns;
  float *Result = Out + blockIdx.x * Columns;
  float Most = -INFINITY;
  for (int K = T; K < Columns; K += blockDim.x)
    Most = fmaxf(Most, Row[K]);
  Most = warpMost(Most);
  if (Lane == 0)
    Parts[Warp] = Most;
  __syncthreads();
  if (Warp == 0) {
    Most = warpMost(Lane < 8 ? Parts[Lane] : -INFINITY);
    if (Lane == 0)
      Parts[0] = Most;
  }
  __syncthreads();
  Most = Parts[0];
  __syncthreads();
  float Sum = 0;
  for (int K = T; K < Columns; K += blockDim.x) {
    float E = expf(Row[K] - Most);
    Result[K] = E;
    Sum += E;
  }
  Sum = warpSum(Sum);
  if (Lane == 0)
    Parts[Warp] = Sum;
  __syncthreads();
  if (Warp == 0) {
    Sum = warpSum(Lane < 8 ? Parts[Lane] : 0);
    if (Lane == 0)
      Parts[0] = Sum;
  }
  __syncthreads();
  float Scale = 1 / Parts[0];
  for (int K = T; K < Columns; K += blockDim.x)
    Result[K] *= Scale;
}
