// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels the emulator runs; EmulatorTest.cpp checks what they compute.

struct Scaled {
  float *Data;
  int N;
  double Factor;
};

__device__ int Total = 5;
__device__ static int Hidden = 11;
__constant__ float Weights[4] = {1, 2, 3, 4};

extern "C" __global__ void addGuarded(const float *A, const float *B, float *C,
                                      int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    C[I] = A[I] + B[I];
}

extern "C" __global__ void indices(int *Out) {
  int Thread =
      (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  int Block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  int *Mine =
      Out + 12 * (Block * blockDim.x * blockDim.y * blockDim.z + Thread);
  int Values[12] = {(int)threadIdx.x, (int)threadIdx.y, (int)threadIdx.z,
                    (int)blockIdx.x,  (int)blockIdx.y,  (int)blockIdx.z,
                    (int)blockDim.x,  (int)blockDim.y,  (int)blockDim.z,
                    (int)gridDim.x,   (int)gridDim.y,   (int)gridDim.z};
  for (int K = 0; K < 12; ++K)
    Mine[K] = Values[K];
}

extern "C" __global__ void transpose(const float *In, float *Out, int Width,
                                     int Height) {
  __shared__ float Tile[8][9];
  int X = blockIdx.x * 8 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  Tile[threadIdx.y][threadIdx.x] = In[Y * Width + X];
  __syncthreads();
  X = blockIdx.y * 8 + threadIdx.x;
  Y = blockIdx.x * 8 + threadIdx.y;
  Out[Y * Height + X] = Tile[threadIdx.x][threadIdx.y];
}

/// Reads rows of 32 from the middle on; a vector may lie across a row's end.
extern "C" __global__ void rotate(int *Row, int *Out) {
  unsigned T = threadIdx.x, I = blockIdx.x * 32 + T;
  Row[I] = 100 + T;
  __syncthreads();
  Out[I] = Row[I - T + (T + 19u) % 32u];
}

/// Sum of a block by halving; the barrier is in a loop.
extern "C" __global__ void reduce(const int *In, int *Out) {
  extern __shared__ int Buffer[];
  Buffer[threadIdx.x] = In[blockIdx.x * blockDim.x + threadIdx.x];
  for (int Half = blockDim.x / 2; Half > 0; Half /= 2) {
    __syncthreads();
    if (threadIdx.x < Half)
      Buffer[threadIdx.x] += Buffer[threadIdx.x + Half];
  }
  if (threadIdx.x == 0)
    Out[blockIdx.x] = Buffer[0];
}

/// Static and dynamic shared memory side by side; threads from Stop on leave
/// before the barrier.
extern "C" __global__ void earlyExit(int *Out, int Stop) {
  __shared__ int Fixed[3];
  extern __shared__ int Dynamic[];
  if (threadIdx.x >= Stop)
    return;
  Dynamic[threadIdx.x] = 10 * threadIdx.x;
  if (threadIdx.x < 3)
    Fixed[threadIdx.x] = 100 * threadIdx.x;
  __syncthreads();
  Out[threadIdx.x] = Dynamic[Stop - 1 - threadIdx.x] + Fixed[threadIdx.x % 3];
}

/// The parameter is the thread's own: one thread's change is no other's.
extern "C" __global__ void byValue(Scaled P) {
  int I = threadIdx.x;
  P.Factor += I;
  if (I < P.N)
    P.Data[I] = (float)(P.Data[I] * P.Factor);
}

extern "C" __global__ void globals(float *Out) {
  atomicAdd(&Total, 1);
  Out[threadIdx.x] = Weights[threadIdx.x % 4] + Hidden;
}

extern "C" __global__ void math(const float *In, float *Out, double *Wide,
                                unsigned *Whole) {
  float X = In[threadIdx.x];
  float *F = Out + 8 * threadIdx.x;
  F[0] = sqrtf(X);
  F[1] = expf(X);
  F[2] = __sinf(X) + fminf(X, 1.0f);
  F[3] = rsqrtf(X);
  F[4] = powf(X, 1.5f);
  F[5] = erff(X);
  F[6] = fmaf(X, X, 1.0f);
  F[7] = X / 3.0f;
  Wide[2 * threadIdx.x] = log((double)X) + sqrt((double)X);
  Wide[2 * threadIdx.x + 1] = atan2((double)X, 2.0);
  Whole[2 * threadIdx.x] = __umulhi(0x80000000u + threadIdx.x, 6u);
  Whole[2 * threadIdx.x + 1] = __popc(threadIdx.x) + __clz(1 + threadIdx.x);
}

extern "C" __global__ void histogram(const int *In, int *Bins, int *Largest,
                                     float *Sum) {
  int V = In[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(&Bins[V], 1);
  atomicMax(Largest, V);
  atomicAdd(Sum, 0.5f);
  __threadfence();
}

/// Counted by hand in the test: one branch two warps take differently.
extern "C" __global__ void divergent(int *Out) {
  int I = threadIdx.x;
  if (I < 40)
    Out[I] = Out[I] * 3;
}

extern "C" __global__ void countedLoop(int *Out, int N) {
  int Sum = 0;
  for (int K = 0; K < N + (int)threadIdx.x; ++K)
    Sum += Out[K];
  __syncthreads();
  Out[threadIdx.x] = Sum;
}

/// A row for each lane, Slope steps behind that of its neighbour.
extern "C" __global__ void diagonals(float *Cells, int Rows, int Steps,
                                     int Slope) {
  const int X = threadIdx.x;
  for (int Step = 0; Step < Steps; ++Step) {
    const int Y = Step - Slope * (X % 32);
    if (Y >= 0 && Y < Rows)
      Cells[Y * blockDim.x + X] = __cosf(Cells[Y * blockDim.x + X]);
    __syncthreads();
  }
}

extern "C" __global__ void traps(int *Out) {
  if (threadIdx.x == 1)
    __trap();
  Out[threadIdx.x] = 1;
}

__device__ int factorial(int N) {
  return N < 2 ? 1 : N * factorial(N - 1) + factorial(N - 2);
}
extern "C" __global__ void recursive(int *Out) {
  Out[threadIdx.x] = factorial(threadIdx.x);
}
extern "C" __global__ void shuffles(int *Out) {
  Out[threadIdx.x] = __shfl_xor_sync(~0u, Out[threadIdx.x], 1);
}
extern "C" __global__ void assembly(int *Out) {
  asm volatile("mov.u32 %0, %%smid;" : "=r"(Out[threadIdx.x]));
}
extern "C" __device__ int elsewhere(int);
extern "C" __global__ void external(int *Out) {
  Out[threadIdx.x] = elsewhere(threadIdx.x);
}
extern "C" __global__ void indirect(int (*F)(int), int *Out) {
  Out[threadIdx.x] = F(threadIdx.x);
}
extern "C" __global__ void barrierCount(int *Out) {
  Out[threadIdx.x] = __syncthreads_count(Out[threadIdx.x]);
}

/// Through pointers that only the device knows: a table, a variable, a function
/// that waits.
using Step = int (*)(int);
__device__ int square(int V) { return V * V; }
__device__ int negate(int V) { return -V; }
__device__ int waits(int V) {
  __shared__ int Kept;
  Kept = V;
  __syncthreads();
  return Kept;
}
__device__ int together(int V) {
  __syncthreads();
  return V + 1000;
}
__device__ Step Steps[3] = {square, negate, together};
__device__ Step Refused = waits;
extern "C" __global__ void throughPointers(int *Out, int Which) {
  Out[threadIdx.x] = Steps[Which](threadIdx.x);
}
extern "C" __global__ void sharedBehindPointer(int *Out) {
  Out[0] = Refused(1);
}

/// A loop that nothing leaves.
extern "C" __global__ void endless(int *Out) {
  Out[threadIdx.x] = 1;
  if (threadIdx.x == 3)
    for (;;)
      ;
}

/// Thread 0 waits for a thread of another warp.
extern "C" __global__ void spins(int *Out) {
  __shared__ volatile int Flag;
  if (threadIdx.x == 33) {
    Out[1] = 7;
    Flag = 1;
  } else if (threadIdx.x == 0) {
    while (Flag != 1)
      ;
    Out[0] = Out[1] + 1;
  }
}

/// Numbers the GPU has a result for and the host traps on.
extern "C" __global__ void divides(const int *In, int *Out) {
  int A = In[0], B = In[1];
  Out[0] = A / B;
  Out[1] = A % B;
  Out[2] = (unsigned)A / (unsigned)B;
  Out[3] = (unsigned)A % (unsigned)B;
}
extern "C" __global__ void converts(const float *In, int *Out) {
  int I = threadIdx.x;
  Out[3 * I] = (int)In[I];
  Out[3 * I + 1] = (int)(unsigned)In[I];
  Out[3 * I + 2] = (int)((long long)In[I] >> 32);
}

/// Places of a picture; blocks that are neighbours may run as one.
extern "C" __global__ void cross(const int *In, int *Out, int W, int H) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X < 1 || Y < 1 || X >= W - 1 || Y >= H - 1)
    return;
  int I = Y * W + X;
  Out[I] = In[I - 1] + 10 * In[I + 1] + 100 * In[I - W] + 1000 * In[I + W];
}

