// Clusters of points: centres in constant memory, sums by atomics in shared
// and global memory, until no point moves.
#include <stdio.h>
#include <stdlib.h>
#include <float.h>
#include <math.h>
#include <string.h>
#include <timer.h>

#define NPOINTS 3000
#define NFEATURES 4
#define NCLUSTERS 5
#define THREADS 256
#define sqr(x) ((x) * (x))

__constant__ float c_clusters[NCLUSTERS * NFEATURES];

__global__ static void invert_mapping(float *input, float *output, int npoints, int nfeatures) {
  int point_id = threadIdx.x + blockDim.x * blockIdx.x;
  if (point_id < npoints)
    for (int i = 0; i < nfeatures; i++)
      output[point_id + npoints * i] = input[point_id * nfeatures + i];
}

__global__ static void assignPoints(const float *features, int *membership, int *changed, float *sums, int *counts) {
  __shared__ float s_sums[NCLUSTERS][NFEATURES];
  __shared__ int s_counts[NCLUSTERS];
  if (threadIdx.x < NCLUSTERS) {
    s_counts[threadIdx.x] = 0;
    for (int f = 0; f < NFEATURES; f++)
      s_sums[threadIdx.x][f] = 0;
  }
  __syncthreads();
  int point = blockIdx.x * blockDim.x + threadIdx.x, index = -1;
  bool moved = false;
  if (point < NPOINTS) {
    float min_dist = FLT_MAX;
    for (int i = 0; i < NCLUSTERS; i++) {
      float ans = 0.0;
      for (int f = 0; f < NFEATURES; f++)
        ans += sqr(features[point + f * NPOINTS] - c_clusters[i * NFEATURES + f]);
      if (ans < min_dist) {
        min_dist = ans;
        index = i;
      }
    }
    moved = membership[point] != index;
    membership[point] = index;
    atomicAdd(&s_counts[index], 1);
    for (int f = 0; f < NFEATURES; f++)
      atomicAdd(&s_sums[index][f], features[point + f * NPOINTS]);
  }
  int movers = __syncthreads_count(moved);
  if (threadIdx.x == 0)
    atomicAdd(changed, movers);
  if (threadIdx.x < NCLUSTERS) {
    atomicAdd(&counts[threadIdx.x], s_counts[threadIdx.x]);
    for (int f = 0; f < NFEATURES; f++)
      atomicAdd(&sums[threadIdx.x * NFEATURES + f], s_sums[threadIdx.x][f]);
  }
}

int main(int argc, char **argv) {
  static float points[NPOINTS][NFEATURES], centres[NCLUSTERS][NFEATURES], sums[NCLUSTERS][NFEATURES];
  static int membership[NPOINTS], counts[NCLUSTERS], truth[NPOINTS];
  StopWatchInterface *timer = new StopWatchLinux();
  srand(7);
  for (int p = 0; p < NPOINTS; p++) {
    truth[p] = p % NCLUSTERS;
    for (int f = 0; f < NFEATURES; f++) // Quarters, so that sums are exact.
      points[p][f] = truth[p] * 20 * (f % 2 ? 1 : -1) + floorf(rand() / (float)RAND_MAX * 16) / 4;
    membership[p] = -1;
  }
  memcpy(centres, points, sizeof centres);
  float *d_points, *d_features, *d_sums;
  int *d_membership, *d_counts, *d_changed, changed, loops = 0;
  cudaMalloc((void **)&d_points, sizeof points);
  cudaMalloc((void **)&d_features, sizeof points);
  cudaMalloc((void **)&d_sums, sizeof sums);
  cudaMalloc((void **)&d_membership, sizeof membership);
  cudaMalloc((void **)&d_counts, sizeof counts);
  cudaMalloc((void **)&d_changed, sizeof(int));
  cudaMemcpy(d_points, points, sizeof points, cudaMemcpyHostToDevice);
  cudaMemcpy(d_membership, membership, sizeof membership, cudaMemcpyHostToDevice);
  timer->start();
  invert_mapping<<<(NPOINTS + THREADS - 1) / THREADS, THREADS>>>(d_points, d_features, NPOINTS, NFEATURES);
  do {
    cudaMemcpyToSymbol(c_clusters, centres, sizeof centres);
    cudaMemset(d_sums, 0, sizeof sums);
    cudaMemset(d_counts, 0, sizeof counts);
    cudaMemset(d_changed, 0, sizeof(int));
    assignPoints<<<(NPOINTS + THREADS - 1) / THREADS, THREADS>>>(d_features, d_membership, d_changed, d_sums, d_counts);
    cudaMemcpy(&changed, d_changed, sizeof changed, cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
    cudaMemcpy(counts, d_counts, sizeof counts, cudaMemcpyDeviceToHost);
    for (int c = 0; c < NCLUSTERS; c++)
      for (int f = 0; f < NFEATURES; f++)
        if (counts[c] > 0)
          centres[c][f] = sums[c][f] / counts[c];
  } while (changed > 0 && loops++ < 500);
  timer->stop();
  cudaMemcpy(membership, d_membership, sizeof membership, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int p = 0; p < NPOINTS; p++)
    wrong += membership[p] != truth[p];
  for (int c = 0; c < NCLUSTERS; c++)
    wrong += counts[c] != NPOINTS / NCLUSTERS;
  printf("Iterated %d times, %f ms: %s\n", loops, timer->getTime(), wrong ? "FAILED" : "PASSED");
  delete timer;
  cudaFree(d_points), cudaFree(d_features), cudaFree(d_sums), cudaFree(d_membership), cudaFree(d_counts), cudaFree(d_changed);
  return wrong != 0;
}
