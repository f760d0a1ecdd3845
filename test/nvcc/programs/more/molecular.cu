// Molecular dynamics by cell lists: particles sorted into cells by Thrust, forces of Lennard and Jones, velocity Verlet, energy by atomics of double, callbacks between the steps.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <thrust/device_ptr.h>
#include <thrust/sort.h>
#include <vector>
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))
static void HandleError(cudaError_t err, const char *file, int line) { if (err != cudaSuccess) { printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line); exit(EXIT_FAILURE); } }
struct Params { int n, cells; float box, cut, dt; };
__constant__ Params P;
__host__ __device__ inline float wrapd(float d, float box) { return d - box * rintf(d / box); }
__host__ __device__ inline int cellOf(float3 p, const Params &q) { float s = q.cells / q.box; int x = min(q.cells - 1, max(0, int(p.x * s))), y = min(q.cells - 1, max(0, int(p.y * s))), z = min(q.cells - 1, max(0, int(p.z * s))); return (z * q.cells + y) * q.cells + x; }
__global__ void cells(const float3 *pos, int *cell, int *id) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < P.n) cell[i] = cellOf(pos[i], P), id[i] = i; }
__global__ void bounds(const int *cell, int *start, int *end) {
  extern __shared__ int before[];
  int i = blockIdx.x * blockDim.x + threadIdx.x, c = -1;
  if (i < P.n) { c = cell[i]; before[threadIdx.x + 1] = c; if (i > 0 && threadIdx.x == 0) before[0] = cell[i - 1]; }
  __syncthreads();
  if (i < P.n) { if (i == 0 || c != before[threadIdx.x]) { start[c] = i; if (i > 0) end[before[threadIdx.x]] = i; } if (i == P.n - 1) end[c] = i + 1; }
}
__host__ __device__ inline float3 pair(float3 a, float3 b, const Params &q, float &e) {
  float dx = wrapd(a.x - b.x, q.box), dy = wrapd(a.y - b.y, q.box), dz = wrapd(a.z - b.z, q.box), r2 = dx * dx + dy * dy + dz * dz;
  if (r2 >= q.cut * q.cut || r2 == 0) return make_float3(0, 0, 0);
  float i2 = 1 / r2, i6 = i2 * i2 * i2, f = 24 * i2 * i6 * (2 * i6 - 1);
  e += 2 * i6 * (i6 - 1);
  return make_float3(f * dx, f * dy, f * dz);
}
__global__ void forces(const float3 *pos, const int *id, const int *start, const int *end, float3 *f, double *energy) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= P.n) return;
  int i = id[k]; float3 p = pos[i], sum = make_float3(0, 0, 0); float e = 0; int c = cellOf(p, P), x = c % P.cells, y = c / P.cells % P.cells, z = c / P.cells / P.cells;
  for (int dz = -1; dz <= 1; dz++) for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) {
    int n = (((z + dz + P.cells) % P.cells) * P.cells + (y + dy + P.cells) % P.cells) * P.cells + (x + dx + P.cells) % P.cells;
    if (start[n] < 0) continue;
    for (int j = start[n]; j < end[n]; j++) { float3 g = pair(p, pos[id[j]], P, e); sum.x += g.x, sum.y += g.y, sum.z += g.z; }
  }
  f[i] = sum;
  atomicAdd(energy, (double)e);
}
__global__ void step(float3 *pos, float3 *vel, const float3 *f, float half, bool move) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= P.n) return;
  float3 v = vel[i];
  v.x += half * f[i].x, v.y += half * f[i].y, v.z += half * f[i].z;
  vel[i] = v;
  if (!move) return;
  float3 p = pos[i]; float *c = &p.x, *d = &v.x;
