// All shortest paths: a launch for each vertex, paths rebuilt on the host.
#include <iostream>
#include <iomanip>
#include <limits>
#include <vector>
#include <cuda_runtime_api.h>
using namespace std;

const int INF = numeric_limits<int>::max() / 2;

__global__ void floydWarshallKernel(int *dist, int *next, const int n, const int k) {
  const int col = blockDim.x * blockIdx.x + threadIdx.x;
  if (col >= n)
    return;
  const int arrayIndex = n * blockIdx.y + col;
  __shared__ int trkC;
  if (threadIdx.x == 0)
    trkC = dist[blockIdx.y * n + k];
  __syncthreads();
  if (trkC == numeric_limits<int>::max() / 2)
    return;
  const int tkcC = dist[k * n + col];
  const int between = min(trkC + tkcC, INF);
  if (between < dist[arrayIndex]) {
    dist[arrayIndex] = between;
    next[arrayIndex] = k;
  }
}

template <class T> class Matrix {
  int n;
  vector<T> cells;

public:
  Matrix(int n, T value) : n(n), cells(n * n, value) {}
  T *operator[](int row) { return &cells[row * n]; }
  T *data() { return cells.data(); }
  size_t bytes() const { return cells.size() * sizeof(T); }
  bool operator!=(const Matrix &o) const { return cells != o.cells; }
};

int length(Matrix<int> &weight, Matrix<int> &via, int i, int j) {
  return via[i][j] < 0 ? weight[i][j] : length(weight, via, i, via[i][j]) + length(weight, via, via[i][j], j);
}

int main() {
  const int n = 100;
  Matrix<int> weight(n, INF), via(n, -1);
  srand(3);
  for (int i = 0; i < n; i++) {
    weight[i][i] = 0;
    for (int e = 0; e < 5; e++)
      weight[i][rand() % n] = 1 + rand() % 50;
  }
  for (int i = 0; i < n; i++)
    weight[i][i] = 0;
  Matrix<int> dist(weight), expected(weight);
  int *d_dist, *d_via;
  if (cudaMalloc(&d_dist, dist.bytes()) || cudaMalloc(&d_via, via.bytes())) {
    cerr << "no memory" << endl;
    return EXIT_FAILURE;
  }
  cudaMemcpy(d_dist, dist.data(), dist.bytes(), cudaMemcpyHostToDevice);
  cudaMemcpy(d_via, via.data(), via.bytes(), cudaMemcpyHostToDevice);
  for (int k = 0; k < n; k++)
    floydWarshallKernel<<<dim3((n + 63) / 64, n), 64>>>(d_dist, d_via, n, k);
  cudaMemcpy(dist.data(), d_dist, dist.bytes(), cudaMemcpyDeviceToHost);
  cudaMemcpy(via.data(), d_via, via.bytes(), cudaMemcpyDeviceToHost);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        expected[i][j] = std::min(expected[i][j], std::min(expected[i][k] + expected[k][j], INF));
  int wrong = dist != expected;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      wrong += dist[i][j] < INF && length(weight, via, i, j) != dist[i][j];
  cout << "from 0 to " << n - 1 << ": " << setw(4) << dist[0][n - 1] << "\n" << (wrong ? "FAILED" : "PASSED") << endl;
  cudaFree(d_dist), cudaFree(d_via);
  return wrong != 0;
}
