#include "kernels.h"
__device__ float vec3::norm() const {
  atomicAdd(&g_calls, 1);
  return c_scale * root(square(x) + square(y) + square(z));
}
__device__ vec3 vec3::rotated() const { return vec3{y, z, x}; }