#pragma unroll
  for (int k = 0; k < 3; k++) { c[k] += P.dt * d[k]; c[k] -= P.box * floorf(c[k] / P.box); }
  pos[i] = p;
}
static void CUDART_CB told(cudaStream_t, cudaError_t status, void *data) { if (status == cudaSuccess) ++*(int *)data; }
int main() {
  Params h = {512, 4, 10.0f, 2.5f, 0.002f}; const int steps = 3; int callbacks = 0;
  HANDLE_ERROR(cudaMemcpyToSymbol(P, &h, sizeof(Params)));
  std::vector<float3> pos(h.n), vel(h.n), f(h.n), got(h.n);
  for (int i = 0; i < h.n; i++) pos[i] = make_float3(1.25f * (i % 8) + 0.3f + 0.02f * (i % 5), 1.25f * (i / 8 % 8) + 0.3f, 1.25f * (i / 64) + 0.3f + 0.01f * (i % 3)), vel[i] = make_float3(0.1f * (i % 7 - 3), 0.1f * (i % 5 - 2), 0);
  float3 *dp, *dv, *df; int *cell, *id, *start, *end; double *e, he = 0, want = 0; int C = h.cells * h.cells * h.cells; dim3 g((h.n + 127) / 128), b(128);
  HANDLE_ERROR(cudaMalloc(&dp, h.n * sizeof(float3))); HANDLE_ERROR(cudaMalloc(&dv, h.n * sizeof(float3))); HANDLE_ERROR(cudaMalloc(&df, h.n * sizeof(float3))); HANDLE_ERROR(cudaMalloc(&cell, h.n * 4)); HANDLE_ERROR(cudaMalloc(&id, h.n * 4)); HANDLE_ERROR(cudaMalloc(&start, C * 4)); HANDLE_ERROR(cudaMalloc(&end, C * 4)); HANDLE_ERROR(cudaMalloc(&e, 8));
  cudaMemcpy(dp, pos.data(), h.n * sizeof(float3), cudaMemcpyHostToDevice); cudaMemcpy(dv, vel.data(), h.n * sizeof(float3), cudaMemcpyHostToDevice);
  auto device = [&] { cells<<<g, b>>>(dp, cell, id); thrust::sort_by_key(thrust::device_ptr<int>(cell), thrust::device_ptr<int>(cell + h.n), thrust::device_ptr<int>(id)); cudaMemset(start, 0xff, C * 4); cudaMemset(e, 0, 8); bounds<<<g, b, 129 * sizeof(int)>>>(cell, start, end); forces<<<g, b>>>(dp, id, start, end, df, e); };
  auto host = [&] { want = 0; for (int i = 0; i < h.n; i++) { float x = 0; f[i] = make_float3(0, 0, 0); for (int j = 0; j < h.n; j++) { float3 q = pair(pos[i], pos[j], h, x); f[i].x += q.x, f[i].y += q.y, f[i].z += q.z; } want += x; } };
  device(), host();
  for (int s = 0; s < steps; s++) {
    step<<<g, b>>>(dp, dv, df, h.dt / 2, true); device(); step<<<g, b>>>(dp, dv, df, h.dt / 2, false); HANDLE_ERROR(cudaStreamAddCallback(0, told, &callbacks, 0));
    for (int i = 0; i < h.n; i++) { float *v = &vel[i].x, *p = &pos[i].x, *k = &f[i].x; for (int c = 0; c < 3; c++) v[c] += h.dt / 2 * k[c], p[c] += h.dt * v[c], p[c] -= h.box * floorf(p[c] / h.box); }
    host(); for (int i = 0; i < h.n; i++) vel[i].x += h.dt / 2 * f[i].x, vel[i].y += h.dt / 2 * f[i].y, vel[i].z += h.dt / 2 * f[i].z;
  }
  HANDLE_ERROR(cudaDeviceSynchronize());
  cudaMemcpy(got.data(), dp, h.n * sizeof(float3), cudaMemcpyDeviceToHost); cudaMemcpy(&he, e, 8, cudaMemcpyDeviceToHost);
  float worst = 0; for (int i = 0; i < h.n; i++) worst = fmaxf(worst, fabsf(wrapd(got[i].x - pos[i].x, h.box)) + fabsf(wrapd(got[i].z - pos[i].z, h.box)));
  printf("energy %f %f, positions differ by %g, %d callbacks\n", he, want, worst, callbacks);
  return worst > 1e-4f || fabs(he - want) > 1e-3 * fabs(want) || callbacks != steps;
}
