// Work-efficient prefix sums with padding against bank conflicts, recursively
// over arrays of any length.
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>

#define NUM_BANKS 32
#define LOG_NUM_BANKS 5
#ifdef ZERO_BANK_CONFLICTS
#define CONFLICT_FREE_OFFSET(index) ((index) >> LOG_NUM_BANKS + (index) >> (2 * LOG_NUM_BANKS))
#else
#define CONFLICT_FREE_OFFSET(index) ((index) >> LOG_NUM_BANKS)
#endif
#define BLOCK_SIZE 128

inline bool isPowerOfTwo(int n) { return ((n & (n - 1)) == 0); }
inline int floorPow2(int n) {
  int exp;
  frexp((float)n, &exp);
  return 1 << (exp - 1);
}

template <bool isNP2>
__device__ static void loadSharedChunkFromMem(float *s_data, const float *g_idata, int n, int baseIndex, int &ai,
                                              int &bi, int &mem_ai, int &mem_bi, int &bankOffsetA, int &bankOffsetB) {
  int thid = threadIdx.x;
  mem_ai = baseIndex + threadIdx.x;
  mem_bi = mem_ai + blockDim.x;
  ai = thid;
  bi = thid + blockDim.x;
  bankOffsetA = CONFLICT_FREE_OFFSET(ai);
  bankOffsetB = CONFLICT_FREE_OFFSET(bi);
  s_data[ai + bankOffsetA] = g_idata[mem_ai];
  if (isNP2) { // compile-time decision
    s_data[bi + bankOffsetB] = (bi < n) ? g_idata[mem_bi] : 0;
  } else {
    s_data[bi + bankOffsetB] = g_idata[mem_bi];
  }
}

template <bool isNP2>
__device__ static void storeSharedChunkToMem(float *g_odata, const float *s_data, int n, int ai, int bi, int mem_ai,
                                             int mem_bi, int bankOffsetA, int bankOffsetB) {
  __syncthreads();
  g_odata[mem_ai] = s_data[ai + bankOffsetA];
  if (isNP2) {
    if (bi < n)
      g_odata[mem_bi] = s_data[bi + bankOffsetB];
  } else {
    g_odata[mem_bi] = s_data[bi + bankOffsetB];
  }
}

template <bool storeSum> __device__ static void clearLastElement(float *s_data, float *g_blockSums, int blockIndex) {
  if (threadIdx.x == 0) {
    int index = (blockDim.x << 1) - 1;
    index += CONFLICT_FREE_OFFSET(index);
    if (storeSum)
      g_blockSums[blockIndex] = s_data[index];
    s_data[index] = 0;
  }
}

__device__ static unsigned int buildSum(float *s_data) {
  unsigned int thid = threadIdx.x;
  unsigned int stride = 1;
  for (int d = blockDim.x; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int i = __mul24(__mul24(2, stride), thid);
      int ai = i + stride - 1;
      int bi = ai + stride;
      ai += CONFLICT_FREE_OFFSET(ai);
      bi += CONFLICT_FREE_OFFSET(bi);
      s_data[bi] += s_data[ai];
    }
    stride *= 2;
  }
  return stride;
}

__device__ static void scanRootToLeaves(float *s_data, unsigned int stride) {
  unsigned int thid = threadIdx.x;
  for (int d = 1; d <= blockDim.x; d *= 2) {
    stride >>= 1;
    __syncthreads();
    if (thid < d) {
      int i = __mul24(__mul24(2, stride), thid);
      int ai = i + stride - 1;
      int bi = ai + stride;
      ai += CONFLICT_FREE_OFFSET(ai);
      bi += CONFLICT_FREE_OFFSET(bi);
      float t = s_data[ai];
      s_data[ai] = s_data[bi];
      s_data[bi] += t;
    }
  }
}

template <bool storeSum> __device__ static void prescanBlock(float *data, int blockIndex, float *blockSums) {
  int stride = buildSum(data);
  clearLastElement<storeSum>(data, blockSums, (blockIndex == 0) ? blockIdx.x : blockIndex);
  scanRootToLeaves(data, stride);
}

template <bool storeSum, bool isNP2>
__global__ static void prescan(float *g_odata, const float *g_idata, float *g_blockSums, int n, int blockIndex,
                               int baseIndex) {
  int ai, bi, mem_ai, mem_bi, bankOffsetA, bankOffsetB;
  extern __shared__ float s_data[];
  loadSharedChunkFromMem<isNP2>(s_data, g_idata, n,
                                (baseIndex == 0) ? __mul24(blockIdx.x, (blockDim.x << 1)) : baseIndex, ai, bi, mem_ai,
                                mem_bi, bankOffsetA, bankOffsetB);
  prescanBlock<storeSum>(s_data, blockIndex, g_blockSums);
  storeSharedChunkToMem<isNP2>(g_odata, s_data, n, ai, bi, mem_ai, mem_bi, bankOffsetA, bankOffsetB);
}

__global__ static void uniformAdd(float *g_data, float *uniforms, int n, int blockOffset, int baseIndex) {
  __shared__ float uni;
  if (threadIdx.x == 0)
    uni = uniforms[blockIdx.x + blockOffset];
  unsigned int address = __mul24(blockIdx.x, (blockDim.x << 1)) + baseIndex + threadIdx.x;
  __syncthreads();
  g_data[address] += uni;
  g_data[address + blockDim.x] += (threadIdx.x + blockDim.x < n) * uni;
}

