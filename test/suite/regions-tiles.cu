// Feature: barriers: tiles in shared memory: matrix product with several results per thread, transpose, stencil with a halo.
#include "Inputs/suite.h"

// A 32 x 32 tile by 8 x 8 threads with 4 x 4 results each, in a local array
// that outlives the barriers.
__global__ void product(const float *A, const float *B, float *C, int N) {
  __shared__ float TA[32][8], TB[8][32];
  int T = threadIdx.y * 8 + threadIdx.x;
  int Row = blockIdx.y * 32, Column = blockIdx.x * 32;
  float Sum[4][4] = {};
  for (int K = 0; K < N; K += 8) {
    for (int I = T; I < 256; I += 64) {
      TA[I / 8][I % 8] = A[(Row + I / 8) * N + K + I % 8];
      TB[I / 32][I % 32] = B[(K + I / 32) * N + Column + I % 32];
    }
    __syncthreads();
    for (int S = 0; S < 8; ++S)
      for (int I = 0; I < 4; ++I)
        for (int J = 0; J < 4; ++J)
          Sum[I][J] +=
              TA[threadIdx.y * 4 + I][S] * TB[S][threadIdx.x * 4 + J];
    __syncthreads();
  }
  for (int I = 0; I < 4; ++I)
    for (int J = 0; J < 4; ++J)
      C[(Row + threadIdx.y * 4 + I) * N + Column + threadIdx.x * 4 + J] =
          Sum[I][J];
}

__global__ void transpose(const int *In, int *Out, int W, int H) {
  __shared__ int Tile[16][17];
  int X = blockIdx.x * 16 + threadIdx.x, Y = blockIdx.y * 16 + threadIdx.y;
  if (X < W && Y < H)
    Tile[threadIdx.y][threadIdx.x] = In[Y * W + X];
  __syncthreads();
  X = blockIdx.y * 16 + threadIdx.x;
  Y = blockIdx.x * 16 + threadIdx.y;
  if (X < H && Y < W)
    Out[Y * H + X] = Tile[threadIdx.x][threadIdx.y];
}

__global__ void smooth(const int *In, int *Out, int N) {
  __shared__ int Row[66];
  int T = threadIdx.x, I = blockIdx.x * 64 + T;
  Row[T + 1] = I < N ? In[I] : 0;
  if (T == 0)
    Row[0] = I > 0 ? In[I - 1] : 0;
  if (T == 63)
    Row[65] = I + 1 < N ? In[I + 1] : 0;
  __syncthreads();
  if (I < N)
    Out[I] = Row[T] + 2 * Row[T + 1] + Row[T + 2];
}

static void testProduct() {
  const int N = 64;
  std::vector<float> A(N * N), B(N * N), Expected(N * N);
  for (int I = 0; I < N * N; ++I) {
    A[I] = I % 7;
    B[I] = I % 5 - 2;
  }
  for (int Y = 0; Y < N; ++Y)
    for (int X = 0; X < N; ++X)
      for (int K = 0; K < N; ++K)
        Expected[Y * N + X] += A[Y * N + K] * B[K * N + X];
  suite::Array<float> DA(A), DB(B), DC(N * N);
  product<<<dim3(N / 32, N / 32), dim3(8, 8)>>>(DA.get(), DB.get(), DC.get(),
                                                N);
  same(DC.host(), Expected);
}

static void testTranspose() {
  const int W = 45, H = 37;
  std::vector<int> In(W * H), Expected(W * H);
  for (int I = 0; I < W * H; ++I) {
    In[I] = I;
    Expected[I % W * H + I / W] = I;
  }
  suite::Array<int> From(In), To(W * H);
  transpose<<<dim3(3, 3), dim3(16, 16)>>>(From.get(), To.get(), W, H);
  same(To.host(), Expected);
}

int main() {
  testProduct();
  testTranspose();
  const int N = 1000;
  std::vector<int> In(N), Expected(N);
  for (int I = 0; I < N; ++I)
    In[I] = I * I % 101;
  for (int I = 0; I < N; ++I)
    Expected[I] = (I ? In[I - 1] : 0) + 2 * In[I] + (I + 1 < N ? In[I + 1] : 0);
  suite::Array<int> From(In), To(N);
  smooth<<<16, 64>>>(From.get(), To.get(), N);
  same(To.host(), Expected);
  return suite::finish();
}
