/* A particle filter: likelihoods, weights normalised over blocks, a cumulative sum, systematic resampling by searches; uniform and normal numbers of a linear congruential generator. */
#include <fcntl.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#define PI 3.1415926535897932
#define THREADS 128
const int threads_per_block = THREADS;
__constant__ int M_lcg[1] = {INT_MAX}, A_lcg = 1103515245, C_lcg = 12345;
void check_error(cudaError e) { if (e != cudaSuccess) { printf("\nCUDA error: %s\n", cudaGetErrorString(e)); exit(1); } }
__host__ __device__ double lcg(int *seed, int index, int A, int C, int M) { int num = (int)((unsigned)A * (unsigned)seed[index] + (unsigned)C); seed[index] = num % M; return fabs(seed[index] / ((double)M)); }
__host__ __device__ double normal(int *seed, int index, int A, int C, int M) { double u = lcg(seed, index, A, C, M), v = lcg(seed, index, A, C, M); return sqrt(-2 * log(u > 0 ? u : DBL_MIN)) * cos(2 * PI * v); }
__global__ void likelihood_kernel(double *arrayX, double *arrayY, double *xj, double *yj, double *weights, int *seed, double zx, double zy, int N, double *partial_sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ double buffer[THREADS];
  buffer[threadIdx.x] = 0.0;
  if (i < N) {
    arrayX[i] = xj[i] + 1.0 + 5.0 * normal(seed, i, A_lcg, C_lcg, M_lcg[0]);
    arrayY[i] = yj[i] - 2.0 + 2.0 * normal(seed, i, A_lcg, C_lcg, M_lcg[0]);
    double dx = arrayX[i] - zx, dy = arrayY[i] - zy;
    weights[i] = weights[i] * exp(-(dx * dx + dy * dy) / 50.0);
    buffer[threadIdx.x] = weights[i];
  }
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) buffer[threadIdx.x] += buffer[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial_sums[blockIdx.x] = buffer[0];
}
__global__ void sum_kernel(double *partial_sums, int blocks) {
  if (blockIdx.x * blockDim.x + threadIdx.x == 0) {
    double sum = 0.0;
    for (int x = 0; x < blocks; x++) sum += partial_sums[x];
    partial_sums[0] = sum;
  }
}
__device__ void cdfCalc(double *CDF, double *weights, int N) { CDF[0] = weights[0]; for (int x = 1; x < N; x++) CDF[x] = weights[x] + CDF[x - 1]; }
__global__ void normalize_weights_kernel(double *weights, int N, double *partial_sums, double *CDF, double *u, double start) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ double sumWeights;
  if (0 == threadIdx.x) sumWeights = partial_sums[0];
  __syncthreads();
  if (i < N) weights[i] = weights[i] / sumWeights, u[i] = start / N + i / ((double)(N));
}
__global__ void cdf_kernel(double *CDF, double *weights, int N) { if (threadIdx.x + blockIdx.x == 0) cdfCalc(CDF, weights, N); }
__global__ void find_index_kernel(double *arrayX, double *arrayY, double *CDF, double *u, double *xj, double *yj, double *weights, int N) {
  int i = blockDim.x * blockIdx.x + threadIdx.x, index = -1, x;
  if (i >= N) return;
  for (x = 0; x < N; x++) if (CDF[x] >= u[i]) { index = x; break; }
  if (index == -1) index = N - 1;
  xj[i] = arrayX[index], yj[i] = arrayY[index], weights[i] = 1 / ((double)N);
}
int main(int argc, char *argv[]) {
  int N = 500, frames = 4, num_blocks = (N + threads_per_block - 1) / threads_per_block, *seed = (int *)malloc(N * sizeof(int)), *d_seed, wrong = 0;
  double *d[8], *x = (double *)malloc(N * 8), *y = (double *)malloc(N * 8), *w = (double *)malloc(N * 8), *ax = (double *)malloc(N * 8), *ay = (double *)malloc(N * 8), *cdf = (double *)malloc(N * 8), *gx = (double *)malloc(N * 8);
  for (int i = 0; i < 8; i++) check_error(cudaMalloc((void **)&d[i], N * sizeof(double)));
  check_error(cudaMalloc((void **)&d_seed, N * sizeof(int)));
  for (int i = 0; i < N; i++) seed[i] = 1000 * i + 17, x[i] = 30, y[i] = 40, w[i] = 1.0 / N;
  double *arrayX = d[0], *arrayY = d[1], *xj = d[2], *yj = d[3], *weights = d[4], *CDF = d[5], *u = d[6], *partial = d[7];
  check_error(cudaMemcpy(xj, x, N * 8, cudaMemcpyHostToDevice)); check_error(cudaMemcpy(yj, y, N * 8, cudaMemcpyHostToDevice)); check_error(cudaMemcpy(weights, w, N * 8, cudaMemcpyHostToDevice)); check_error(cudaMemcpy(d_seed, seed, N * 4, cudaMemcpyHostToDevice));
  for (int k = 1; k < frames; k++) {
    double zx = 30 + k, zy = 40 - 2 * k, sum = 0;
    likelihood_kernel<<<num_blocks, threads_per_block>>>(arrayX, arrayY, xj, yj, weights, d_seed, zx, zy, N, partial);
    sum_kernel<<<num_blocks, threads_per_block>>>(partial, num_blocks);
    normalize_weights_kernel<<<num_blocks, threads_per_block>>>(weights, N, partial, CDF, u, 0.5);
    cdf_kernel<<<1, 1>>>(CDF, weights, N);
    find_index_kernel<<<num_blocks, threads_per_block>>>(arrayX, arrayY, CDF, u, xj, yj, weights, N);
    for (int i = 0; i < N; i++) { ax[i] = x[i] + 1.0 + 5.0 * normal(seed, i, 1103515245, 12345, INT_MAX); ay[i] = y[i] - 2.0 + 2.0 * normal(seed, i, 1103515245, 12345, INT_MAX); w[i] *= exp(-((ax[i] - zx) * (ax[i] - zx) + (ay[i] - zy) * (ay[i] - zy)) / 50); sum += w[i]; }
    for (int i = 0; i < N; i++) cdf[i] = w[i] / sum + (i ? cdf[i - 1] : 0);
    for (int i = 0; i < N; i++) { int at = 0; while (at < N - 1 && cdf[at] < 0.5 / N + i / (double)N) at++; x[i] = ax[at], y[i] = ay[at], w[i] = 1.0 / N; }
  }
  cudaThreadSynchronize();
  check_error(cudaMemcpy(gx, xj, N * 8, cudaMemcpyDeviceToHost));
  double mean = 0, want = 0;
  for (int i = 0; i < N; i++) mean += gx[i] / N, want += x[i] / N, wrong += fabs(gx[i] - x[i]) > 1e-6;
  printf("XE: %lf, host %lf, %d differ\n", mean, want, wrong);
  return wrong > N / 50 || fabs(mean - want) > 0.05;
}
