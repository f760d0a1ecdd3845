__device__ int g_calls;
__constant__ float c_scale = 2.0f;
__device__ float root(float x) { return sqrtf(x); }
