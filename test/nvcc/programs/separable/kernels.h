#pragma once
#include <cuda_runtime.h>
#ifdef __cplusplus
extern "C" {
#endif
int compute_norms(const float *h_points, int n, float *h_norms);
#ifdef __cplusplus
}
#endif
#ifdef __CUDACC__
struct vec3 {
  float x, y, z;
  __device__ float norm() const;
  __device__ vec3 rotated() const;
};
extern __device__ int g_calls;
extern __constant__ float c_scale;
__device__ float root(float x);
template <typename T> __device__ T square(T x) { return x * x; }
#endif