static float **g_scanBlockSums;
static unsigned int g_numEltsAllocated = 0;
static unsigned int g_numLevelsAllocated = 0;

static void preallocBlockSums(unsigned int maxNumElements) {
  assert(g_numEltsAllocated == 0);
  g_numEltsAllocated = maxNumElements;
  unsigned int blockSize = BLOCK_SIZE;
  unsigned int numElts = maxNumElements;
  int level = 0;
  do {
    unsigned int numBlocks = max(1, (int)ceil((float)numElts / (2.f * blockSize)));
    if (numBlocks > 1)
      level++;
    numElts = numBlocks;
  } while (numElts > 1);
  g_scanBlockSums = (float **)malloc(level * sizeof(float *));
  g_numLevelsAllocated = level;
  numElts = maxNumElements;
  level = 0;
  do {
    unsigned int numBlocks = max(1, (int)ceil((float)numElts / (2.f * blockSize)));
    if (numBlocks > 1)
      cudaMalloc((void **)&g_scanBlockSums[level++], numBlocks * sizeof(float));
    numElts = numBlocks;
  } while (numElts > 1);
}

static void prescanArrayRecursive(float *outArray, const float *inArray, int numElements, int level) {
  unsigned int blockSize = BLOCK_SIZE;
  unsigned int numBlocks = max(1, (int)ceil((float)numElements / (2.f * blockSize)));
  unsigned int numThreads;
  if (numBlocks > 1)
    numThreads = blockSize;
  else if (isPowerOfTwo(numElements))
    numThreads = numElements / 2;
  else
    numThreads = floorPow2(numElements);
  unsigned int numEltsPerBlock = numThreads * 2;
  unsigned int numEltsLastBlock = numElements - (numBlocks - 1) * numEltsPerBlock;
  unsigned int numThreadsLastBlock = max(1, numEltsLastBlock / 2);
  unsigned int np2LastBlock = 0, sharedMemLastBlock = 0;
  if (numEltsLastBlock != numEltsPerBlock) {
    np2LastBlock = 1;
    if (!isPowerOfTwo(numEltsLastBlock))
      numThreadsLastBlock = floorPow2(numEltsLastBlock);
    unsigned int extraSpace = (2 * numThreadsLastBlock) / NUM_BANKS;
    sharedMemLastBlock = sizeof(float) * (2 * numThreadsLastBlock + extraSpace);
  }
  unsigned int extraSpace = numEltsPerBlock / NUM_BANKS;
  unsigned int sharedMemSize = sizeof(float) * (numEltsPerBlock + extraSpace);
  dim3 grid(max(1, numBlocks - np2LastBlock), 1, 1);
  dim3 threads(numThreads, 1, 1);
  if (numBlocks > 1) {
    prescan<true, false>
        <<<grid, threads, sharedMemSize>>>(outArray, inArray, g_scanBlockSums[level], numThreads * 2, 0, 0);
    if (np2LastBlock)
      prescan<true, true><<<1, numThreadsLastBlock, sharedMemLastBlock>>>(
          outArray, inArray, g_scanBlockSums[level], numEltsLastBlock, numBlocks - 1, numElements - numEltsLastBlock);
    prescanArrayRecursive(g_scanBlockSums[level], g_scanBlockSums[level], numBlocks, level + 1);
    uniformAdd<<<grid, threads>>>(outArray, g_scanBlockSums[level], numElements - numEltsLastBlock, 0, 0);
    if (np2LastBlock)
      uniformAdd<<<1, numThreadsLastBlock>>>(outArray, g_scanBlockSums[level], numEltsLastBlock, numBlocks - 1,
                                             numElements - numEltsLastBlock);
  } else if (isPowerOfTwo(numElements)) {
    prescan<false, false><<<grid, threads, sharedMemSize>>>(outArray, inArray, 0, numThreads * 2, 0, 0);
  } else {
    prescan<false, true><<<grid, threads, sharedMemSize>>>(outArray, inArray, 0, numElements, 0, 0);
  }
}

int main(int argc, char **argv) {
  const int sizes[] = {64, 1000, 5000, 65536};
  int failures = 0;
  for (int s = 0; s < 4; s++) {
    int n = sizes[s];
    float *h_data = (float *)malloc(n * sizeof(float)), *out = (float *)malloc(n * sizeof(float));
    for (int i = 0; i < n; ++i)
      h_data[i] = i % 4;
    float *d_idata, *d_odata;
    cudaMalloc((void **)&d_idata, n * sizeof(float));
    cudaMalloc((void **)&d_odata, n * sizeof(float));
    cudaMemcpy(d_idata, h_data, n * sizeof(float), cudaMemcpyHostToDevice);
    preallocBlockSums(n);
    prescanArrayRecursive(d_odata, d_idata, n, 0);
    cudaMemcpy(out, d_odata, n * sizeof(float), cudaMemcpyDeviceToHost);
    float total = 0;
    int bad = 0;
    for (int i = 0; i < n; ++i) {
      bad += out[i] != total;
      total += h_data[i];
    }
    printf("%d elements: %s\n", n, bad ? "FAILED" : "PASSED");
    failures += bad != 0;
    for (unsigned l = 0; l < g_numLevelsAllocated; l++)
      cudaFree(g_scanBlockSums[l]);
    free((void **)g_scanBlockSums);
    g_scanBlockSums = 0, g_numEltsAllocated = g_numLevelsAllocated = 0;
    cudaFree(d_idata), cudaFree(d_odata), free(h_data), free(out);
  }
  return failures;
}
