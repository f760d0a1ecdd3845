// A timed variant takes the registers of its kernel, or those few that its notes
// need: at most two more than the kernel, and 16 are always few.
// RUN: %bmclangxx -O3 -fblockmaestro --cuda-device-only -S %s -o %t.ptx
// RUN: %cuda/bin/ptxas -v -arch=sm_90 %t.ptx -o %t.cubin 2> %t.text
// RUN: python3 %S/Inputs/registers %t.text | FileCheck %s

// CHECK: streams: as few
// CHECK-NEXT: gathers: as few
// CHECK-NEXT: multiplies: as few
// CHECK-NEXT: sums: as few
// CHECK-NEXT: leavesEarly: as few
// CHECK-NEXT: bounded: as few
// CHECK-NOT: more

__global__ void streams(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 2 * a[i];
}

// Of many loads in flight.
__global__ void gathers(const float *__restrict__ a, const int *__restrict__ at,
                        float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int j = 0; j < 64; ++j)
    sum += a[at[j * n + i]];
  b[i] = sum;
}

// Of blocks in two dimensions.
__global__ void multiplies(const float *a, const float *b, float *c, int n) {
  __shared__ float left[16][17], right[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    left[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += left[threadIdx.y][j] * right[j][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

__global__ void sums(const double *a, double *b, int n) {
  __shared__ double part[256];
  double sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    sum += a[i];
  part[threadIdx.x] = sum;
  for (int half = 128; half; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    b[blockIdx.x] = part[0];
}

// Threads are counted.
__global__ void leavesEarly(int *a, int n) {
  if (threadIdx.x >= n)
    return;
  a[threadIdx.x] += 1;
  __syncthreads();
  a[threadIdx.x] += a[0];
}

__global__ void __launch_bounds__(1024, 2)
    bounded(const float4 *a, float4 *b, int n) {
  for (int i = blockIdx.x * 1024 + threadIdx.x; i < n; i += gridDim.x * 1024) {
    float4 v = a[i];
    for (int j = 0; j < 8; ++j)
      v = {v.y * v.x, v.z + v.w, v.w * v.x, v.x + v.y};
    b[i] = v;
  }
}
