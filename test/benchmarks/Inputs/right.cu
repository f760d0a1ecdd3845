__global__ void zero(float *a) { a[threadIdx.x] = 0.0f; }
