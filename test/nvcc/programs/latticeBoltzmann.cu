// A channel of fluid by nine speeds: structures of pointers by value, tables of
// directions, streaming and collision in one kernel.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>

#define NX 64
#define NY 32
#define Q 9
#define CUDA_CHECK(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true) {
  if (code != cudaSuccess) {
    fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
    if (abort)
      exit(code);
  }
}

typedef enum { FLUID = 0, WALL = 1, MOVING = 2 } CellType;
typedef struct {
  double *f[Q];
} Populations;
typedef struct {
  Populations now, next;
  unsigned char *type;
  double omega, lid;
} Lattice;

__constant__ int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ int opposite[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__constant__ double w[Q] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
static const int hx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, hy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const int ho[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const double hw[Q] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};

__host__ __device__ inline void collide(double *p, const int *x, const int *y, const double *weight, double omega) {
  double rho = 0, ux = 0, uy = 0;
  for (int q = 0; q < Q; q++) {
    rho += p[q];
    ux += x[q] * p[q];
    uy += y[q] * p[q];
  }
  ux /= rho, uy /= rho;
  double uu = 1.5 * (ux * ux + uy * uy);
  for (int q = 0; q < Q; q++) {
    double cu = 3 * (x[q] * ux + y[q] * uy);
    p[q] += omega * (weight[q] * rho * (1 + cu + 0.5 * cu * cu - uu) - p[q]);
  }
}

__global__ void step(Lattice L) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int here = y * NX + x;
  if (x >= NX || y >= NY || L.type[here] != FLUID)
    return;
  double p[Q];
#pragma unroll
  for (int q = 0; q < Q; q++) {
    int fx = (x - cx[q] + NX) % NX, fy = y - cy[q], from = fy * NX + fx;
    switch (L.type[from]) {
    case FLUID: p[q] = L.now.f[q][from]; break;
    case WALL: p[q] = L.now.f[opposite[q]][here]; break;
    default: p[q] = L.now.f[opposite[q]][here] + 6 * w[q] * cx[q] * L.lid;
    }
  }
  collide(p, cx, cy, w, L.omega);
  for (int q = 0; q < Q; q++)
    L.next.f[q][here] = p[q];
}

int main() {
  const int steps = 20;
  Lattice L;
  L.omega = 1.2, L.lid = 0.05;
  std::vector<unsigned char> type(NX * NY, FLUID);
  for (int x = 0; x < NX; x++)
    type[x] = WALL, type[(NY - 1) * NX + x] = MOVING;
  for (int y = 10; y < 16; y++)
    type[y * NX + 20] = WALL;
  std::vector<double> f[Q], g[Q];
  CUDA_CHECK(cudaMalloc(&L.type, NX * NY));
  CUDA_CHECK(cudaMemcpy(L.type, type.data(), NX * NY, cudaMemcpyHostToDevice));
  for (int q = 0; q < Q; q++) {
    f[q].assign(NX * NY, hw[q]), g[q] = f[q];
    CUDA_CHECK(cudaMalloc(&L.now.f[q], NX * NY * sizeof(double)));
    CUDA_CHECK(cudaMalloc(&L.next.f[q], NX * NY * sizeof(double)));
    CUDA_CHECK(cudaMemcpy(L.now.f[q], f[q].data(), NX * NY * sizeof(double), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(L.next.f[q], f[q].data(), NX * NY * sizeof(double), cudaMemcpyHostToDevice));
  }
  dim3 block(32, 4), grid((NX + block.x - 1) / block.x, (NY + block.y - 1) / block.y);
  for (int s = 0; s < steps; s++) {
    step<<<grid, block>>>(L);
    CUDA_CHECK(cudaPeekAtLastError());
    Populations t = L.now;
    L.now = L.next, L.next = t;
    for (int y = 0; y < NY; y++)
      for (int x = 0; x < NX; x++) {
        if (type[y * NX + x] != FLUID) continue;
        double p[Q];
        for (int q = 0; q < Q; q++) {
          int from = (y - hy[q]) * NX + (x - hx[q] + NX) % NX, here = y * NX + x;
          p[q] = type[from] == FLUID ? f[q][from] : f[ho[q]][here] + (type[from] == MOVING ? 6 * hw[q] * hx[q] * L.lid : 0);
        }
        collide(p, hx, hy, hw, L.omega);
        for (int q = 0; q < Q; q++)
          g[q][y * NX + x] = p[q];
      }
    for (int q = 0; q < Q; q++)
      f[q].swap(g[q]);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  double worst = 0, mass = 0;
  for (int q = 0; q < Q; q++) {
    CUDA_CHECK(cudaMemcpy(g[q].data(), L.now.f[q], NX * NY * sizeof(double), cudaMemcpyDeviceToHost));
    for (int i = 0; i < NX * NY; i++)
      worst = fmax(worst, fabs(g[q][i] - f[q][i])), mass += g[q][i];
    CUDA_CHECK(cudaFree(L.now.f[q]));
    CUDA_CHECK(cudaFree(L.next.f[q]));
  }
  CUDA_CHECK(cudaFree(L.type));
  printf("mass %f, worst %g: %s\n", mass, worst, worst < 1e-12 ? "PASSED" : "FAILED");
  return !(worst < 1e-12);
}
