// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The kernels of Cases.h in OpenCL C. Kernels.cu has the same in CUDA.

#define KERNEL kernel void

KERNEL vectorAdd(global const float *A, global const float *B, global float *C, int N) {
  int I = get_global_id(0);
  if (I < N)
    C[I] = A[I] + B[I];
}

KERNEL saxpy(global const float *X, global float *Y, global float *Out, int N, float A) {
  int I = get_global_id(0);
  if (I < N)
    Out[I] = A * X[I] + Y[I];
}

KERNEL stencil(global const float *In, global float *Out, int W, int H) {
  int X = get_global_id(0);
  int Y = get_global_id(1);
  if (X < 1 || Y < 1 || X >= W - 1 || Y >= H - 1)
    return;
  int I = Y * W + X;
  Out[I] = 0.5f * In[I] +
           0.125f * (In[I - 1] + In[I + 1] + In[I - W] + In[I + W]);
}

KERNEL convolution(global const float *In, global const float *Taps, global float *Out, int N) {
  int I = get_global_id(0);
  if (I >= N)
    return;
  float Sum = 0;
  for (int K = 0; K < 17; ++K)
    Sum += Taps[K] * In[I + K];
  Out[I] = Sum;
}

KERNEL nbody(global const float *P, global float *Out, int N) {
  int I = get_global_id(0);
  if (I >= N)
    return;
  float X = P[I], Y = P[N + I], Z = P[2 * N + I], AX = 0, AY = 0, AZ = 0;
  for (int K = 0; K < N; ++K) {
    float DX = P[K] - X, DY = P[N + K] - Y, DZ = P[2 * N + K] - Z;
    float R = DX * DX + DY * DY + DZ * DZ + 0.01f;
    float S = 1.0f / (R * sqrt(R));
    AX += DX * S;
    AY += DY * S;
    AZ += DZ * S;
  }
  Out[I] = AX;
  Out[N + I] = AY;
  Out[2 * N + I] = AZ;
}

