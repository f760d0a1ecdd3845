// Feature: launch: Grids and blocks of all shapes: a million blocks, 65,535 in y and z, 1,024
// threads in x, y or mixed, what gridDim and its like say, and what is too large.

#include "Inputs/suite.h"

__global__ void count(unsigned long long *Sum) {
  if (threadIdx.x == 0 && blockIdx.x % 1000 == 7)
    atomicAdd(Sum, blockIdx.x);
}
__global__ void tall(int *Out) {
  if (blockIdx.y == 65534 || blockIdx.z == 65534)
    Out[0] = blockIdx.y + blockIdx.z + gridDim.y + gridDim.z;
}
__global__ void number(int *Out) {
  const int Thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int Block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int All = blockDim.x * blockDim.y * blockDim.z;
  Out[Block * All + Thread] = Block * 10000 + Thread;
}

static void numbered(dim3 Grid, dim3 Block) {
  const int Blocks = Grid.x * Grid.y * Grid.z, Threads = Block.x * Block.y * Block.z;
  suite::Array<int> Out(Blocks * Threads);
  number<<<Grid, Block>>>(Out);
  std::vector<int> Expected(Blocks * Threads);
  for (int I = 0; I < Blocks * Threads; ++I)
    Expected[I] = I / Threads * 10000 + I % Threads;
  same(Out.host(), Expected);
}

static void refused(dim3 Grid, dim3 Block) {
  suite::Array<int> Out(1);
  number<<<Grid, Block>>>(Out);
  const cudaError_t Got = cudaGetLastError();
  if (Got != cudaErrorInvalidValue)
    std::printf("(%u,%u,%u) (%u,%u,%u): %s\n", Grid.x, Grid.y, Grid.z, Block.x, Block.y, Block.z,
                cudaGetErrorName(Got));
  expect(Got == cudaErrorInvalidValue);
}

int main() {
  suite::Array<unsigned long long> Sum(1);
  count<<<1000000, 1>>>(Sum);
  unsigned long long Expected = 0;
  for (unsigned I = 7; I < 1000000; I += 1000)
    Expected += I;
  same(Sum.host(), std::vector<unsigned long long>{Expected});
  suite::Array<int> Out(1);
  tall<<<dim3(1, 65535), 1>>>(Out);
  same(Out.host(), std::vector<int>{65534 + 65535 + 1});
  tall<<<dim3(1, 1, 65535), 1>>>(Out);
  same(Out.host(), std::vector<int>{65534 + 65535 + 1});

  numbered(dim3(3, 4, 5), dim3(4, 3, 2));
  numbered(1, 1024);
  numbered(2, dim3(1, 1024, 1));
  numbered(2, dim3(2, 8, 64));
  numbered(dim3(1, 7), dim3(33, 1, 31));
  numbered(dim3(2, 2, 2), 1);

  refused(1, 1025);
  refused(1, dim3(1, 1, 65));
  refused(1, dim3(32, 33, 1));
  refused(dim3(1, 65536), 1);
  refused(dim3(1, 1, 65536), 1);
  refused(0x80000000u, 1);
  numbered(2, 32);
  return suite::finish();
}
