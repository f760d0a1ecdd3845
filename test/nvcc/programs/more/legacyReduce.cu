// A reduction as it was written for the first devices with shuffles: no masks, old names of calls, the clock of the device for bandwidth, an own shuffle for doubles.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#define WARP_SIZE 32
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 300
#error needs shuffles
#endif
__inline__ __device__ int warpReduceSum(int val) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    val += __shfl_down(val, offset);
  return val;
}
__inline__ __device__ int warpAllReduceSum(int val) {
  for (int mask = warpSize / 2; mask > 0; mask /= 2)
    val += __shfl_xor(val, mask);
  return val;
}
__device__ inline double shfl_down_d(double x, int lane) {
  int lo, hi;
  asm volatile("mov.b64 {%0,%1}, %2;" : "=r"(lo), "=r"(hi) : "d"(x));
  lo = __shfl_down(lo, lane);
  hi = __shfl_down(hi, lane);
  asm volatile("mov.b64 %0, {%1,%2};" : "=d"(x) : "r"(lo), "r"(hi));
  return x;
}
__inline__ __device__ int blockReduceSum(int val) {
  static __shared__ int shared[WARP_SIZE];
  int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
  val = warpReduceSum(val);
  if (lane == 0)
    shared[wid] = val;
  __syncthreads();
  val = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
  if (wid == 0)
    val = warpReduceSum(val);
  return val;
}
__global__ void deviceReduceKernel(int *in, int *out, int N) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x)
    sum += in[i];
  sum = blockReduceSum(sum);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}
__global__ void votes(int *in, unsigned *out, double *d) {
  int v = in[threadIdx.x];
  unsigned odd = __ballot(v & 1);
  int rank = __popc(odd & ((1u << (threadIdx.x & 31)) - 1));
  if (__any(v > 30) && __all(v >= 0))
    out[threadIdx.x] = rank + 100 * __shfl(v, 5) + 1000 * __shfl_up(1, 1);
  double s = v;
  for (int o = 16; o; o >>= 1)
    s += shfl_down_d(s, o);
  if (threadIdx.x == 0)
    *d = s + warpAllReduceSum(0);
  else
    warpAllReduceSum(0);
}
int main() {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  double peak = 2.0 * prop.memoryClockRate * (prop.memoryBusWidth / 8) / 1.0e6;
  printf("%s: %d MHz, peak %.1f GB/s, overlap %d\n", prop.name, prop.clockRate / 1000, peak, prop.deviceOverlap);
  int N = 100000, *h = (int *)malloc(N * sizeof(int)), *in, *out, sum = 0, got = 0;
  for (int i = 0; i < N; i++)
    sum += h[i] = i % 37;
  cudaMalloc(&in, N * sizeof(int));
  cudaMalloc(&out, 1024 * sizeof(int));
  cudaMemcpy(in, h, N * sizeof(int), cudaMemcpyHostToDevice);
  int threads = 512, blocks = min((N + threads - 1) / threads, 1024);
  deviceReduceKernel<<<blocks, threads>>>(in, out, N);
  deviceReduceKernel<<<1, 1024>>>(out, out, blocks);
  cudaThreadSynchronize();
  cudaMemcpy(&got, out, sizeof(int), cudaMemcpyDeviceToHost);
  unsigned u[32];
  double d = 0, *dd;
  cudaMalloc(&dd, sizeof(double));
  votes<<<1, 32>>>(in, (unsigned *)out, dd);
  cudaMemcpy(u, out, sizeof(u), cudaMemcpyDeviceToHost);
  cudaMemcpy(&d, dd, sizeof(d), cudaMemcpyDeviceToHost);
  int wrong = got != sum || d != 31 * 16;
  for (int i = 0; i < 32; i++)
    wrong += u[i] != i / 2 + 500 + 1000;
  printf("%s: %d %d %g\n", wrong ? "FAILED" : "PASSED", got, sum, d);
  cudaThreadExit();
  return wrong;
}
