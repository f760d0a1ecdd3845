// Words and numbers: a bucket sort by atomics whose buckets blocks of CUB sort, run lengths added up by warps, texts compared on the device.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <vector>
using namespace cub;
#define DIVISIONS 64
__global__ void bucketcount(const float *in, int *idx, int *counts, int n, float lo, float scale) {
  __shared__ int s[DIVISIONS];
  for (int i = threadIdx.x; i < DIVISIONS; i += blockDim.x) s[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int b = min(DIVISIONS - 1, int((in[i] - lo) * scale));
    idx[i] = b;
    atomicAdd(s + b, 1);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < DIVISIONS; i += blockDim.x) if (s[i]) atomicAdd(&counts[i], s[i]);
}
template <int BLOCK> __global__ void prefix(const int *counts, int *offsets) {
  typedef BlockScan<int, BLOCK> Scan;
  __shared__ typename Scan::TempStorage temp;
  int v = threadIdx.x < DIVISIONS ? counts[threadIdx.x] : 0, total;
  Scan(temp).ExclusiveSum(v, v, total);
  if (threadIdx.x < DIVISIONS) offsets[threadIdx.x] = v;
  if (threadIdx.x == 0) offsets[DIVISIONS] = total;
}
__global__ void scatter(const float *in, const int *idx, int *at, float *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[atomicAdd(&at[idx[i]], 1)] = in[i]; }
template <int BLOCK, int ITEMS> __launch_bounds__(BLOCK) __global__ void sortBuckets(float *data, const int *offsets) {
  typedef BlockRadixSort<float, BLOCK, ITEMS> Sort;
  __shared__ union { typename Sort::TempStorage sort; float keys[BLOCK * ITEMS]; } u;
  int begin = offsets[blockIdx.x], n = offsets[blockIdx.x + 1] - begin;
  float k[ITEMS];
#pragma unroll
  for (int i = 0; i < ITEMS; i++) k[i] = threadIdx.x * ITEMS + i < n ? data[begin + threadIdx.x * ITEMS + i] : __int_as_float(0x7f800000);
  Sort(u.sort).Sort(k);
  for (int i = 0; i < ITEMS; i++) if (threadIdx.x * ITEMS + i < n) data[begin + threadIdx.x * ITEMS + i] = k[i];
}
__device__ int dev_strcmp(const char *a, const char *b) { while (*a && *a == *b) a++, b++; return (unsigned char)*a - (unsigned char)*b; }
__global__ void rank(const char (*words)[8], int n, int *order) { int i = threadIdx.x, r = 0; if (i >= n) return; for (int j = 0; j < n; j++) { int c = dev_strcmp(words[j], words[i]); r += c < 0 || (c == 0 && j < i); } order[r] = i; }
__global__ void runs(const uint8_t *x, int n, int *heads) { typedef WarpReduce<int> Reduce; __shared__ typename Reduce::TempStorage t[4]; int c = 0; for (int i = threadIdx.x; i < n; i += 128) c += i == 0 || x[i] != x[i - 1]; c = Reduce(t[threadIdx.x / 32]).Sum(c); if (threadIdx.x % 32 == 0) atomicAdd(heads, c); }
int main() {
  const int n = 6000;
  std::vector<float> h(n), got(n); srand(5); for (auto &x : h) x = rand() % 100000 * 0.01f;
  float *in, *out; int *idx, *counts, *offsets, *at;
  cudaMalloc(&in, n * 4), cudaMalloc(&out, n * 4), cudaMalloc(&idx, n * 4), cudaMalloc(&counts, 4 * (DIVISIONS + 1)), cudaMalloc(&offsets, 4 * (DIVISIONS + 1)), cudaMalloc(&at, 4 * (DIVISIONS + 1));
  cudaMemcpy(in, h.data(), n * 4, cudaMemcpyHostToDevice); cudaMemset(counts, 0, 4 * DIVISIONS);
  bucketcount<<<8, 128>>>(in, idx, counts, n, 0.f, DIVISIONS / 1000.f);
  prefix<128><<<1, 128>>>(counts, offsets);
  cudaMemcpy(at, offsets, 4 * DIVISIONS, cudaMemcpyDeviceToDevice);
  scatter<<<(n + 255) / 256, 256>>>(in, idx, at, out, n);
  sortBuckets<64, 4><<<DIVISIONS, 64>>>(out, offsets);
  cudaMemcpy(got.data(), out, n * 4, cudaMemcpyDeviceToHost);
  std::sort(h.begin(), h.end());
  int bad = got != h;
  const char words[9][8] = {"pear", "fig", "apple", "plum", "fig", "kiwi", "", "apples", "lime"}; char(*d_words)[8]; int order[9];
  cudaMalloc((void **)&d_words, sizeof(words)); cudaMemcpy(d_words, words, sizeof(words), cudaMemcpyHostToDevice);
  rank<<<1, 32>>>(d_words, 9, idx); cudaMemcpy(order, idx, sizeof(order), cudaMemcpyDeviceToHost);
  const int want[9] = {6, 2, 7, 1, 4, 5, 8, 0, 3}; for (int i = 0; i < 9; i++) bad += order[i] != want[i];
  std::vector<uint8_t> bytes(1000); for (int i = 0; i < 1000; i++) bytes[i] = i / 7 % 5; uint8_t *d_bytes; cudaMalloc(&d_bytes, 1000); cudaMemcpy(d_bytes, bytes.data(), 1000, cudaMemcpyHostToDevice); cudaMemset(at, 0, 4); runs<<<1, 128>>>(d_bytes, 1000, at);
  int heads = 0; cudaMemcpy(&heads, at, 4, cudaMemcpyDeviceToHost); bad += heads != (1000 + 6) / 7;
  printf("%s %d\n", bad ? "FAILED" : "sorted", heads);
  return bad;
}