/// Kernels that know more of their place than the sum; Out has one element per
/// thread.
extern "C" __global__ void sees(int *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 1000 * blockIdx.x + threadIdx.x;
}
extern "C" __global__ void seesParity(int *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = I + (threadIdx.x & 1 ? 100 : 0) + (blockIdx.x & 1 ? 1000 : 0);
}
extern "C" __global__ void seesGap(int *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  int J = blockIdx.x * (blockDim.x + 1) + threadIdx.x;
  Out[I] = J;
}
extern "C" __global__ void seesFirst(int *Out) {
  size_t I = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  Out[I] = threadIdx.x == 0 ? -1 : int(3 * I);
}
extern "C" __global__ void seesWide(int *Out) {
  size_t I = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  Out[I] = int(3 * I);
}
extern "C" __global__ void seesShared(int *Out) {
  __shared__ int Mine[8];
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Mine[I & 7] = I;
  Out[I] = Mine[I & 7] + 1;
}
extern "C" __global__ void seesMasks(int *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = I ^ (I >> 1) ^ (-I);
}

/// What a thread loads before and after it writes.
extern "C" __global__ void increments(int *Counter) {
  int Old = *Counter;
  *Counter = Old + 1;
}
extern "C" __global__ void loadsAfter(int *Data, int *Out) {
  int Before = Data[0];
  Data[0] = 7;
  Out[0] = Before;
  Out[1] = Data[0];
}
extern "C" __global__ void loadsInLoop(int *Data, int *Out, int N) {
  int Sum = 0;
  for (int K = 0; K < N; ++K) {
    Sum += *Data;
    *Data = Sum + K;
  }
  *Out = Sum;
}

/// Scale may be null where no thread passes.
extern "C" __global__ void loadsBehindGuards(const int *Scale, int *Out, int W,
                                             int First, int Last) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y;
  int Z = threadIdx.z;
  if (X >= W)
    return;
  if (!(Y >= First && Y < Last) || Z == 1)
    return;
  if ((X & 3) == 3)
    return;
  Out[(Z * 8 + Y) * W + X] = X * Scale[0] + Y * Scale[1 + Y];
}

/// The block that touches what it must not is named.
extern "C" __global__ void touches(int *Out, int **Wrong, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Out[I] = I;
  else
    *Wrong[I - N] = I;
}
