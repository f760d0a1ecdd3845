// Pointers in arguments that no type shows: chosen by an index from between
// others where a union hides one, from 24 KB of them, moved by a distance read
// from memory. The launches that read what was written through them wait.
// RUN: %bmclangxx -O3 -fblockmaestro %s -o %t
// RUN: env BLOCKMAESTRO_DEVICE=emulated BLOCKMAESTRO_CHECK=graph,footprints %t 2>&1 | FileCheck %s --implicit-check-not=BlockMaestro
// RUN: env BLOCKMAESTRO_DEVICE=emulated BLOCKMAESTRO_EXECUTOR=shuffle:1 %t | FileCheck %s
// RUN: env BLOCKMAESTRO_DEVICE=emulated BLOCKMAESTRO_EXECUTOR=shuffle:2 %t | FileCheck %s
// RUN: env BLOCKMAESTRO_DEVICE=emulated BLOCKMAESTRO_EXECUTOR=shuffle:5 %t | FileCheck %s

#include <cstdint>
#include <cstdio>

constexpr int N = 1024;

// CHECK: union: 0 wrong
union Reference {
  uint64_t bits;
  int *pointer;
};
struct Mixed {
  int *first;
  Reference second;
  int *third;
  int count;
};
__global__ void throughUnion(Mixed m, int v) {
  int i = blockIdx.y * blockDim.x + threadIdx.x;
  (&m.first)[blockIdx.x][m.count - 1 - i] = v + i;
}

// CHECK: large: 0 wrong
struct Large {
  int *rows[12][256];
};
__global__ void throughLarge(Large l, int v) {
  int i = blockIdx.y * blockDim.x + threadIdx.x;
  l.rows[blockIdx.x][0][N - 1 - i] = v + i;
}

// CHECK: relative: 0 wrong
__global__ void throughDistance(char *base, const ptrdiff_t *distance, int v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  *(int *)(base + distance[0] + 4 * (N - 1 - i)) = v + i;
}

__global__ void collect(const int *from, int *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i] * 3 + to[i];
}

int *fresh() {
  int *p;
  cudaMalloc(&p, N * sizeof(int));
  cudaMemset(p, 0, N * sizeof(int));
  return p;
}

template <typename Write>
void test(const char *name, int *written, Write write) {
  static int host[N];
  int *out = fresh(), wrong = 0;
  for (int round = 1; round < 4; ++round) {
    write(round * 1000);
    collect<<<N / 128, 128>>>(written, out);
  }
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; ++i)
    wrong += host[i] != 3 * (6000 + 3 * (N - 1 - i));
  std::printf("%s: %d wrong\n", name, wrong);
  cudaFree(out);
}

int main() {
  int *first = fresh(), *second = fresh(), *third = fresh();
  Mixed m;
  m.first = first, m.second.pointer = second, m.third = third, m.count = N;
  test("union", second,
       [&](int v) { throughUnion<<<dim3(3, N / 128), 128>>>(m, v); });
  static Large l;
  for (auto &row : l.rows)
    for (int *&p : row)
      p = first;
  l.rows[11][0] = third;
  test("large", third,
       [&](int v) { throughLarge<<<dim3(12, N / 128), 128>>>(l, v); });
  ptrdiff_t *distance, host = (char *)second - (char *)first;
  cudaMalloc(&distance, sizeof host);
  cudaMemcpy(distance, &host, sizeof host, cudaMemcpyHostToDevice);
  test("relative", second, [&](int v) {
    throughDistance<<<N / 128, 128>>>((char *)first, distance, v);
  });
  for (void *p : {(void *)first, (void *)second, (void *)third,
                  (void *)distance})
    cudaFree(p);
}
