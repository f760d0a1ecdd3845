/* Gaussian elimination row by row, two launches for each step; the device's properties are listed first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include "cuda.h"
#ifdef RD_WG_SIZE_0
#define MAXBLOCKSIZE RD_WG_SIZE_0
#else
#define MAXBLOCKSIZE 512
#endif
#define BLOCK_SIZE_XY 4
int Size;
float *a, *b, *finalVec, *m;
unsigned int totalKernelTime = 0;
void create_matrix(float *m, int size) {
  int i, j;
  float lamda = -0.01, coe[2 * size - 1], coe_i = 0.0;
  for (i = 0; i < size; i++) {
    coe_i = 10 * exp(lamda * i);
    j = size - 1 + i;
    coe[j] = coe_i;
    j = size - 1 - i;
    coe[j] = coe_i;
  }
  for (i = 0; i < size; i++)
    for (j = 0; j < size; j++)
      m[i * size + j] = coe[size - 1 - i + j];
}
void PrintDeviceProperties() {
  cudaDeviceProp deviceProp;
  int nDevCount = 0;
  cudaGetDeviceCount(&nDevCount);
  printf("Total Device found: %d", nDevCount);
  for (int nDeviceIdx = 0; nDeviceIdx < nDevCount; ++nDeviceIdx) {
    memset(&deviceProp, 0, sizeof(deviceProp));
    if (cudaSuccess == cudaGetDeviceProperties(&deviceProp, nDeviceIdx)) {
      printf("\nDevice Name \t\t - %s ", deviceProp.name);
      printf("\nTotal Global Memory\t\t\t - %lu KB", deviceProp.totalGlobalMem / 1024);
      printf("\nClock rate\t\t\t\t - %d KHz", deviceProp.clockRate);
      printf("\nConcurrent copy\t\t\t - %d", deviceProp.deviceOverlap);
      printf("\nKernel timeout\t\t\t - %d, mode %d\n", deviceProp.kernelExecTimeoutEnabled, deviceProp.computeMode);
    } else
      printf("\n%s", cudaGetErrorString(cudaGetLastError()));
  }
}
__global__ void Fan1(float *m_cuda, float *a_cuda, int Size, int t) {
  if (threadIdx.x + blockIdx.x * blockDim.x >= Size - 1 - t)
    return;
  *(m_cuda + Size * (blockDim.x * blockIdx.x + threadIdx.x + t + 1) + t) =
      *(a_cuda + Size * (blockDim.x * blockIdx.x + threadIdx.x + t + 1) + t) / *(a_cuda + Size * t + t);
}
__global__ void Fan2(float *m_cuda, float *a_cuda, float *b_cuda, int Size, int j1, int t) {
  if (threadIdx.x + blockIdx.x * blockDim.x >= Size - 1 - t)
    return;
  if (threadIdx.y + blockIdx.y * blockDim.y >= Size - t)
    return;
  int xidx = blockIdx.x * blockDim.x + threadIdx.x;
  int yidx = blockIdx.y * blockDim.y + threadIdx.y;
  a_cuda[Size * (xidx + 1 + t) + (yidx + t)] -= m_cuda[Size * (xidx + 1 + t) + t] * a_cuda[Size * t + (yidx + t)];
  if (yidx == 0)
    b_cuda[xidx + 1 + t] -= m_cuda[Size * (xidx + 1 + t) + (yidx + t)] * b_cuda[t];
}
void ForwardSub() {
  float *m_cuda, *a_cuda, *b_cuda;
  cudaMalloc((void **)&m_cuda, Size * Size * sizeof(float));
  cudaMalloc((void **)&a_cuda, Size * Size * sizeof(float));
  cudaMalloc((void **)&b_cuda, Size * sizeof(float));
  cudaMemcpy(m_cuda, m, Size * Size * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(a_cuda, a, Size * Size * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b_cuda, b, Size * sizeof(float), cudaMemcpyHostToDevice);
  int block_size = MAXBLOCKSIZE, grid_size = (Size / block_size) + (!(Size % block_size) ? 0 : 1);
  dim3 dimBlock(block_size), dimGrid(grid_size);
  int blockSize2d = BLOCK_SIZE_XY, gridSize2d = (Size / blockSize2d) + (!(Size % blockSize2d ? 0 : 1));
  dim3 dimBlockXY(blockSize2d, blockSize2d), dimGridXY(gridSize2d + 1, gridSize2d + 1);
  for (int t = 0; t < (Size - 1); t++) {
    Fan1<<<dimGrid, dimBlock>>>(m_cuda, a_cuda, Size, t);
    cudaThreadSynchronize();
    Fan2<<<dimGridXY, dimBlockXY>>>(m_cuda, a_cuda, b_cuda, Size, Size - t, t);
    cudaThreadSynchronize();
    cudaError_t err = cudaGetLastError();
    if (cudaSuccess != err) {
      fprintf(stderr, "Cuda error: %s: %s.\n", "Fan2", cudaGetErrorString(err));
      exit(EXIT_FAILURE);
    }
  }
  cudaMemcpy(a, a_cuda, Size * Size * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(b, b_cuda, Size * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(m_cuda);
  cudaFree(a_cuda);
  cudaFree(b_cuda);
}
void BackSub() {
  finalVec = (float *)malloc(Size * sizeof(float));
  for (int i = 0; i < Size; i++) {
    finalVec[Size - i - 1] = b[Size - i - 1];
    for (int j = 0; j < i; j++)
      finalVec[Size - i - 1] -= *(a + Size * (Size - i - 1) + (Size - j - 1)) * finalVec[Size - j - 1];
    finalVec[Size - i - 1] = finalVec[Size - i - 1] / *(a + Size * (Size - i - 1) + (Size - i - 1));
  }
}
int main(int argc, char *argv[]) {
  int verbose = 1;
  Size = 64;
  for (int i = 1; i < argc; i++)
    if (argv[i][0] == '-')
      switch (argv[i][1]) {
      case 's': i++; Size = atoi(argv[i]); break;
      case 'q': verbose = 0; break;
      }
  if (verbose)
    PrintDeviceProperties();
  a = (float *)malloc(Size * Size * sizeof(float));
  create_matrix(a, Size);
  float *kept = (float *)malloc(Size * Size * sizeof(float));
  memcpy(kept, a, Size * Size * sizeof(float));
  b = (float *)malloc(Size * sizeof(float));
  for (int j = 0; j < Size; j++)
    b[j] = 1.0;
  m = (float *)calloc(Size * Size, sizeof(float));
  ForwardSub();
  BackSub();
  float worst = 0;
  for (int i = 0; i < Size; i++) {
    float sum = 0;
    for (int j = 0; j < Size; j++)
      sum += kept[i * Size + j] * finalVec[j];
    worst = fmaxf(worst, fabsf(sum - 1));
  }
  printf("residual %g\n", worst);
  return worst > 1e-3;
}
