// A step-by-step matrix product: tiles of registers, float4 loads, two buffers.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>
#include <cuda_runtime.h>

#define OFFSET(row, col, ld) ((row) * (ld) + (col))
#define FETCH_FLOAT4(pointer) (reinterpret_cast<float4 *>(&(pointer))[0])
#define FETCH_CONST_FLOAT4(pointer) (reinterpret_cast<const float4 *>(&(pointer))[0])
#define checkCuda(func)                                                                                      \
  {                                                                                                          \
    cudaError_t e = (func);                                                                                  \
    if (e != cudaSuccess) printf("%s %d CUDA: %s\n", __FILE__, __LINE__, cudaGetErrorString(e)), exit(1);    \
  }

template <const int BLOCK_SIZE_M, const int BLOCK_SIZE_K, const int BLOCK_SIZE_N, const int THREAD_SIZE_Y,
          const int THREAD_SIZE_X, const bool ENABLE_DOUBLE_BUFFER>
__global__ void Sgemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, const int M,
                      const int N, const int K) {
  const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  const int THREAD_X_PER_BLOCK = BLOCK_SIZE_N / THREAD_SIZE_X;
  const int THREAD_Y_PER_BLOCK = BLOCK_SIZE_M / THREAD_SIZE_Y;
  const int THREAD_NUM_PER_BLOCK = THREAD_X_PER_BLOCK * THREAD_Y_PER_BLOCK;
  const int tid = ty * THREAD_X_PER_BLOCK + tx;
  __shared__ float As[2][BLOCK_SIZE_K][BLOCK_SIZE_M];
  __shared__ float Bs[2][BLOCK_SIZE_K][BLOCK_SIZE_N];
  float accum[THREAD_SIZE_Y][THREAD_SIZE_X] = {0};
  float frag_a[2][THREAD_SIZE_Y];
  float frag_b[2][THREAD_SIZE_X];
  const int ldg_num_a = BLOCK_SIZE_M * BLOCK_SIZE_K / (THREAD_NUM_PER_BLOCK * 4);
  const int ldg_num_b = BLOCK_SIZE_K * BLOCK_SIZE_N / (THREAD_NUM_PER_BLOCK * 4);
  float ldg_a_reg[4 * ldg_num_a];
  float ldg_b_reg[4 * ldg_num_b];
  const int A_TILE_THREAD_PER_ROW = BLOCK_SIZE_K / 4, B_TILE_THREAD_PER_ROW = BLOCK_SIZE_N / 4;
  const int A_TILE_ROW_START = tid / A_TILE_THREAD_PER_ROW, B_TILE_ROW_START = tid / B_TILE_THREAD_PER_ROW;
  const int A_TILE_COL = tid % A_TILE_THREAD_PER_ROW * 4, B_TILE_COL = tid % B_TILE_THREAD_PER_ROW * 4;
  const int A_TILE_ROW_STRIDE = THREAD_NUM_PER_BLOCK / A_TILE_THREAD_PER_ROW;
  const int B_TILE_ROW_STRIDE = THREAD_NUM_PER_BLOCK / B_TILE_THREAD_PER_ROW;
  A = &A[(BLOCK_SIZE_M * by) * K];
  B = &B[BLOCK_SIZE_N * bx];

#define LOAD_TILE(tile)                                                                                      \
  _Pragma("unroll") for (int i = 0; i < BLOCK_SIZE_M; i += A_TILE_ROW_STRIDE)                                \
      FETCH_FLOAT4(ldg_a_reg[i / A_TILE_ROW_STRIDE * 4]) =                                                   \
          FETCH_CONST_FLOAT4(A[OFFSET(A_TILE_ROW_START + i, A_TILE_COL + (tile), K)]);                       \
  _Pragma("unroll") for (int i = 0; i < BLOCK_SIZE_K; i += B_TILE_ROW_STRIDE)                                \
      FETCH_FLOAT4(ldg_b_reg[i / B_TILE_ROW_STRIDE * 4]) =                                                   \
          FETCH_CONST_FLOAT4(B[OFFSET((tile) + B_TILE_ROW_START + i, B_TILE_COL, N)])
#define STORE_TILE(buf)                                                                                      \
  _Pragma("unroll") for (int i = 0; i < BLOCK_SIZE_M; i += A_TILE_ROW_STRIDE) for (int v = 0; v < 4; ++v)    \
      As[buf][A_TILE_COL + v][A_TILE_ROW_START + i] = ldg_a_reg[i / A_TILE_ROW_STRIDE * 4 + v];              \
  _Pragma("unroll") for (int i = 0; i < BLOCK_SIZE_K; i += B_TILE_ROW_STRIDE)                                \
      FETCH_FLOAT4(Bs[buf][B_TILE_ROW_START + i][B_TILE_COL]) = FETCH_FLOAT4(ldg_b_reg[i / B_TILE_ROW_STRIDE * 4])

  LOAD_TILE(0);
  STORE_TILE(0);
  __syncthreads();
  int buf = 0;
  for (int tile = 0; tile < K; tile += BLOCK_SIZE_K) {
    const bool more = tile + BLOCK_SIZE_K < K;
    if (more) {
      LOAD_TILE(tile + BLOCK_SIZE_K);
    }
#pragma unroll
    for (int k = 0; k < BLOCK_SIZE_K; ++k) {
#pragma unroll
      for (int y = 0; y < THREAD_SIZE_Y; y += 4)
        FETCH_FLOAT4(frag_a[k % 2][y]) = FETCH_FLOAT4(As[buf][k][THREAD_SIZE_Y * ty + y]);
#pragma unroll
      for (int x = 0; x < THREAD_SIZE_X; x += 4)
        FETCH_FLOAT4(frag_b[k % 2][x]) = FETCH_FLOAT4(Bs[buf][k][THREAD_SIZE_X * tx + x]);
#pragma unroll
      for (int y = 0; y < THREAD_SIZE_Y; ++y)
#pragma unroll
        for (int x = 0; x < THREAD_SIZE_X; ++x)
          accum[y][x] += frag_a[k % 2][y] * frag_b[k % 2][x];
    }
    if (more) {
      if (!ENABLE_DOUBLE_BUFFER)
        __syncthreads();
      else
        buf ^= 1;
      STORE_TILE(buf);
      __syncthreads();
    }
  }
#pragma unroll
  for (int y = 0; y < THREAD_SIZE_Y; ++y)
#pragma unroll
    for (int x = 0; x < THREAD_SIZE_X; x += 4)
      FETCH_FLOAT4(C[OFFSET(BLOCK_SIZE_M * by + ty * THREAD_SIZE_Y + y, BLOCK_SIZE_N * bx + tx * THREAD_SIZE_X + x, N)]) =
          FETCH_FLOAT4(accum[y][x]);
}

