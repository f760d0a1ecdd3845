/* Linear algebra in the manner of polyhedral suites: atax, bicg, gesummv, mvt, two matrix products, covariance; sizes and types by macros. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#ifndef NX
#define NX 256
#define NY 224
#endif
#define DIM_THREAD_BLOCK_X 256
#define DIM_THREAD_BLOCK_Y 1
#define PERCENT_DIFF_ERROR_THRESHOLD 0.5
#define SMALL_FLOAT_VAL 0.00000001f

/* Can switch DATA_TYPE between float and double */
typedef float DATA_TYPE;

double rtclock() {
  struct timezone Tzp;
  struct timeval Tp;
  int stat = gettimeofday(&Tp, &Tzp);
  if (stat != 0)
    printf("Error return from gettimeofday: %d", stat);
  return (Tp.tv_sec + Tp.tv_usec * 1.0e-6);
}
float absVal(float a) { return a < 0 ? a * -1 : a; }
float percentDiff(double val1, double val2) {
  if ((absVal(val1) < 0.01) && (absVal(val2) < 0.01))
    return 0.0f;
  return 100.0f * (absVal(absVal(val1 - val2) / absVal(val1 + SMALL_FLOAT_VAL)));
}

__global__ void atax_kernel1(DATA_TYPE *A, DATA_TYPE *x, DATA_TYPE *tmp) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < NX) {
    int j;
    for (j = 0; j < NY; j++)
      tmp[i] += A[i * NY + j] * x[j];
  }
}
__global__ void atax_kernel2(DATA_TYPE *A, DATA_TYPE *y, DATA_TYPE *tmp) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < NY) {
    int i;
    for (i = 0; i < NX; i++)
      y[j] += A[i * NY + j] * tmp[i];
  }
}
__global__ void gesummv_kernel(DATA_TYPE *a, DATA_TYPE *b, DATA_TYPE *x, DATA_TYPE *y, DATA_TYPE *tmp, DATA_TYPE alpha, DATA_TYPE beta) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < NX) {
    for (int j = 0; j < NX; j++) {
      tmp[i] += a[i * NX + j] * x[j];
      y[i] += b[i * NX + j] * x[j];
    }
    y[i] = alpha * tmp[i] + beta * y[i];
  }
}
__global__ void mm2_kernel(DATA_TYPE *A, DATA_TYPE *B, DATA_TYPE *C, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if ((i < n) && (j < n)) {
    C[i * n + j] = 0;
    for (int k = 0; k < n; k++)
      C[i * n + j] += A[i * n + k] * B[k * n + j];
  }
}
__global__ void mean_kernel(DATA_TYPE *mean, DATA_TYPE *data, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if ((j >= 1) && (j < (n + 1))) {
    mean[j] = 0.0;
    for (int i = 1; i < (n + 1); i++)
      mean[j] += data[i * (n + 1) + j];
    mean[j] /= (DATA_TYPE)n;
  }
}
__global__ void reduce_kernel(DATA_TYPE *mean, DATA_TYPE *data, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if ((i >= 1) && (i < (n + 1)) && (j >= 1) && (j < (n + 1)))
    data[i * (n + 1) + j] -= mean[j];
}
__global__ void covar_kernel(DATA_TYPE *symmat, DATA_TYPE *data, int n) {
  int j1 = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if ((j1 >= 1) && (j1 < (n + 1)))
    for (int j2 = j1; j2 < (n + 1); j2++) {
      symmat[j1 * (n + 1) + j2] = 0.0;
      for (int i = 1; i < (n + 1); i++)
        symmat[j1 * (n + 1) + j2] += data[i * (n + 1) + j1] * data[i * (n + 1) + j2];
      symmat[j2 * (n + 1) + j1] = symmat[j1 * (n + 1) + j2];
    }
}

int fail;
void compareResults(const char *what, DATA_TYPE *a, double b) {
  if (percentDiff(b, *a) > PERCENT_DIFF_ERROR_THRESHOLD) {
    if (fail++ < 5)
      printf("%s: %g against %g\n", what, *a, b);
  }
}

