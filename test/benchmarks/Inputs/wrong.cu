__global__ void zero(float *a) { a[threadIdx.x] = undeclared; }
