// A layer of a neural network forward, reduced in shared memory by powers of two, and its weights adjusted.
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define WIDTH 16
#define HEIGHT 16
#define ETA 0.3f
#define MOMENTUM 0.3f
#define BIGRND 0x7fffffff
#define ABS(x) (((x) > 0.0) ? (x) : (-(x)))
__global__ void bpnn_layerforward_CUDA(float *input_cuda, float *output_hidden_cuda, float *input_hidden_cuda,
                                       float *hidden_partial_sum, int in, int hid) {
  int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int index = (hid + 1) * HEIGHT * by + (hid + 1) * ty + tx + 1 + (hid + 1);
  int index_in = HEIGHT * by + ty + 1;
  __shared__ float input_node[HEIGHT];
  __shared__ float weight_matrix[HEIGHT][WIDTH];
  if (tx == 0)
    input_node[ty] = input_cuda[index_in];
  __syncthreads();
  weight_matrix[ty][tx] = input_hidden_cuda[index];
  __syncthreads();
  weight_matrix[ty][tx] = weight_matrix[ty][tx] * input_node[ty];
  __syncthreads();
  for (int i = 1; i <= __log2f(HEIGHT); i++) {
    int power_two = __powf(2, i);
    if (ty % power_two == 0)
      weight_matrix[ty][tx] = weight_matrix[ty][tx] + weight_matrix[ty + power_two / 2][tx];
    __syncthreads();
  }
  input_hidden_cuda[index] = weight_matrix[ty][tx];
  __syncthreads();
  if (tx == 0)
    hidden_partial_sum[by * hid + ty] = weight_matrix[tx][ty];
}
__global__ void bpnn_adjust_weights_cuda(float *delta, int hid, float *ly, int in, float *w, float *oldw) {
  int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int index = (hid + 1) * HEIGHT * by + (hid + 1) * ty + tx + 1 + (hid + 1);
  int index_y = HEIGHT * by + ty + 1, index_x = tx + 1;
  w[index] += ((ETA * delta[index_x] * ly[index_y]) + (MOMENTUM * oldw[index]));
  oldw[index] = ((ETA * delta[index_x] * ly[index_y]) + (MOMENTUM * oldw[index]));
  __syncthreads();
  if (ty == 0 && by == 0) {
    w[index_x] += ((ETA * delta[index_x]) + (MOMENTUM * oldw[index_x]));
    oldw[index_x] = ((ETA * delta[index_x]) + (MOMENTUM * oldw[index_x]));
  }
}
float drnd() { return (float)(rand() / (float)BIGRND); }
int main(int argc, char **argv) {
  int in = argc == 2 ? atoi(argv[1]) : 1024, hid = 16, num_blocks = in / 16;
  if (in % 16 != 0) {
    fprintf(stderr, "The number of input points must be divisible by 16\n");
    exit(0);
  }
  srand(7);
  size_t W = (size_t)(in + 1) * (hid + 1);
  float *input = (float *)malloc((in + 1) * sizeof(float)), *w = (float *)malloc(W * sizeof(float)), *back = (float *)malloc(W * sizeof(float));
  float *partial_sum = (float *)malloc(num_blocks * WIDTH * sizeof(float)), delta[17];
  for (int i = 0; i <= in; i++) input[i] = drnd();
  for (size_t i = 0; i < W; i++) w[i] = drnd();
  for (int i = 0; i <= hid; i++) delta[i] = 0.01f * i;
  input[0] = 1;
  float *input_cuda, *w_cuda, *w2_cuda, *old_cuda, *partial_cuda, *delta_cuda, *out_cuda = NULL;
  cudaMalloc((void **)&input_cuda, (in + 1) * sizeof(float));
  cudaMalloc((void **)&w_cuda, W * sizeof(float));
  cudaMalloc((void **)&w2_cuda, W * sizeof(float));
  cudaMalloc((void **)&old_cuda, W * sizeof(float));
  cudaMalloc((void **)&partial_cuda, num_blocks * WIDTH * sizeof(float));
  cudaMalloc((void **)&delta_cuda, 17 * sizeof(float));
  cudaMemcpy(input_cuda, input, (in + 1) * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(w_cuda, w, W * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(w2_cuda, w, W * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(old_cuda, 0, W * sizeof(float));
  cudaMemcpy(delta_cuda, delta, sizeof(delta), cudaMemcpyHostToDevice);
  dim3 grid(1, num_blocks), threads(16, 16);
  bpnn_layerforward_CUDA<<<grid, threads>>>(input_cuda, out_cuda, w_cuda, partial_cuda, in, hid);
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {
    printf("bpnn kernel error: %s\n", cudaGetErrorString(error));
    exit(EXIT_FAILURE);
  }
  cudaMemcpy(partial_sum, partial_cuda, num_blocks * WIDTH * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int j = 1; j <= hid; j++) {
    float sum = 0.0, want = 0.0;
    for (int k = 0; k < num_blocks; k++) sum += partial_sum[k * hid + j - 1];
    for (int k = 1; k <= in; k++) want += w[k * (hid + 1) + j] * input[k];
    if (ABS(sum - want) > 1e-3 * want) printf("hidden %d: %f, not %f\n", j, sum, want), wrong++;
  }
  for (int times = 0; times < 2; times++)
    bpnn_adjust_weights_cuda<<<grid, threads>>>(delta_cuda, hid, input_cuda, in, w2_cuda, old_cuda);
  cudaMemcpy(back, w2_cuda, W * sizeof(float), cudaMemcpyDeviceToHost);
  for (int k = 0; k <= in; k++)
    for (int j = 1; j <= hid; j++) {
      float d = ETA * delta[j] * input[k], want = w[k * (hid + 1) + j] + d + (d + MOMENTUM * d);
      if (ABS(back[k * (hid + 1) + j] - want) > 1e-4 && wrong++ < 5) printf("weight %d %d: %f, not %f\n", k, j, back[k * (hid + 1) + j], want);
    }
  printf(wrong ? "FAILED\n" : "Training done\n");
  return wrong != 0;
}
