// 256-bin histogram with a sub-histogram for each warp, whose lanes tag what
// they write in the years before atomics in shared memory.
#include <stdio.h>
#include <stdlib.h>
#include <helper_check.h>

typedef unsigned int uint;
typedef unsigned char uchar;

#define LOG2_WARP_SIZE 5U
#define WARP_SIZE (1U << LOG2_WARP_SIZE)
#define HISTOGRAM256_BIN_COUNT 256
#define WARP_COUNT 6
#define HISTOGRAM256_THREADBLOCK_SIZE (WARP_COUNT * WARP_SIZE)
#define HISTOGRAM256_THREADBLOCK_MEMORY (WARP_COUNT * HISTOGRAM256_BIN_COUNT)
#define UMUL(a, b) ((a) * (b))
#define UMAD(a, b, c) (UMUL((a), (b)) + (c))
#define TAG_MASK 0x07FFFFFFU

inline __device__ void addByteTagged(volatile uint *s_WarpHist, uint data, uint threadTag) {
  uint count;
  do {
    count = s_WarpHist[data] & TAG_MASK;
    count = threadTag | (count + 1);
    s_WarpHist[data] = count;
  } while (s_WarpHist[data] != count);
}

inline __device__ void addByteAtomic(uint *s_WarpHist, uint data, uint) {
  atomicAdd(s_WarpHist + data, 1);
}

template <bool TAGGED> inline __device__ void addByte(uint *s, uint data, uint tag) {
  if (TAGGED)
    addByteTagged(s, data, tag);
  else
    addByteAtomic(s, data, tag);
}

template <bool TAGGED> inline __device__ void addWord(uint *s_WarpHist, uint data, uint tag) {
  addByte<TAGGED>(s_WarpHist, (data >> 0) & 0xFFU, tag);
  addByte<TAGGED>(s_WarpHist, (data >> 8) & 0xFFU, tag);
  addByte<TAGGED>(s_WarpHist, (data >> 16) & 0xFFU, tag);
  addByte<TAGGED>(s_WarpHist, (data >> 24) & 0xFFU, tag);
}

template <bool TAGGED>
__global__ void histogram256Kernel(uint *d_PartialHistograms, uint *d_Data, uint dataCount) {
  __shared__ uint s_Hist[HISTOGRAM256_THREADBLOCK_MEMORY];
  uint *s_WarpHist = s_Hist + (threadIdx.x >> LOG2_WARP_SIZE) * HISTOGRAM256_BIN_COUNT;
#pragma unroll
  for (uint i = 0; i < (HISTOGRAM256_THREADBLOCK_MEMORY / HISTOGRAM256_THREADBLOCK_SIZE); i++)
    s_Hist[threadIdx.x + i * HISTOGRAM256_THREADBLOCK_SIZE] = 0;
  const uint tag = threadIdx.x << (32 - LOG2_WARP_SIZE);
  __syncthreads();
  for (uint pos = UMAD(blockIdx.x, blockDim.x, threadIdx.x); pos < dataCount; pos += UMUL(blockDim.x, gridDim.x)) {
    uint data = d_Data[pos];
    addWord<TAGGED>(s_WarpHist, data, tag);
  }
  __syncthreads();
  for (uint bin = threadIdx.x; bin < HISTOGRAM256_BIN_COUNT; bin += HISTOGRAM256_THREADBLOCK_SIZE) {
    uint sum = 0;
    for (uint i = 0; i < WARP_COUNT; i++)
      sum += s_Hist[bin + i * HISTOGRAM256_BIN_COUNT] & TAG_MASK;
    d_PartialHistograms[blockIdx.x * HISTOGRAM256_BIN_COUNT + bin] = sum;
  }
}

#define MERGE_THREADBLOCK_SIZE 64

__global__ void mergeHistogram256Kernel(uint *d_Histogram, uint *d_PartialHistograms, uint histogramCount) {
  uint sum = 0;
  for (uint i = threadIdx.x; i < histogramCount; i += MERGE_THREADBLOCK_SIZE)
    sum += d_PartialHistograms[blockIdx.x + i * HISTOGRAM256_BIN_COUNT];
  __shared__ uint data[MERGE_THREADBLOCK_SIZE];
  data[threadIdx.x] = sum;
  for (uint stride = MERGE_THREADBLOCK_SIZE / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    if (threadIdx.x < stride)
      data[threadIdx.x] += data[threadIdx.x + stride];
  }
  if (threadIdx.x == 0)
    d_Histogram[blockIdx.x] = data[0];
}

static const uint PARTIAL_HISTOGRAM256_COUNT = 12;
static uint *d_PartialHistograms;

extern "C" void initHistogram256(void) {
  checkCudaErrors(cudaMalloc((void **)&d_PartialHistograms,
                             PARTIAL_HISTOGRAM256_COUNT * HISTOGRAM256_BIN_COUNT * sizeof(uint)));
}
extern "C" void closeHistogram256(void) { checkCudaErrors(cudaFree(d_PartialHistograms)); }

extern "C" void histogram256(uint *d_Histogram, void *d_Data, uint byteCount, bool tagged) {
  if (tagged)
    histogram256Kernel<true><<<PARTIAL_HISTOGRAM256_COUNT, HISTOGRAM256_THREADBLOCK_SIZE>>>(
        d_PartialHistograms, (uint *)d_Data, byteCount / sizeof(uint));
  else
    histogram256Kernel<false><<<PARTIAL_HISTOGRAM256_COUNT, HISTOGRAM256_THREADBLOCK_SIZE>>>(
        d_PartialHistograms, (uint *)d_Data, byteCount / sizeof(uint));
  getLastCudaError("histogram256Kernel() execution failed\n");
  mergeHistogram256Kernel<<<HISTOGRAM256_BIN_COUNT, MERGE_THREADBLOCK_SIZE>>>(
      d_Histogram, d_PartialHistograms, PARTIAL_HISTOGRAM256_COUNT);
  getLastCudaError("mergeHistogram256Kernel() execution failed\n");
}

int main() {
  const uint byteCount = 40000;
  uchar *h_Data = (uchar *)malloc(byteCount), *d_Data;
  uint h_CPU[256] = {0}, h_GPU[256], *d_Histogram;
  srand(2009);
  for (uint i = 0; i < byteCount; i++) {
    h_Data[i] = rand() % 4 ? rand() % 256 : 17;
    h_CPU[h_Data[i]]++;
  }
  checkCudaErrors(cudaMalloc((void **)&d_Data, byteCount));
  checkCudaErrors(cudaMalloc((void **)&d_Histogram, 256 * sizeof(uint)));
  checkCudaErrors(cudaMemcpy(d_Data, h_Data, byteCount, cudaMemcpyHostToDevice));
  initHistogram256();
  int PassFailFlag = 1;
  for (int tagged = 0; tagged < 2; tagged++) {
    histogram256(d_Histogram, d_Data, byteCount, tagged);
    checkCudaErrors(cudaMemcpy(h_GPU, d_Histogram, sizeof h_GPU, cudaMemcpyDeviceToHost));
    for (uint i = 0; i < 256; i++)
      if (h_GPU[i] != h_CPU[i])
        PassFailFlag = 0;
    printf(" ...%s histograms %s\n\n", tagged ? "tagged" : "atomic", PassFailFlag ? "match" : "do not match!!!");
  }
  closeHistogram256();
  cudaFree(d_Data), cudaFree(d_Histogram), free(h_Data);
  return PassFailFlag ? EXIT_SUCCESS : EXIT_FAILURE;
}
