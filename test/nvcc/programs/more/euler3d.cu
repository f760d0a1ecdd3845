// Flow through unstructured cells: variables as structure of arrays, constants of the far field in constant memory, Runge-Kutta steps, helper templates for memory.
#include <cmath>
#include <cstdlib>
#include <iostream>
#define GAMMA 1.4f
#define RK 3
#define NDIM 3
#define NNB 4
#define VAR_DENSITY 0
#define VAR_MOMENTUM 1
#define VAR_DENSITY_ENERGY (VAR_MOMENTUM + NDIM)
#define NVAR (VAR_DENSITY_ENERGY + 1)
#define block_length 64
template <typename T> T *alloc(int N) { T *t; if (cudaMalloc((void **)&t, sizeof(T) * N) != cudaSuccess) { std::cerr << "alloc\n"; exit(1); } return t; }
template <typename T> void dealloc(T *a) { cudaFree((void *)a); }
template <typename T> void copy(T *dst, T *src, int N) { cudaMemcpy((void *)dst, (void *)src, N * sizeof(T), cudaMemcpyDeviceToDevice); }
template <typename T> void upload(T *dst, T *src, int N) { cudaMemcpy((void *)dst, (void *)src, N * sizeof(T), cudaMemcpyHostToDevice); }
template <typename T> void download(T *dst, T *src, int N) { cudaMemcpy((void *)dst, (void *)src, N * sizeof(T), cudaMemcpyDeviceToHost); }
__constant__ float ff_variable[NVAR];
__constant__ float3 ff_flux[1];
__host__ __device__ inline void compute_velocity(float &density, float3 &momentum, float3 &velocity) { velocity.x = momentum.x / density; velocity.y = momentum.y / density; velocity.z = momentum.z / density; }
__host__ __device__ inline float compute_speed_sqd(float3 &v) { return v.x * v.x + v.y * v.y + v.z * v.z; }
__host__ __device__ inline float compute_pressure(float &d, float &e, float &s) { return (float(GAMMA) - float(1.0f)) * (e - float(0.5f) * d * s); }
__host__ __device__ inline float compute_speed_of_sound(float &d, float &p) { return sqrtf(float(GAMMA) * p / d); }
__global__ void cuda_initialize_variables(int nelr, float *variables) {
  const int i = (blockDim.x * blockIdx.x + threadIdx.x);
  for (int j = 0; j < NVAR; j++) variables[i + j * nelr] = ff_variable[j] * (1 + 0.01f * (i % 5));
}
__host__ __device__ void load(const float *v, int i, int nelr, float &d, float3 &m, float &e) { d = v[i + VAR_DENSITY * nelr]; m.x = v[i + (VAR_MOMENTUM + 0) * nelr]; m.y = v[i + (VAR_MOMENTUM + 1) * nelr]; m.z = v[i + (VAR_MOMENTUM + 2) * nelr]; e = v[i + VAR_DENSITY_ENERGY * nelr]; }
__host__ __device__ void step_factor_of(int i, int nelr, const float *variables, const float *areas, float *step_factors) {
  float d, e; float3 m, vel; load(variables, i, nelr, d, m, e); compute_velocity(d, m, vel);
  float s = compute_speed_sqd(vel), p = compute_pressure(d, e, s), c = compute_speed_of_sound(d, p);
  step_factors[i] = float(0.5f) / (sqrtf(areas[i]) * (sqrtf(s) + c));
}
__global__ void cuda_compute_step_factor(int nelr, float *variables, float *areas, float *step_factors) { step_factor_of(blockDim.x * blockIdx.x + threadIdx.x, nelr, variables, areas, step_factors); }
__host__ __device__ void flux_of(int i, int nelr, const int *nb, const float *normals, const float *v, float *fluxes, const float *far) {
  float d, e, out[NVAR] = {0}; float3 m, vel; load(v, i, nelr, d, m, e); compute_velocity(d, m, vel);
  float s = compute_speed_sqd(vel), p = compute_pressure(d, e, s);
#pragma unroll
  for (int j = 0; j < NNB; j++) {
    int n = nb[i + j * nelr]; float3 nor = {normals[i + (j + 0 * NNB) * nelr], normals[i + (j + 1 * NNB) * nelr], normals[i + (j + 2 * NNB) * nelr]};
    float dn, en; float3 mn, vn;
    if (n >= 0) load(v, n, nelr, dn, mn, en);
    else if (n == -1) { dn = d; mn = make_float3(-m.x, -m.y, -m.z); en = e; }
    else { dn = far[0]; mn = make_float3(far[1], far[2], far[3]); en = far[4]; }
    compute_velocity(dn, mn, vn); float sn = compute_speed_sqd(vn), pn = compute_pressure(dn, en, sn);
    float area = sqrtf(nor.x * nor.x + nor.y * nor.y + nor.z * nor.z), f = -area * 0.2f * 0.5f * (sqrtf(s) + sqrtf(sn) + compute_speed_of_sound(d, p) + compute_speed_of_sound(dn, pn));
    out[0] += f * (d - dn); out[1] += f * (m.x - mn.x) + nor.x * 0.5f * (p + pn); out[2] += f * (m.y - mn.y) + nor.y * 0.5f * (p + pn); out[3] += f * (m.z - mn.z) + nor.z * 0.5f * (p + pn); out[4] += f * (e - en);
  }
  for (int k = 0; k < NVAR; k++) fluxes[i + k * nelr] = out[k];
}
__global__ void cuda_compute_flux(int nelr, int *elements, float *normals, float *variables, float *fluxes) { flux_of(blockDim.x * blockIdx.x + threadIdx.x, nelr, elements, normals, variables, fluxes, ff_variable); }
__global__ void cuda_time_step(int j, int nelr, float *old_variables, float *variables, float *step_factors, float *fluxes) {
  const int i = (blockDim.x * blockIdx.x + threadIdx.x);
  float factor = step_factors[i] / float(RK + 1 - j);
  for (int k = 0; k < NVAR; k++) variables[i + k * nelr] = old_variables[i + k * nelr] + factor * fluxes[i + k * nelr];
}
int main(int argc, char **argv) {
  const int nelr = block_length * 12, iterations = 4;
  float far[NVAR] = {1.4f, 1.2f, 0.1f, 0.0f, 4.0f};
  cudaMemcpyToSymbol(ff_variable, far, NVAR * sizeof(float));
  float *areas = new float[nelr], *normals = new float[NDIM * NNB * nelr]; int *nb = new int[NNB * nelr];
  for (int i = 0; i < nelr; i++) { areas[i] = 1 + 0.1f * (i % 7); for (int j = 0; j < NNB; j++) { int n = i + (j & 1 ? 1 : -1) * (j & 2 ? 16 : 1); nb[i + j * nelr] = n < 0 ? -1 : n >= nelr ? -2 : n; for (int k = 0; k < NDIM; k++) normals[i + (j + k * NNB) * nelr] = ((j & 1) ? 1 : -1) * 0.1f * (k + 1 + (j & 2)); } }
  float *d_areas = alloc<float>(nelr), *d_normals = alloc<float>(NDIM * NNB * nelr), *v = alloc<float>(nelr * NVAR), *old = alloc<float>(nelr * NVAR), *fl = alloc<float>(nelr * NVAR), *sf = alloc<float>(nelr); int *d_nb = alloc<int>(NNB * nelr);
  upload(d_areas, areas, nelr), upload(d_normals, normals, NDIM * NNB * nelr), upload(d_nb, nb, NNB * nelr);
  dim3 Dg(nelr / block_length), Db(block_length);
  cuda_initialize_variables<<<Dg, Db>>>(nelr, v);
  float *h = new float[nelr * NVAR], *ho = new float[nelr * NVAR], *hf = new float[nelr * NVAR], *hs = new float[nelr], *got = new float[nelr * NVAR];
  download(h, v, nelr * NVAR);
  for (int i = 0; i < iterations; i++) {
    copy<float>(old, v, nelr * NVAR);
    cuda_compute_step_factor<<<Dg, Db>>>(nelr, v, d_areas, sf);
    for (int j = 0; j < RK; j++) { cuda_compute_flux<<<Dg, Db>>>(nelr, d_nb, d_normals, v, fl); cuda_time_step<<<Dg, Db>>>(j, nelr, old, v, sf, fl); }
    std::copy(h, h + nelr * NVAR, ho);
    for (int e = 0; e < nelr; e++) step_factor_of(e, nelr, h, areas, hs);
    for (int j = 0; j < RK; j++) { for (int e = 0; e < nelr; e++) flux_of(e, nelr, nb, normals, h, hf, far); for (int e = 0; e < nelr; e++) for (int k = 0; k < NVAR; k++) h[e + k * nelr] = ho[e + k * nelr] + hs[e] / (RK + 1 - j) * hf[e + k * nelr]; }
  }
  cudaThreadSynchronize();
  download(got, v, nelr * NVAR);
  float worst = 0; for (int i = 0; i < nelr * NVAR; i++) worst = fmaxf(worst, fabsf(got[i] - h[i]));
  std::cout << "worst " << worst << std::endl;
  dealloc(v), dealloc(old);
  return !(worst < 1e-3f);
}
