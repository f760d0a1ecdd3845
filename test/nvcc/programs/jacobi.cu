// Jacobi's iteration until the residual is small, with an addition of doubles
// for old devices, norms by compare and swap, and one graph for many steps.
#include <algorithm>
#include <cstdio>
#include <cmath>
#include <cuda_runtime.h>

typedef float real;
constexpr int MAX_NUM_DEVICES = 32;

#define CUDA_RT_CALL(call)                                                                                   \
  {                                                                                                          \
    cudaError_t cudaStatus = call;                                                                           \
    if (cudaSuccess != cudaStatus) {                                                                         \
      fprintf(stderr,                                                                                        \
              "ERROR: CUDA RT call \"%s\" in line %d of file %s failed "                                     \
              "with "                                                                                        \
              "%s (%d).\n",                                                                                  \
              #call, __LINE__, __FILE__, cudaGetErrorString(cudaStatus), cudaStatus);                        \
      exit(cudaStatus);                                                                                      \
    }                                                                                                        \
  }

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ double atomicAdd(double *address, double val) {
  unsigned long long int *address_as_ull = (unsigned long long int *)address;
  unsigned long long int old = *address_as_ull, assumed;
  do {
    assumed = old;
    old = atomicCAS(address_as_ull, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
#endif

__device__ __forceinline__ float atomicMaxFloat(float *addr, float value) {
  float old;
  old = (value >= 0) ? __int_as_float(atomicMax((int *)addr, __float_as_int(value)))
                     : __uint_as_float(atomicMin((unsigned int *)addr, __float_as_uint(value)));
  return old;
}

__global__ void initialize_boundaries(real *__restrict__ const a_new, real *__restrict__ const a, const real pi,
                                      const int offset, const int nx, const int my_ny, const int ny) {
  for (int iy = blockIdx.x * blockDim.x + threadIdx.x; iy < my_ny; iy += blockDim.x * gridDim.x) {
    const real y0 = sin(2.0 * pi * (offset + iy) / (ny - 1));
    a[iy * nx + 0] = y0;
    a[iy * nx + (nx - 1)] = y0;
    a_new[iy * nx + 0] = y0;
    a_new[iy * nx + (nx - 1)] = y0;
  }
}

template <int BLOCK_DIM_X, int BLOCK_DIM_Y>
__global__ void jacobi_kernel(real *__restrict__ const a_new, const real *__restrict__ const a, double *sum, float *most,
                              const int iy_start, const int iy_end, const int nx) {
  const int ix = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const int iy = blockIdx.y * blockDim.y + threadIdx.y + iy_start;
  real residue = 0;
  if (iy < iy_end && ix < (nx - 1)) {
    const real new_val = 0.25 * (a[iy * nx + ix + 1] + a[iy * nx + ix - 1] + a[(iy + 1) * nx + ix] + a[(iy - 1) * nx + ix]);
    a_new[iy * nx + ix] = new_val;
    if (iy_start == iy)
      a_new[iy_end * nx + ix] = new_val;
    if ((iy_end - 1) == iy)
      a_new[(iy_start - 1) * nx + ix] = new_val;
    residue = new_val - a[iy * nx + ix];
  }
  __shared__ double block_sum;
  __shared__ float block_max;
  if (0 == threadIdx.x && 0 == threadIdx.y)
    block_sum = 0, block_max = 0;
  __syncthreads();
  atomicAdd(&block_sum, (double)residue * residue);
  atomicMaxFloat(&block_max, fabsf(residue));
  __syncthreads();
  if (0 == threadIdx.x && 0 == threadIdx.y) {
    atomicAdd(sum, block_sum);
    atomicMaxFloat(most, block_max);
  }
}

int main(int argc, char *argv[]) {
  const int nx = 66, ny = 50, steps = 60;
  real *a, *a_new, *ref, *next;
  double *l2_norm_d, l2;
  float *most_d, most;
  CUDA_RT_CALL(cudaMalloc(&a, nx * ny * sizeof(real)));
  CUDA_RT_CALL(cudaMalloc(&a_new, nx * ny * sizeof(real)));
  CUDA_RT_CALL(cudaMemset(a, 0, nx * ny * sizeof(real)));
  CUDA_RT_CALL(cudaMemset(a_new, 0, nx * ny * sizeof(real)));
  CUDA_RT_CALL(cudaMalloc(&l2_norm_d, sizeof(double)));
  CUDA_RT_CALL(cudaMalloc(&most_d, sizeof(float)));
  initialize_boundaries<<<ny / 32 + 1, 32>>>(a, a_new, M_PI, 0, nx, ny, ny);
  CUDA_RT_CALL(cudaGetLastError());
  ref = new real[nx * ny], next = new real[nx * ny];
  CUDA_RT_CALL(cudaMemcpy(ref, a, nx * ny * sizeof(real), cudaMemcpyDeviceToHost));
  std::copy(ref, ref + nx * ny, next);

  cudaStream_t stream;
  CUDA_RT_CALL(cudaStreamCreate(&stream));
  constexpr int dim_block_x = 32, dim_block_y = 4;
  dim3 dim_grid((nx + dim_block_x - 1) / dim_block_x, (ny + dim_block_y - 1) / dim_block_y, 1);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CUDA_RT_CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int half = 0; half < 2; half++) {
    CUDA_RT_CALL(cudaMemsetAsync(l2_norm_d, 0, sizeof(double), stream));
    CUDA_RT_CALL(cudaMemsetAsync(most_d, 0, sizeof(float), stream));
    jacobi_kernel<dim_block_x, dim_block_y><<<dim_grid, {dim_block_x, dim_block_y, 1}, 0, stream>>>(
        half ? a : a_new, half ? a_new : a, l2_norm_d, most_d, 1, ny - 1, nx);
  }
  CUDA_RT_CALL(cudaStreamEndCapture(stream, &graph));
  CUDA_RT_CALL(cudaGraphInstantiate(&exec, graph, 0));
  for (int iter = 0; iter < steps; iter += 2)
    CUDA_RT_CALL(cudaGraphLaunch(exec, stream));
  CUDA_RT_CALL(cudaMemcpyAsync(&l2, l2_norm_d, sizeof l2, cudaMemcpyDeviceToHost, stream));
  CUDA_RT_CALL(cudaMemcpyAsync(&most, most_d, sizeof most, cudaMemcpyDeviceToHost, stream));
  CUDA_RT_CALL(cudaStreamSynchronize(stream));
  real *got = new real[nx * ny];
  CUDA_RT_CALL(cudaMemcpy(got, a, nx * ny * sizeof(real), cudaMemcpyDeviceToHost));

  double l2_ref = 0, worst = 0;
  float most_ref = 0;
  for (int s = 0; s < steps; s++) {
    l2_ref = most_ref = 0;
    for (int y = 1; y < ny - 1; y++)
      for (int x = 1; x < nx - 1; x++) {
        real v = 0.25 * (ref[y * nx + x + 1] + ref[y * nx + x - 1] + ref[(y + 1) * nx + x] + ref[(y - 1) * nx + x]);
        next[y * nx + x] = v;
        real d = v - ref[y * nx + x];
        l2_ref += (double)d * d;
        most_ref = std::max(most_ref, fabsf(d));
      }
    for (int x = 1; x < nx - 1; x++)
      next[x] = next[(ny - 2) * nx + x], next[(ny - 1) * nx + x] = next[nx + x];
    std::swap(ref, next);
  }
  for (int i = 0; i < nx * ny; i++)
    worst = std::max(worst, (double)fabsf(ref[i] - got[i]));
  bool ok = worst < 1e-5 && fabs(sqrt(l2) - sqrt(l2_ref)) < 1e-5 && fabs(most - most_ref) < 1e-5;
  printf("norm %0.6f, worst %g\n%s\n", sqrt(l2), worst, ok ? "PASSED" : "FAILED");
  CUDA_RT_CALL(cudaGraphExecDestroy(exec));
  CUDA_RT_CALL(cudaGraphDestroy(graph));
  CUDA_RT_CALL(cudaStreamDestroy(stream));
  cudaFree(a), cudaFree(a_new), cudaFree(l2_norm_d), cudaFree(most_d);
  delete[] ref, delete[] next, delete[] got;
  return !ok;
}
