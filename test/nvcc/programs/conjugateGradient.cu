// A conjugate gradient solver in one cooperative launch: barriers of the grid
// between its steps, dot products by tiles and atomics.
#include <stdio.h>
#include <stdlib.h>
#include <cooperative_groups.h>
#include <helper_check.h>

namespace cg = cooperative_groups;

__device__ double grid_dot_result = 0.0;

void genTridiag(int *I, int *J, float *val, int N, int nz) {
  I[0] = 0, J[0] = 0, J[1] = 1;
  val[0] = rand() / (float)RAND_MAX + 10.0f;
  val[1] = rand() / (float)RAND_MAX;
  for (int i = 1; i < N; i++) {
    int start = i > 1 ? I[i] : 2;
    I[i] = start;
    J[start] = i - 1, J[start + 1] = i;
    val[start] = val[start - 1];
    val[start + 1] = rand() / (float)RAND_MAX + 10.0f;
    if (i < N - 1) {
      J[start + 2] = i + 1;
      val[start + 2] = rand() / (float)RAND_MAX;
    }
    I[i + 1] = start + (i < N - 1 ? 3 : 2);
  }
}

__device__ void gpuSpMV(int *I, int *J, float *val, int nnz, int num_rows, float alpha, float *inputVecX,
                        float *outputVecY, cg::thread_block &cta, const cg::grid_group &grid) {
  for (int i = grid.thread_rank(); i < num_rows; i += grid.size()) {
    int row_elem = I[i], next_row_elem = I[i + 1];
    float output = 0.0;
    for (int j = 0; j < next_row_elem - row_elem; j++)
      output += alpha * val[row_elem + j] * inputVecX[J[row_elem + j]];
    outputVecY[i] = output;
  }
}
__device__ void gpuSaxpy(float *x, float *y, float a, int size, const cg::grid_group &grid) {
  for (int i = grid.thread_rank(); i < size; i += grid.size())
    y[i] = a * x[i] + y[i];
}
__device__ void gpuDotProduct(float *vecA, float *vecB, int size, const cg::thread_block &cta,
                              const cg::grid_group &grid) {
  extern __shared__ double tmp[];
  double temp_sum = 0.0;
  for (int i = grid.thread_rank(); i < size; i += grid.size())
    temp_sum += static_cast<double>(vecA[i] * vecB[i]);
  cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
  for (int offset = tile32.size() / 2; offset > 0; offset >>= 1)
    temp_sum += tile32.shfl_down(temp_sum, offset);
  if (tile32.thread_rank() == 0)
    tmp[tile32.meta_group_rank()] = temp_sum;
  cg::sync(cta);
  if (tile32.meta_group_rank() == 0) {
    temp_sum = tile32.thread_rank() < tile32.meta_group_size() ? tmp[tile32.thread_rank()] : 0.0;
    for (int offset = tile32.size() / 2; offset > 0; offset >>= 1)
      temp_sum += tile32.shfl_down(temp_sum, offset);
    if (tile32.thread_rank() == 0)
      atomicAdd(&grid_dot_result, temp_sum);
  }
}
__device__ double dot(float *a, float *b, int n, const cg::thread_block &cta, const cg::grid_group &grid) {
  if (threadIdx.x == 0 && blockIdx.x == 0)
    grid_dot_result = 0.0;
  cg::sync(grid);
  gpuDotProduct(a, b, n, cta, grid);
  cg::sync(grid);
  double result = grid_dot_result;
  cg::sync(grid);
  return result;
}

extern "C" __global__ void gpuConjugateGradient(int *I, int *J, float *val, float *x, float *Ax, float *p, float *r,
                                                int nnz, int N, float tol) {
  cg::thread_block cta = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  int max_iter = 1000;
  gpuSpMV(I, J, val, nnz, N, 1.0f, x, Ax, cta, grid);
  cg::sync(grid);
  gpuSaxpy(Ax, r, -1.0f, N, grid);
  cg::sync(grid);
  float r0 = 0.0, r1 = dot(r, r, N, cta, grid);
  for (int k = 1; r1 > tol * tol && k <= max_iter; k++) {
    float b = k > 1 ? r1 / r0 : 0.0f;
    for (int i = grid.thread_rank(); i < N; i += grid.size())
      p[i] = r[i] + b * (k > 1 ? p[i] : 0.0f);
    cg::sync(grid);
    gpuSpMV(I, J, val, nnz, N, 1.0f, p, Ax, cta, grid);
    cg::sync(grid);
    float a = r1 / (float)dot(p, Ax, N, cta, grid);
    gpuSaxpy(p, x, a, N, grid);
    gpuSaxpy(Ax, r, -a, N, grid);
    r0 = r1;
    cg::sync(grid);
    r1 = dot(r, r, N, cta, grid);
  }
}

int main(int argc, char **argv) {
  int N = 2048, nz = (N - 2) * 3 + 4, *I, *J;
  float *val, *x, *rhs, *r, *p, *Ax;
  const float tol = 1e-4f;
  cudaDeviceProp deviceProp;
  checkCudaErrors(cudaGetDeviceProperties(&deviceProp, 0));
  if (!deviceProp.managedMemory || !deviceProp.cooperativeLaunch) {
    fprintf(stderr, "Unified Memory or cooperative launches not supported on this device\n");
    exit(2);
  }
  cudaMallocManaged((void **)&I, sizeof(int) * (N + 1));
  cudaMallocManaged((void **)&J, sizeof(int) * nz);
  cudaMallocManaged((void **)&val, sizeof(float) * nz);
  cudaMallocManaged((void **)&x, sizeof(float) * N);
  cudaMallocManaged((void **)&rhs, sizeof(float) * N);
  cudaMallocManaged((void **)&r, N * sizeof(float));
  cudaMallocManaged((void **)&p, N * sizeof(float));
  cudaMallocManaged((void **)&Ax, N * sizeof(float));
  genTridiag(I, J, val, N, nz);
  for (int i = 0; i < N; i++) {
    r[i] = rhs[i] = 1.0;
    x[i] = 0.0;
  }
  void *kernelArgs[] = {(void *)&I, (void *)&J, (void *)&val, (void *)&x, (void *)&Ax,
                        (void *)&p, (void *)&r, (void *)&nz,  (void *)&N, (void *)&tol};
  int numBlocksPerSm = 0, numThreads = 128, sMemSize = sizeof(double) * ((numThreads / 32) + 1);
  checkCudaErrors(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numBlocksPerSm, gpuConjugateGradient, numThreads, sMemSize));
  int numBlocks = MIN(4, numBlocksPerSm * deviceProp.multiProcessorCount);
  dim3 dimGrid(numBlocks, 1, 1), dimBlock(numThreads, 1, 1);
  checkCudaErrors(cudaLaunchCooperativeKernel((void *)gpuConjugateGradient, dimGrid, dimBlock, kernelArgs, sMemSize, NULL));
  checkCudaErrors(cudaDeviceSynchronize());
  float err = 0.0;
  for (int i = 0; i < N; i++) {
    float rsum = 0.0;
    for (int j = I[i]; j < I[i + 1]; j++)
      rsum += val[j] * x[J[j]];
    err = fmaxf(err, fabs(rsum - rhs[i]));
  }
  printf("Test Summary:  Error amount = %f, %s\n", err, err < 1e-3 ? "passed" : "FAILED");
  cudaFree(I), cudaFree(J), cudaFree(val), cudaFree(x), cudaFree(rhs), cudaFree(r), cudaFree(p), cudaFree(Ax);
  return err < 1e-3 ? EXIT_SUCCESS : EXIT_FAILURE;
}
