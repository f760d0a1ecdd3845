// Removes speckle from an image: two kernels for each step, statistics of a
// region on the host, clamped indices by arrays.
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <math.h>

#define BLOCK_SIZE 16

__global__ void srad_cuda_1(float *E_C, float *W_C, float *N_C, float *S_C, float *J_cuda, float *C_cuda, int cols,
                            int rows, float q0sqr) {
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int index = cols * BLOCK_SIZE * by + BLOCK_SIZE * bx + cols * ty + tx;
  int index_n = cols * BLOCK_SIZE * by + BLOCK_SIZE * bx + tx - cols;
  int index_s = cols * BLOCK_SIZE * by + BLOCK_SIZE * bx + cols * BLOCK_SIZE + tx;
  int index_w = cols * BLOCK_SIZE * by + BLOCK_SIZE * bx + cols * ty - 1;
  int index_e = cols * BLOCK_SIZE * by + BLOCK_SIZE * bx + cols * ty + BLOCK_SIZE;
  float n, w, e, s, jc, g2, l, num, den, qsqr, c;
  __shared__ float temp[BLOCK_SIZE][BLOCK_SIZE];
  __shared__ float north[BLOCK_SIZE][BLOCK_SIZE], south[BLOCK_SIZE][BLOCK_SIZE];
  __shared__ float east[BLOCK_SIZE][BLOCK_SIZE], west[BLOCK_SIZE][BLOCK_SIZE];
  temp[ty][tx] = J_cuda[index];
  north[ty][tx] = by == 0 ? J_cuda[BLOCK_SIZE * bx + tx] : J_cuda[index_n];
  south[ty][tx] = by == gridDim.y - 1 ? J_cuda[cols * BLOCK_SIZE * (gridDim.y - 1) + BLOCK_SIZE * bx + cols * (BLOCK_SIZE - 1) + tx] : J_cuda[index_s];
  west[ty][tx] = bx == 0 ? J_cuda[cols * BLOCK_SIZE * by + cols * ty] : J_cuda[index_w];
  east[ty][tx] = bx == gridDim.x - 1 ? J_cuda[cols * BLOCK_SIZE * by + BLOCK_SIZE * (gridDim.x - 1) + cols * ty + BLOCK_SIZE - 1] : J_cuda[index_e];
  __syncthreads();
  jc = temp[ty][tx];
  n = (ty == 0 ? north[ty][tx] : temp[ty - 1][tx]) - jc;
  s = (ty == BLOCK_SIZE - 1 ? south[ty][tx] : temp[ty + 1][tx]) - jc;
  w = (tx == 0 ? west[ty][tx] : temp[ty][tx - 1]) - jc;
  e = (tx == BLOCK_SIZE - 1 ? east[ty][tx] : temp[ty][tx + 1]) - jc;
  g2 = (n * n + s * s + w * w + e * e) / (jc * jc);
  l = (n + s + w + e) / jc;
  num = (0.5 * g2) - ((1.0 / 16.0) * (l * l));
  den = 1 + (.25 * l);
  qsqr = num / (den * den);
  den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
  c = 1.0 / (1.0 + den);
  C_cuda[index] = c < 0 ? 0 : c > 1 ? 1 : c;
  E_C[index] = e, W_C[index] = w, S_C[index] = s, N_C[index] = n;
}

__global__ void srad_cuda_2(float *E_C, float *W_C, float *N_C, float *S_C, float *J_cuda, float *C_cuda, int cols,
                            int rows, float lambda, float q0sqr) {
  int x = blockIdx.x * BLOCK_SIZE + threadIdx.x, y = blockIdx.y * BLOCK_SIZE + threadIdx.y, index = y * cols + x;
  float cc = C_cuda[index], cn = cc, cw = cc;
  float cs = y == rows - 1 ? cc : C_cuda[index + cols], ce = x == cols - 1 ? cc : C_cuda[index + 1];
  float d_sum = cn * N_C[index] + cs * S_C[index] + cw * W_C[index] + ce * E_C[index];
  J_cuda[index] = J_cuda[index] + 0.25 * lambda * d_sum;
}

