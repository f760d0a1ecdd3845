// Sorting networks with keys and values, short arrays in shared memory, long
// ones in several kernels; keys of several types.
#include <algorithm>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <helper_check.h>

typedef unsigned int uint;
#define SHARED_SIZE_LIMIT 256U

template <typename K, typename V>
__device__ inline void Comparator(K &keyA, V &valA, K &keyB, V &valB, uint dir) {
  if ((keyA > keyB) == dir) {
    K t = keyA;
    keyA = keyB;
    keyB = t;
    V u = valA;
    valA = valB;
    valB = u;
  }
}

template <typename K, typename V>
__global__ void bitonicSortShared1(K *d_Key, V *d_Val) {
  __shared__ K s_key[SHARED_SIZE_LIMIT];
  __shared__ V s_val[SHARED_SIZE_LIMIT];
  d_Key += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  d_Val += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  s_key[threadIdx.x + 0] = d_Key[0];
  s_val[threadIdx.x + 0] = d_Val[0];
  s_key[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] = d_Key[(SHARED_SIZE_LIMIT / 2)];
  s_val[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] = d_Val[(SHARED_SIZE_LIMIT / 2)];
  for (uint size = 2; size < SHARED_SIZE_LIMIT; size <<= 1) {
    uint ddd = (threadIdx.x & (size / 2)) != 0;
    for (uint stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      Comparator(s_key[pos + 0], s_val[pos + 0], s_key[pos + stride], s_val[pos + stride], ddd);
    }
  }
  uint ddd = blockIdx.x & 1;
  for (uint stride = SHARED_SIZE_LIMIT / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    Comparator(s_key[pos + 0], s_val[pos + 0], s_key[pos + stride], s_val[pos + stride], ddd);
  }
  __syncthreads();
  d_Key[0] = s_key[threadIdx.x + 0];
  d_Val[0] = s_val[threadIdx.x + 0];
  d_Key[(SHARED_SIZE_LIMIT / 2)] = s_key[threadIdx.x + (SHARED_SIZE_LIMIT / 2)];
  d_Val[(SHARED_SIZE_LIMIT / 2)] = s_val[threadIdx.x + (SHARED_SIZE_LIMIT / 2)];
}

template <typename K, typename V>
__global__ void bitonicMergeGlobal(K *d_Key, V *d_Val, uint arrayLength, uint size, uint stride, uint dir) {
  uint global_comparatorI = blockIdx.x * blockDim.x + threadIdx.x;
  uint comparatorI = global_comparatorI & (arrayLength / 2 - 1);
  uint ddd = dir ^ ((comparatorI & (size / 2)) != 0);
  uint pos = 2 * global_comparatorI - (global_comparatorI & (stride - 1));
  K keyA = d_Key[pos + 0], keyB = d_Key[pos + stride];
  V valA = d_Val[pos + 0], valB = d_Val[pos + stride];
  Comparator(keyA, valA, keyB, valB, ddd);
  d_Key[pos + 0] = keyA, d_Val[pos + 0] = valA;
  d_Key[pos + stride] = keyB, d_Val[pos + stride] = valB;
}

template <typename K, typename V> void bitonicSort(K *d_Key, V *d_Val, uint arrayLength, uint dir) {
  assert((arrayLength & (arrayLength - 1)) == 0 && arrayLength >= 2 * SHARED_SIZE_LIMIT);
  bitonicSortShared1<<<arrayLength / SHARED_SIZE_LIMIT, SHARED_SIZE_LIMIT / 2>>>(d_Key, d_Val);
  for (uint size = 2 * SHARED_SIZE_LIMIT; size <= arrayLength; size <<= 1)
    for (unsigned stride = size / 2; stride > 0; stride >>= 1)
      bitonicMergeGlobal<<<arrayLength / 512, 256>>>(d_Key, d_Val, arrayLength, size, stride, dir);
}

template <typename K, typename V> int test(const char *what, uint N, uint dir) {
  K *h_Key = (K *)malloc(N * sizeof(K)), *sorted = (K *)malloc(N * sizeof(K)), *got = (K *)malloc(N * sizeof(K)), *d_Key;
  V *h_Val = (V *)malloc(N * sizeof(V)), *d_Val;
  for (uint i = 0; i < N; i++)
    h_Key[i] = sorted[i] = (K)(rand() % 5000) - (K)1000, h_Val[i] = (V)i;
  checkCudaErrors(cudaMalloc(&d_Key, N * sizeof(K)));
  checkCudaErrors(cudaMalloc(&d_Val, N * sizeof(V)));
  checkCudaErrors(cudaMemcpy(d_Key, h_Key, N * sizeof(K), cudaMemcpyHostToDevice));
  checkCudaErrors(cudaMemcpy(d_Val, h_Val, N * sizeof(V), cudaMemcpyHostToDevice));
  bitonicSort<K, V>(d_Key, d_Val, N, dir);
  getLastCudaError("bitonicSort");
  checkCudaErrors(cudaMemcpy(got, d_Key, N * sizeof(K), cudaMemcpyDeviceToHost));
  checkCudaErrors(cudaMemcpy(h_Val, d_Val, N * sizeof(V), cudaMemcpyDeviceToHost));
  std::sort(sorted, sorted + N);
  if (!dir)
    std::reverse(sorted, sorted + N);
  int bad = 0;
  for (uint i = 0; i < N; i++)
    bad += got[i] != sorted[i] || h_Key[(uint)h_Val[i]] != got[i];
  printf("%s: %s\n", what, bad ? "NOT sorted" : "OK");
  cudaFree(d_Key), cudaFree(d_Val), free(h_Key), free(sorted), free(got), free(h_Val);
  return bad;
}

int main() {
  int bad = test<uint, uint>("uint", 4096, 1) + test<float, int>("float", 2048, 0) + test<short, double>("short", 1024, 1);
  printf(bad ? "FAILED\n" : "PASSED\n");
  return bad != 0;
}
