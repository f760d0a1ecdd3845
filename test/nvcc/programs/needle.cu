// Needleman-Wunsch: alignment of two sequences by diagonals of tiles.
#define LIMIT -999
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <math.h>
#include <sys/time.h>

#define BLOCK_SIZE 16

__device__ __host__ int maximum(int a, int b, int c) {
  int k;
  if (a <= b)
    k = b;
  else
    k = a;
  if (k <= c)
    return (c);
  else
    return (k);
}

#define TILE(step, index)                                                                                    \
  __shared__ int temp[BLOCK_SIZE + 1][BLOCK_SIZE + 1];                                                       \
  __shared__ int ref[BLOCK_SIZE][BLOCK_SIZE]

__device__ void needle_tile(int *referrence, int *matrix_cuda, int cols, int penalty, int b_index_x, int b_index_y) {
  TILE(0, 0);
  int tx = threadIdx.x;
  int index = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x + tx + (cols + 1);
  int index_n = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x + tx + (1);
  int index_w = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x + (cols);
  int index_nw = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x;

  if (tx == 0)
    temp[tx][0] = matrix_cuda[index_nw];
  for (int ty = 0; ty < BLOCK_SIZE; ty++)
    ref[ty][tx] = referrence[index + cols * ty];
  __syncthreads();
  temp[tx + 1][0] = matrix_cuda[index_w + cols * tx];
  __syncthreads();
  temp[0][tx + 1] = matrix_cuda[index_n];
  __syncthreads();
  for (int m = 0; m < BLOCK_SIZE; m++) {
    if (tx <= m) {
      int t_index_x = tx + 1;
      int t_index_y = m - tx + 1;
      temp[t_index_y][t_index_x] = maximum(temp[t_index_y - 1][t_index_x - 1] + ref[t_index_y - 1][t_index_x - 1],
                                           temp[t_index_y][t_index_x - 1] - penalty,
                                           temp[t_index_y - 1][t_index_x] - penalty);
    }
    __syncthreads();
  }
  for (int m = BLOCK_SIZE - 2; m >= 0; m--) {
    if (tx <= m) {
      int t_index_x = tx + BLOCK_SIZE - m;
      int t_index_y = BLOCK_SIZE - tx;
      temp[t_index_y][t_index_x] = maximum(temp[t_index_y - 1][t_index_x - 1] + ref[t_index_y - 1][t_index_x - 1],
                                           temp[t_index_y][t_index_x - 1] - penalty,
                                           temp[t_index_y - 1][t_index_x] - penalty);
    }
    __syncthreads();
  }
  for (int ty = 0; ty < BLOCK_SIZE; ty++)
    matrix_cuda[index + ty * cols] = temp[ty + 1][tx + 1];
}

__global__ void needle_cuda_shared_1(int *referrence, int *matrix_cuda, int cols, int penalty, int i) {
  int bx = blockIdx.x;
  needle_tile(referrence, matrix_cuda, cols, penalty, bx, i - 1 - bx);
}

__global__ void needle_cuda_shared_2(int *referrence, int *matrix_cuda, int cols, int penalty, int i, int block_width) {
  int bx = blockIdx.x;
  needle_tile(referrence, matrix_cuda, cols, penalty, bx + block_width - i, block_width - bx - 1);
}

double gettime() {
  struct timeval t;
  gettimeofday(&t, NULL);
  return t.tv_sec + t.tv_usec * 1e-6;
}

void usage(int argc, char **argv) {
  fprintf(stderr, "Usage: %s <max_rows/max_cols> <penalty> \n", argv[0]);
  exit(1);
}

int main(int argc, char **argv) {
  int max_rows = 128, max_cols, penalty = 10;
  if (argc == 3) {
    max_rows = atoi(argv[1]);
    penalty = atoi(argv[2]);
  } else if (argc != 1) {
    usage(argc, argv);
  }
  if (max_rows % 16 != 0) {
    fprintf(stderr, "The dimension values must be a multiple of 16\n");
    exit(1);
  }
  max_cols = ++max_rows;
  int size = max_cols * max_rows;
  int *referrence = (int *)calloc(size, sizeof(int)), *input_itemsets = (int *)calloc(size, sizeof(int));
  int *output_itemsets = (int *)malloc(size * sizeof(int)), *host = (int *)calloc(size, sizeof(int));
  srand(7);
  for (int i = 1; i < max_rows; i++)
    for (int j = 1; j < max_cols; j++)
      referrence[i * max_cols + j] = rand() % 20 - 6;
  for (int i = 1; i < max_rows; i++)
    input_itemsets[i * max_cols] = input_itemsets[i] = -i * penalty;

  int *matrix_cuda, *referrence_cuda;
  cudaMalloc((void **)&referrence_cuda, sizeof(int) * size);
  cudaMalloc((void **)&matrix_cuda, sizeof(int) * size);
  cudaMemcpy(referrence_cuda, referrence, sizeof(int) * size, cudaMemcpyHostToDevice);
  cudaMemcpy(matrix_cuda, input_itemsets, sizeof(int) * size, cudaMemcpyHostToDevice);
  dim3 dimGrid;
  dim3 dimBlock(BLOCK_SIZE, 1);
  int block_width = (max_cols - 1) / BLOCK_SIZE;
  double start = gettime();
  for (int i = 1; i <= block_width; i++) {
    dimGrid.x = i;
    dimGrid.y = 1;
    needle_cuda_shared_1<<<dimGrid, dimBlock>>>(referrence_cuda, matrix_cuda, max_cols, penalty, i);
  }
  for (int i = block_width - 1; i >= 1; i--) {
    dimGrid.x = i;
    dimGrid.y = 1;
    needle_cuda_shared_2<<<dimGrid, dimBlock>>>(referrence_cuda, matrix_cuda, max_cols, penalty, i, block_width);
  }
  cudaMemcpy(output_itemsets, matrix_cuda, sizeof(int) * size, cudaMemcpyDeviceToHost);
  printf("%f seconds\n", gettime() - start);
  memcpy(host, input_itemsets, size * sizeof(int));
  for (int i = 1; i < max_rows; i++)
    for (int j = 1; j < max_cols; j++)
      host[i * max_cols + j] = maximum(host[(i - 1) * max_cols + j - 1] + referrence[i * max_cols + j],
                                       host[i * max_cols + j - 1] - penalty, host[(i - 1) * max_cols + j] - penalty);
  int bad = memcmp(host, output_itemsets, size * sizeof(int));
  puts(bad ? "FAILED" : "PASSED");
  return bad != 0;
}