static float *random_matrix(int n) {
  float *I = (float *)malloc(n * sizeof(float));
  srand(7);
  for (int i = 0; i < n; i++)
    I[i] = expf(rand() / (float)RAND_MAX);
  return I;
}
static float q0(const float *J, int cols, int r1, int r2, int c1, int c2) {
  float sum = 0, sum2 = 0;
  int size_R = (r2 - r1 + 1) * (c2 - c1 + 1);
  for (int i = r1; i <= r2; i++)
    for (int j = c1; j <= c2; j++) {
      float tmp = J[i * cols + j];
      sum += tmp, sum2 += tmp * tmp;
    }
  float meanROI = sum / size_R, varROI = (sum2 / size_R) - meanROI * meanROI;
  return varROI / (meanROI * meanROI);
}

int main(int argc, char *argv[]) {
  int rows = 64, cols = 80, niter = 3, size = rows * cols;
  float lambda = 0.5f, *J = random_matrix(size), *ref = (float *)malloc(size * sizeof(float)), *d[6];
  memcpy(ref, J, size * sizeof(float));
  for (int i = 0; i < 6; i++)
    cudaMalloc((void **)&d[i], sizeof(float) * size);
  float *J_cuda = d[0], *C_cuda = d[1], *E_C = d[2], *W_C = d[3], *S_C = d[4], *N_C = d[5];
  for (int iter = 0; iter < niter; iter++) {
    float q0sqr = q0(J, cols, 0, 20, 0, 20);
    dim3 dimBlock(BLOCK_SIZE, BLOCK_SIZE), dimGrid(cols / BLOCK_SIZE, rows / BLOCK_SIZE);
    cudaMemcpy(J_cuda, J, sizeof(float) * size, cudaMemcpyHostToDevice);
    srad_cuda_1<<<dimGrid, dimBlock>>>(E_C, W_C, N_C, S_C, J_cuda, C_cuda, cols, rows, q0sqr);
    srad_cuda_2<<<dimGrid, dimBlock>>>(E_C, W_C, N_C, S_C, J_cuda, C_cuda, cols, rows, lambda, q0sqr);
    cudaMemcpy(J, J_cuda, sizeof(float) * size, cudaMemcpyDeviceToHost);

    float q = q0(ref, cols, 0, 20, 0, 20), *c = (float *)malloc(size * sizeof(float)), (*dir)[4] = (float(*)[4])malloc(size * 16);
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < cols; j++) {
        int k = i * cols + j;
        float jc = ref[k], *v = dir[k];
        v[0] = ref[(i ? i - 1 : 0) * cols + j] - jc, v[1] = ref[(i < rows - 1 ? i + 1 : i) * cols + j] - jc;
        v[2] = ref[i * cols + (j ? j - 1 : 0)] - jc, v[3] = ref[i * cols + (j < cols - 1 ? j + 1 : j)] - jc;
        float g2 = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) / (jc * jc), l = (v[0] + v[1] + v[2] + v[3]) / jc;
        float num = 0.5 * g2 - 1.0 / 16.0 * (l * l), den = 1 + .25 * l, qs = num / (den * den);
        den = (qs - q) / (q * (1 + q));
        c[k] = 1.0 / (1.0 + den);
        c[k] = c[k] < 0 ? 0 : c[k] > 1 ? 1 : c[k];
      }
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < cols; j++) {
        int k = i * cols + j;
        float cs = i < rows - 1 ? c[k + cols] : c[k], ce = j < cols - 1 ? c[k + 1] : c[k];
        ref[k] += 0.25 * lambda * (c[k] * dir[k][0] + cs * dir[k][1] + c[k] * dir[k][2] + ce * dir[k][3]);
      }
    free(c), free(dir);
  }
  double worst = 0;
  for (int i = 0; i < size; i++)
    worst = fmax(worst, fabs(J[i] - ref[i]));
  printf("worst %g: Computation %s\n", worst, worst < 1e-4 ? "PASSED" : "FAILED");
  for (int i = 0; i < 6; i++)
    cudaFree(d[i]);
  free(J), free(ref);
  return !(worst < 1e-4);
}
