// Parallel reduction in many versions: interleaved, sequential, unrolled warps,
// completely unrolled by templates, with a shuffle at the end.
#include <algorithm>
#include <stdio.h>
#include <helper_check.h>

// A template of shared memory needs a name for each type.
template <class T> struct SharedMemory {
  __device__ inline operator T *() {
    extern __shared__ int __smem[];
    return (T *)__smem;
  }
  __device__ inline operator const T *() const {
    extern __shared__ int __smem[];
    return (T *)__smem;
  }
};
template <> struct SharedMemory<double> {
  __device__ inline operator double *() {
    extern __shared__ double __smem_d[];
    return (double *)__smem_d;
  }
};

template <class T>
__global__ void reduce0(T *g_idata, T *g_odata, unsigned int n) {
  T *sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = (i < n) ? g_idata[i] : 0;
  __syncthreads();
  for (unsigned int s = 1; s < blockDim.x; s *= 2) {
    if ((tid % (2 * s)) == 0)
      sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0)
    g_odata[blockIdx.x] = sdata[0];
}

template <class T>
__global__ void reduce2(T *g_idata, T *g_odata, unsigned int n) {
  T *sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  T mySum = (i < n) ? g_idata[i] : 0;
  if (i + blockDim.x < n)
    mySum += g_idata[i + blockDim.x];
  sdata[tid] = mySum;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s)
      sdata[tid] = mySum = mySum + sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0)
    g_odata[blockIdx.x] = mySum;
}

template <class T, unsigned int blockSize>
__device__ void warpReduce(volatile T *sdata, unsigned int tid) {
  if (blockSize >= 64) sdata[tid] += sdata[tid + 32];
  if (blockSize >= 32) sdata[tid] += sdata[tid + 16];
  if (blockSize >= 16) sdata[tid] += sdata[tid + 8];
  if (blockSize >= 8) sdata[tid] += sdata[tid + 4];
  if (blockSize >= 4) sdata[tid] += sdata[tid + 2];
  if (blockSize >= 2) sdata[tid] += sdata[tid + 1];
}

template <class T, unsigned int blockSize, bool nIsPow2>
__global__ void reduce5(T *g_idata, T *g_odata, unsigned int n) {
  T *sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
  unsigned int gridSize = blockSize * 2 * gridDim.x;
  T mySum = 0;
  while (i < n) {
    mySum += g_idata[i];
    if (nIsPow2 || i + blockSize < n)
      mySum += g_idata[i + blockSize];
    i += gridSize;
  }
  sdata[tid] = mySum;
  __syncthreads();
  if (blockSize >= 512) { if (tid < 256) { sdata[tid] += sdata[tid + 256]; } __syncthreads(); }
  if (blockSize >= 256) { if (tid < 128) { sdata[tid] += sdata[tid + 128]; } __syncthreads(); }
  if (blockSize >= 128) { if (tid < 64) { sdata[tid] += sdata[tid + 64]; } __syncthreads(); }
  if (tid < 32)
    warpReduce<T, blockSize>(sdata, tid);
  if (tid == 0)
    g_odata[blockIdx.x] = sdata[0];
}

template <class T>
__global__ void reduce7(const T *__restrict__ g_idata, T *__restrict__ g_odata, unsigned int n) {
  T *sdata = SharedMemory<T>();
  T mySum = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    mySum += g_idata[i];
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    mySum += __shfl_down_sync(0xffffffff, mySum, offset);
  if ((threadIdx.x % warpSize) == 0)
    sdata[threadIdx.x / warpSize] = mySum;
  __syncthreads();
  const unsigned int shmem_extent = (blockDim.x / warpSize) > 0 ? (blockDim.x / warpSize) : 1;
  const unsigned int ballot_result = __ballot_sync(0xffffffff, threadIdx.x < shmem_extent);
  if (threadIdx.x < shmem_extent) {
    mySum = sdata[threadIdx.x];
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
      mySum += __shfl_down_sync(ballot_result, mySum, offset);
  }
  if (threadIdx.x == 0)
    g_odata[blockIdx.x] = mySum;
}

bool isPow2(unsigned int x) { return ((x & (x - 1)) == 0); }

template <class T>
void reduce(int size, int threads, int blocks, int whichKernel, T *d_idata, T *d_odata) {
  dim3 dimBlock(threads, 1, 1), dimGrid(blocks, 1, 1);
  int smemSize = (threads <= 32) ? 2 * threads * sizeof(T) : threads * sizeof(T);
  switch (whichKernel) {
  case 0:
    reduce0<T><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
    break;
  case 2:
    reduce2<T><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
    break;
  case 5:
    if (isPow2(size)) {
      switch (threads) {
      case 512: reduce5<T, 512, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
      case 128: reduce5<T, 128, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
      case 16: reduce5<T, 16, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
      }
    } else {
      switch (threads) {
      case 512: reduce5<T, 512, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
      case 128: reduce5<T, 128, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
      case 16: reduce5<T, 16, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
      }
    }
    break;
  default:
    reduce7<T><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
  }
}

template <class T> bool runTest(const char *name, int size) {
  unsigned int bytes = size * sizeof(T);
  T *h_idata = (T *)malloc(bytes);
  for (int i = 0; i < size; i++)
    h_idata[i] = (T)(rand() & 0xFF);
  T cpu = 0;
  for (int i = 0; i < size; i++)
    cpu += h_idata[i];
  T *d_idata = NULL, *d_odata = NULL;
  checkCudaErrors(cudaMalloc((void **)&d_idata, bytes));
  checkCudaErrors(cudaMalloc((void **)&d_odata, 8192 * sizeof(T)));
  checkCudaErrors(cudaMemcpy(d_idata, h_idata, bytes, cudaMemcpyHostToDevice));
  bool ok = true;
  const int kernels[] = {0, 2, 5, 7}, sizes[] = {16, 128, 512};
  for (int k = 0; k < 4; k++)
    for (int t = 0; t < 3; t++) {
      int threads = sizes[t];
      if (kernels[k] == 7 && threads < 32) continue;
      int blocks = kernels[k] == 0 ? (size + threads - 1) / threads : (size + 2 * threads - 1) / (2 * threads);
      if (kernels[k] >= 5) blocks = min(64, blocks);
      reduce<T>(size, threads, blocks, kernels[k], d_idata, d_odata);
      getLastCudaError("Kernel execution failed");
      T *h_odata = (T *)malloc(blocks * sizeof(T)), gpu = 0;
      checkCudaErrors(cudaMemcpy(h_odata, d_odata, blocks * sizeof(T), cudaMemcpyDeviceToHost));
      for (int i = 0; i < blocks; i++)
        gpu += h_odata[i];
      if (gpu != cpu) {
        printf("%s: kernel %d, %d threads: wrong\n", name, kernels[k], threads);
        ok = false;
      }
      free(h_odata);
    }
  free(h_idata);
  checkCudaErrors(cudaFree(d_idata));
  checkCudaErrors(cudaFree(d_odata));
  return ok;
}

int main(int argc, char **argv) {
  bool ok = runTest<int>("int", 1 << 14) && runTest<float>("float", 10007) && runTest<double>("double", 1 << 12);
  printf(ok ? "Test passed\n" : "Test failed!\n");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
