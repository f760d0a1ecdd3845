// Constants are in no footprint, and no allocation of the program: tables,
// strings and virtual tables, indexed, chosen between, and given to functions
// that stay calls. No check says anything about them.
// RUN: %bmclangxx -O0 -fblockmaestro %s -o %t
// RUN: env BLOCKMAESTRO_CHECK=all %t 2>&1 | FileCheck %s --implicit-check-not=BlockMaestro
// RUN: %bmclangxx -O3 -fblockmaestro %s -o %t
// RUN: env BLOCKMAESTRO_CHECK=all %t 2>&1 | FileCheck %s --implicit-check-not=BlockMaestro
// CHECK: table 24 choice 8 strings 3 4 functions 7 virtual 2
#include <cstdio>

__device__ const int table[4] = {1, 2, 4, 8};
__device__ int sum(const int *of, int n) {
  return n == 0 ? 0 : of[n - 1] + sum(of, n - 1);
}
__device__ int length(const char *text) {
  return *text ? 1 + length(text + 1) : 0;
}
__device__ int first(int i) { return i; }
__device__ int second(int i) { return 2 * i + 1; }
__device__ int (*const functions[2])(int) = {first, second};

struct Shape {
  __device__ virtual int corners() const { return 0; }
};
struct Line : Shape {
  __device__ int corners() const override { return 2; }
};

__global__ void read(int *out, const int *from, int which) {
  Line line;
  const Shape *shape = which ? &line : nullptr;
  const int *chosen = which ? table : from;
  const char *text = which > 1 ? "odd" : "even";
  out[0] = table[3 * which] + table[threadIdx.x] + sum(table, 4);
  out[1] = chosen[which + 2];
  out[2] = length("odd");
  out[3] = length(text);
  out[4] = functions[which](3);
  out[5] = shape->corners();
}

int main() {
  int *out, *from, host[6];
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&from, sizeof host);
  read<<<1, 1>>>(out, from, 1);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("table %d choice %d strings %d %d functions %d virtual %d\n",
              host[0], host[1], host[2], host[3], host[4], host[5]);
  cudaFree(out);
  cudaFree(from);
}
