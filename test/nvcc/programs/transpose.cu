// Transposition by the textbook's steps, with occupancy asked for and dynamic
// shared memory beyond 48 KB.
#include <stdio.h>
#include <helper_check.h>

#define TILE_DIM 32
#define BLOCK_ROWS 8

__global__ void copySharedMem(float *odata, const float *idata) {
  __shared__ float tile[TILE_DIM * TILE_DIM];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  int width = gridDim.x * TILE_DIM;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    tile[(threadIdx.y + j) * TILE_DIM + threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    odata[(y + j) * width + x] = tile[(threadIdx.y + j) * TILE_DIM + threadIdx.x];
}
__global__ void transposeNaive(float *odata, const float *idata) {
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  int width = gridDim.x * TILE_DIM;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    odata[x * width + (y + j)] = idata[(y + j) * width + x];
}
__global__ void transposeNoBankConflicts(float *odata, const float *idata) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  int width = gridDim.x * TILE_DIM;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    odata[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}
__global__ void transposeDiagonal(float *odata, const float *idata) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int blockIdx_y = blockIdx.x;
  int blockIdx_x = (blockIdx.x + blockIdx.y) % gridDim.x;
  int width = gridDim.x * TILE_DIM;
  int x = blockIdx_x * TILE_DIM + threadIdx.x, y = blockIdx_y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx_y * TILE_DIM + threadIdx.x;
  y = blockIdx_x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    odata[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}
// A whole stripe of rows at once.
__global__ void transposeStripe(float *odata, const float *idata, int n) {
  extern __shared__ float stripe[];
  for (int i = threadIdx.x; i < TILE_DIM * n; i += blockDim.x)
    stripe[i] = idata[blockIdx.x * TILE_DIM * n + i];
  __syncthreads();
  for (int i = threadIdx.x; i < TILE_DIM * n; i += blockDim.x)
    odata[(i / TILE_DIM) * n + blockIdx.x * TILE_DIM + i % TILE_DIM] = stripe[(i % TILE_DIM) * n + i / TILE_DIM];
}

int main(int argc, char **argv) {
  const int nx = 512, ny = 512, mem_size = nx * ny * sizeof(float);
  dim3 dimGrid(nx / TILE_DIM, ny / TILE_DIM, 1), dimBlock(TILE_DIM, BLOCK_ROWS, 1);
  float *h_idata = (float *)malloc(mem_size), *h_tdata = (float *)malloc(mem_size), *d_idata, *d_tdata;
  checkCudaErrors(cudaMalloc(&d_idata, mem_size));
  checkCudaErrors(cudaMalloc(&d_tdata, mem_size));
  for (int i = 0; i < nx * ny; i++)
    h_idata[i] = i;
  checkCudaErrors(cudaMemcpy(d_idata, h_idata, mem_size, cudaMemcpyHostToDevice));

  cudaEvent_t startEvent, stopEvent;
  checkCudaErrors(cudaEventCreate(&startEvent));
  checkCudaErrors(cudaEventCreate(&stopEvent));
  typedef void (*Kernel)(float *, const float *);
  const Kernel kernels[] = {copySharedMem, transposeNaive, transposeNoBankConflicts, transposeDiagonal};
  const char *names[] = {"shared memory copy", "naive transpose", "conflict-free transpose", "diagonal transpose"};
  bool ok = true;
  printf("%25s%25s\n", "Routine", "Bandwidth (GB/s)");
  for (int k = 0; k < 5; k++) {
    checkCudaErrors(cudaMemset(d_tdata, 0, mem_size));
    checkCudaErrors(cudaEventRecord(startEvent, 0));
    if (k < 4) {
      kernels[k]<<<dimGrid, dimBlock>>>(d_tdata, d_idata);
    } else {
      int minGridSize, blockSize, bytes = TILE_DIM * nx * sizeof(float);
      checkCudaErrors(cudaFuncSetAttribute(transposeStripe, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
      checkCudaErrors(cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, transposeStripe, bytes, 256));
      if (blockSize > 256) blockSize = 256;
      transposeStripe<<<ny / TILE_DIM, blockSize, bytes>>>(d_tdata, d_idata, nx);
    }
    checkCudaErrors(cudaGetLastError());
    checkCudaErrors(cudaEventRecord(stopEvent, 0));
    checkCudaErrors(cudaEventSynchronize(stopEvent));
    float ms;
    checkCudaErrors(cudaEventElapsedTime(&ms, startEvent, stopEvent));
    checkCudaErrors(cudaMemcpy(h_tdata, d_tdata, mem_size, cudaMemcpyDeviceToHost));
    for (int j = 0; j < ny && ok; j++)
      for (int i = 0; i < nx; i++)
        ok &= h_tdata[j * nx + i] == (k == 0 ? h_idata[j * nx + i] : h_idata[i * nx + j]);
    printf("%25s%20.2f%s\n", k < 4 ? names[k] : "stripe transpose", 2 * mem_size * 1e-6 / ms, ok ? "" : "  *** FAILED ***");
  }
  checkCudaErrors(cudaEventDestroy(startEvent));
  checkCudaErrors(cudaEventDestroy(stopEvent));
  cudaFree(d_tdata), cudaFree(d_idata), free(h_idata), free(h_tdata);
  return !ok;
}