int main() {
  const int N = 65;
  DATA_TYPE *A = (DATA_TYPE *)malloc(NX * NX * sizeof(DATA_TYPE)), *x = (DATA_TYPE *)malloc(NX * sizeof(DATA_TYPE));
  DATA_TYPE *out = (DATA_TYPE *)malloc(NX * NX * sizeof(DATA_TYPE));
  for (int i = 0; i < NX; i++) {
    x[i] = i * M_PI / NX;
    for (int j = 0; j < NX; j++)
      A[i * NX + j] = ((DATA_TYPE)i * (j + 1)) / NX + (i * 7 + j * 3) % 11;
  }
  DATA_TYPE *A_gpu, *x_gpu, *y_gpu, *tmp_gpu, *C_gpu;
  cudaMalloc((void **)&A_gpu, sizeof(DATA_TYPE) * NX * NX);
  cudaMalloc((void **)&C_gpu, sizeof(DATA_TYPE) * NX * NX);
  cudaMalloc((void **)&x_gpu, sizeof(DATA_TYPE) * NX);
  cudaMalloc((void **)&y_gpu, sizeof(DATA_TYPE) * NX);
  cudaMalloc((void **)&tmp_gpu, sizeof(DATA_TYPE) * NX);
  cudaMemcpy(A_gpu, A, sizeof(DATA_TYPE) * NX * NX, cudaMemcpyHostToDevice);
  cudaMemcpy(x_gpu, x, sizeof(DATA_TYPE) * NX, cudaMemcpyHostToDevice);
  dim3 block(DIM_THREAD_BLOCK_X, DIM_THREAD_BLOCK_Y);
  dim3 grid1((size_t)(ceil(((float)NX) / ((float)block.x))), 1);
  double t_start = rtclock();
  cudaMemset(y_gpu, 0, sizeof(DATA_TYPE) * NX);
  cudaMemset(tmp_gpu, 0, sizeof(DATA_TYPE) * NX);
  atax_kernel1<<<grid1, block>>>(A_gpu, x_gpu, tmp_gpu);
  cudaThreadSynchronize();
  atax_kernel2<<<grid1, block>>>(A_gpu, y_gpu, tmp_gpu);
  cudaThreadSynchronize();
  cudaMemcpy(out, y_gpu, sizeof(DATA_TYPE) * NY, cudaMemcpyDeviceToHost);
  for (int j = 0; j < NY; j++) {
    double y = 0;
    for (int i = 0; i < NX; i++) {
      double t = 0;
      for (int k = 0; k < NY; k++)
        t += A[i * NY + k] * x[k];
      y += A[i * NY + j] * t;
    }
    compareResults("atax", &out[j], y);
    if (j > 16)
      break;
  }
  cudaMemset(y_gpu, 0, sizeof(DATA_TYPE) * NX);
  cudaMemset(tmp_gpu, 0, sizeof(DATA_TYPE) * NX);
  gesummv_kernel<<<grid1, block>>>(A_gpu, A_gpu, x_gpu, y_gpu, tmp_gpu, 2.0f, 0.5f);
  cudaMemcpy(out, y_gpu, sizeof(DATA_TYPE) * NX, cudaMemcpyDeviceToHost);
  for (int i = 0; i < NX; i++) {
    double t = 0;
    for (int k = 0; k < NX; k++)
      t += A[i * NX + k] * x[k];
    compareResults("gesummv", &out[i], 2.5 * t);
  }
  dim3 block2(32, 8), grid2((N + 31) / 32, (N + 7) / 8);
  mm2_kernel<<<grid2, block2>>>(A_gpu, A_gpu, C_gpu, N);
  cudaMemcpy(out, C_gpu, sizeof(DATA_TYPE) * N * N, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double t = 0;
      for (int k = 0; k < N; k++)
        t += A[i * N + k] * A[k * N + j];
      compareResults("2mm", &out[i * N + j], t);
    }
  const int M = N - 1;
  mean_kernel<<<1, 256>>>(y_gpu, A_gpu, M);
  reduce_kernel<<<grid2, block2>>>(y_gpu, A_gpu, M);
  covar_kernel<<<1, 256>>>(C_gpu, A_gpu, M);
  cudaMemcpy(out, C_gpu, sizeof(DATA_TYPE) * N * N, cudaMemcpyDeviceToHost);
  for (int a = 1; a <= M; a += 7)
    for (int b = a; b <= M; b += 5) {
      double ma = 0, mb = 0, c = 0;
      for (int i = 1; i <= M; i++)
        ma += A[i * N + a], mb += A[i * N + b];
      for (int i = 1; i <= M; i++)
        c += (A[i * N + a] - ma / M) * (A[i * N + b] - mb / M);
      if (fabs(out[a * N + b] - c) > 1e-2 * fabs(c) + 5)
        fail++, printf("covariance: %g against %g\n", out[a * N + b], c);
    }
  fprintf(stdout, "GPU Runtime: %0.6lfs\n", rtclock() - t_start);
  printf("Non-Matching CPU-GPU Outputs Beyond Error Threshold of %4.2f Percent: %d\n", PERCENT_DIFF_ERROR_THRESHOLD, fail);
  return fail != 0;
}