template <bool DOUBLE_BUFFER> int run(int M, int K, int N) {
  std::vector<float> h_A(M * K), h_B(K * N), h_C(M * N);
  for (int i = 0; i < M * K; i++) h_A[i] = i % 13 - 6;
  for (int i = 0; i < K * N; i++) h_B[i] = i % 11 - 5;
  float *d_A, *d_B, *d_C;
  checkCuda(cudaMalloc(&d_A, sizeof(float) * M * K));
  checkCuda(cudaMalloc(&d_B, sizeof(float) * K * N));
  checkCuda(cudaMalloc(&d_C, sizeof(float) * M * N));
  checkCuda(cudaMemcpy(d_A, h_A.data(), sizeof(float) * M * K, cudaMemcpyHostToDevice));
  checkCuda(cudaMemcpy(d_B, h_B.data(), sizeof(float) * K * N, cudaMemcpyHostToDevice));
  const int BM = 64, BK = 8, BN = 64, TY = 8, TX = 8;
  dim3 dimBlock(BN / TX, BM / TY), dimGrid(N / BN, M / BM);
  Sgemm<BM, BK, BN, TY, TX, DOUBLE_BUFFER><<<dimGrid, dimBlock>>>(d_A, d_B, d_C, M, N, K);
  checkCuda(cudaGetLastError());
  checkCuda(cudaMemcpy(h_C.data(), d_C, sizeof(float) * M * N, cudaMemcpyDeviceToHost));
  cudaFree(d_A), cudaFree(d_B), cudaFree(d_C);
  int wrong = 0;
  for (int y = 0; y < M; y++)
    for (int x = 0; x < N; x++) {
      float sum = 0;
      for (int k = 0; k < K; k++) sum += h_A[y * K + k] * h_B[k * N + x];
      wrong += sum != h_C[y * N + x];
    }
  return wrong;
}

int main() {
  int wrong = run<false>(128, 64, 64) + run<true>(64, 40, 128);
  std::cout << (wrong ? "FAILED" : "PASSED") << std::endl;
  return wrong != 0;
}