KERNEL mandelbrot(global int *Out, int W, int H, int Most) {
  int X = get_global_id(0);
  int Y = get_global_id(1);
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

KERNEL spmv(global const int *Begin, global const int *Column, global const float *Value,
            global const float *X, global float *Y, int Rows) {
  int R = get_global_id(0);
  if (R >= Rows)
    return;
  float Sum = 0;
  for (int K = Begin[R]; K < Begin[R + 1]; ++K)
    Sum += Value[K] * X[Column[K]];
  Y[R] = Sum;
}

float normal(float X) {
  float L = fabs(X), K = 1.0f / (1.0f + 0.2316419f * L);
  float S = K * (0.31938153f +
                 K * (-0.356563782f +
                      K * (1.781477937f +
                           K * (-1.821255978f + K * 1.330274429f))));
  float W = 1.0f - 0.39894228f * exp(-0.5f * L * L) * S;
  return X < 0 ? 1.0f - W : W;
}

KERNEL blackScholes(global const float *Price, global const float *Strike, global const float *Years,
                    global float *Call, int N, float Rate, float Sigma) {
  int I = get_global_id(0);
  if (I >= N)
    return;
  float Root = sqrt(Years[I]);
  float D1 = (log(Price[I] / Strike[I]) +
              (Rate + 0.5f * Sigma * Sigma) * Years[I]) /
             (Sigma * Root);
  float D2 = D1 - Sigma * Root;
  Call[I] = Price[I] * normal(D1) -
            Strike[I] * exp(-Rate * Years[I]) * normal(D2);
}

KERNEL matmulTiled(global const float *A, global const float *B, global float *C, int N) {
  local float TA[16][16], TB[16][16];
  int TX = get_local_id(0), TY = get_local_id(1);
  int Row = get_group_id(1) * 16 + TY, Column = get_group_id(0) * 16 + TX;
  float Sum = 0;
  for (int T = 0; T < N; T += 16) {
    TA[TY][TX] = A[Row * N + T + TX];
    TB[TY][TX] = B[(T + TY) * N + Column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int K = 0; K < 16; ++K)
      Sum += TA[TY][K] * TB[K][TX];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  C[Row * N + Column] = Sum;
}

KERNEL stencilTiled(global const float *In, global float *Out, int W, int H) {
  local float Tile[18][18];
  int TX = get_local_id(0), TY = get_local_id(1);
  int X = get_group_id(0) * 16 + TX + 1, Y = get_group_id(1) * 16 + TY + 1;
  Tile[TY + 1][TX + 1] = In[Y * W + X];
  if (TX == 0)
    Tile[TY + 1][0] = In[Y * W + X - 1];
  if (TX == 15)
    Tile[TY + 1][17] = In[Y * W + X + 1];
  if (TY == 0)
    Tile[0][TX + 1] = In[(Y - 1) * W + X];
  if (TY == 15)
    Tile[17][TX + 1] = In[(Y + 1) * W + X];
  barrier(CLK_LOCAL_MEM_FENCE);
  Out[Y * W + X] =
      0.5f * Tile[TY + 1][TX + 1] +
      0.125f * (Tile[TY + 1][TX] + Tile[TY + 1][TX + 2] + Tile[TY][TX + 1] +
                Tile[TY + 2][TX + 1]);
}

KERNEL transpose(global const float *In, global float *Out, int W, int H) {
  local float Tile[32][33];
  int X = get_group_id(0) * 32 + get_local_id(0), Y = get_group_id(1) * 32 + get_local_id(1);
  for (int K = 0; K < 32; K += 8)
    Tile[get_local_id(1) + K][get_local_id(0)] = In[(Y + K) * W + X];
  barrier(CLK_LOCAL_MEM_FENCE);
  X = get_group_id(1) * 32 + get_local_id(0);
  Y = get_group_id(0) * 32 + get_local_id(1);
  for (int K = 0; K < 32; K += 8)
    Out[(Y + K) * H + X] = Tile[get_local_id(0)][get_local_id(1) + K];
}

KERNEL reduction(global const int *In, global int *Out, int N) {
  local int Sums[256];
  int T = get_local_id(0), Sum = 0;
  for (int I = get_group_id(0) * 256 + T; I < N; I += get_num_groups(0) * 256)
    Sum += In[I];
  Sums[T] = Sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int S = 128; S > 0; S /= 2) {
    if (T < S)
      Sums[T] += Sums[T + S];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (T == 0)
    Out[get_group_id(0)] = Sums[0];
}

KERNEL scan(global const int *In, global int *Out, int N) {
  local int Sums[2][256];
  int T = get_local_id(0), I = get_group_id(0) * 256 + T, From = 0;
  Sums[0][T] = I < N ? In[I] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int S = 1; S < 256; S *= 2) {
    Sums[1 - From][T] = Sums[From][T] + (T >= S ? Sums[From][T - S] : 0);
    From = 1 - From;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (I < N)
    Out[I] = Sums[From][T];
}

KERNEL histogram(global const int *In, global int *Out, int N) {
  local int Bins[256];
  int T = get_local_id(0);
  Bins[T] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int I = get_group_id(0) * 256 + T; I < N; I += get_num_groups(0) * 256)
    atomic_add(&Bins[In[I] & 255], 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  Out[get_group_id(0) * 256 + T] = Bins[T];
}

KERNEL bitonic(global const int *In, global int *Out, int N) {
  local int Keys[512];
  int T = get_local_id(0), First = get_group_id(0) * 512;
  Keys[T] = In[First + T];
  Keys[T + 256] = In[First + T + 256];
  for (int Size = 2; Size <= 512; Size *= 2)
    for (int Step = Size / 2; Step > 0; Step /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int A = 2 * T - (T & (Step - 1)), B = A + Step;
      bool Up = (A & Size) == 0;
      int KA = Keys[A], KB = Keys[B];
      if ((KA > KB) == Up) {
        Keys[A] = KB;
        Keys[B] = KA;
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  Out[First + T] = Keys[T];
  Out[First + T + 256] = Keys[T + 256];
}

KERNEL matvec(global const float *A, global const float *X, global float *Y,
              int Rows, int Columns) {
  local float Sums[256];
  int Row = get_global_id(0) / 32, T = get_local_id(0), Lane = T % 32;
  float Sum = 0;
  if (Row < Rows)
    for (int K = Lane; K < Columns; K += 32)
      Sum += A[Row * Columns + K] * X[K];
  Sums[T] = Sum;
  for (int S = 16; S > 0; S /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (Lane < S)
      Sums[T] += Sums[T + S];
  }
  if (Lane == 0 && Row < Rows)
    Y[Row] = Sums[T];
}

KERNEL softmax(global const float *In, global float *Out, int Columns) {
  local float Parts[256];
  int T = get_local_id(0);
  global const float *Row = In + get_group_id(0) * Columns;
  global float *Result = Out + get_group_id(0) * Columns;
  float Most = -INFINITY;
  for (int K = T; K < Columns; K += 256)
    Most = fmax(Most, Row[K]);
  Parts[T] = Most;
  for (int S = 128; S > 0; S /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (T < S)
      Parts[T] = fmax(Parts[T], Parts[T + S]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  Most = Parts[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  float Sum = 0;
  for (int K = T; K < Columns; K += 256) {
    float E = exp(Row[K] - Most);
    Result[K] = E;
    Sum += E;
  }
  Parts[T] = Sum;
  for (int S = 128; S > 0; S /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (T < S)
      Parts[T] += Parts[T + S];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float Scale = 1 / Parts[0];
  for (int K = T; K < Columns; K += 256)
    Result[K] *= Scale;
}
